# The list of what the program is made of (tools/sbom.mjs; docs/supply-chain.md): the build writes it and
# `make install` installs it. A library that is added to the program gets a row here; checks/sbom
# compares the rows with the program.
find_program(NODE_PROGRAM node)
execute_process(COMMAND getconf GNU_LIBC_VERSION OUTPUT_VARIABLE libc_version ERROR_QUIET
                OUTPUT_STRIP_TRAILING_WHITESPACE)
string(REGEX REPLACE "^glibc " "" libc_version "${libc_version}")
file(READ ${CMAKE_SOURCE_DIR}/tools/duckdb/package.json duckdb_pins)
string(JSON duckdb_version GET "${duckdb_pins}" version)
# libpg_query has no file for pkg-config; the name of its library ends with its version.
find_library(PG_QUERY_LIBRARY pg_query)
mark_as_advanced(PG_QUERY_LIBRARY)
set(pg_query_version "")
if(PG_QUERY_LIBRARY)
  file(REAL_PATH ${PG_QUERY_LIBRARY} pg_query_library)
  if(pg_query_library MATCHES "\\.so\\.([0-9.]+)$")
    set(pg_query_version ${CMAKE_MATCH_1})
  endif()
endif()
pkg_check_modules(OPENSSL QUIET libcrypto)

set(parts "")
# use, name, version of what it was built with, file (with a folder) or name that is loaded, licence
# (SPDX), where it comes from
function(dragoman_part use name version file licence home)
  string(APPEND parts "${use}\t${name}\t${version}\t${file}\t${licence}\t${home}\n")
  set(parts "${parts}" PARENT_SCOPE)
endfunction()
dragoman_part(linked glibc "${libc_version}" libc.so.6 LGPL-2.1-or-later https://www.gnu.org/software/libc/)
dragoman_part(linked jansson "${JANSSON_VERSION}" libjansson.so.4 MIT https://github.com/akheron/jansson)
dragoman_part(linked libyaml "${YAML_VERSION}" libyaml-0.so.2 MIT https://pyyaml.org/wiki/LibYAML)
dragoman_part(linked xxhash "${XXHASH_VERSION}" libxxhash.so.0 BSD-2-Clause https://xxhash.com)
dragoman_part(linked sqlite "${SQLITE_VERSION}" libsqlite3.so.0 blessing https://sqlite.org)
dragoman_part(linked libedit "${EDIT_VERSION}" libedit.so.2 BSD-3-Clause https://thrysoee.dk/editline/)
dragoman_part(loaded curl "${CURL_VERSION}" libcurl.so.4 curl https://curl.se)
dragoman_part(loaded libmicrohttpd "${MICROHTTPD_VERSION}" libmicrohttpd.so.12 LGPL-2.1-or-later
              https://www.gnu.org/software/libmicrohttpd/)
dragoman_part(loaded zlib "${ZLIB_VERSION}" libz.so.1 Zlib https://zlib.net)
dragoman_part(loaded openssl "${OPENSSL_VERSION}" libcrypto.so.3 Apache-2.0 https://openssl.org)
if(SODIUM_FOUND)
  dragoman_part(loaded libsodium "${SODIUM_VERSION}" libsodium.so.23 ISC https://libsodium.org)
endif()
if(LIBPQ_FOUND)
  dragoman_part(loaded libpq "${LIBPQ_VERSION}" libpq.so.5 PostgreSQL https://www.postgresql.org)
endif()
if(DRAGOMAN_HAS_PG_QUERY)
  dragoman_part(loaded libpg_query "${pg_query_version}" libpg_query.so BSD-3-Clause
                https://github.com/pganalyze/libpg_query)
endif()
if(LIBMARIADB_FOUND)
  dragoman_part(loaded mariadb-connector-c "${LIBMARIADB_VERSION}" libmariadb.so.3 LGPL-2.1-or-later
                https://mariadb.com)
endif()
if(LIBMONGOC_FOUND)
  dragoman_part(loaded mongo-c-driver "${LIBMONGOC_VERSION}" libmongoc-1.0.so.0 Apache-2.0
                https://mongoc.org)
endif()
if(UNIXODBC_FOUND)
  dragoman_part(loaded unixodbc "${UNIXODBC_VERSION}" libodbc.so.2 LGPL-2.1-or-later
                https://www.unixodbc.org)
endif()
if(ZIP_FOUND AND EXPAT_FOUND)
  dragoman_part(loaded libzip "${ZIP_VERSION}" libzip.so.4 BSD-3-Clause https://libzip.org)
  dragoman_part(loaded expat "${EXPAT_VERSION}" libexpat.so.1 MIT https://libexpat.github.io)
endif()
if(DRAGOMAN_HAS_DUCKDB)
  dragoman_part(loaded duckdb "${duckdb_version}" third_party/duckdb/libduckdb.so MIT
                https://duckdb.org)
endif()
if(DRAGOMAN_PARSER)
  dragoman_part(embedded parser-weights "${PROJECT_VERSION}" models/parser.dgw CC-BY-SA-4.0 "")
endif()
dragoman_part(embedded wordnet-lexicon 3.0 models/lexicon.bin LicenseRef-WordNet-3.0
              https://wordnet.princeton.edu)

file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/generated/parts.txt CONTENT "${parts}" @ONLY)
if(NODE_PROGRAM)
  set(sbom ${CMAKE_BINARY_DIR}/dragoman.cdx.json)
  add_custom_command(
    OUTPUT ${sbom}
    COMMAND ${NODE_PROGRAM} ${CMAKE_SOURCE_DIR}/tools/sbom.mjs
            ${CMAKE_BINARY_DIR}/generated/parts.txt ${sbom} ${page_packages}
    DEPENDS dragoman ${CMAKE_SOURCE_DIR}/tools/sbom.mjs ${CMAKE_BINARY_DIR}/generated/parts.txt
            ${page_packages} ${CMAKE_SOURCE_DIR}/web/package-lock.json ${CMAKE_SOURCE_DIR}/VERSION
    COMMENT "Listing what the program is made of"
    VERBATIM)
  set(with_all "")
  if(DRAGOMAN_TESTS)
    set(with_all ALL) # checks/sbom looks at it
  endif()
  add_custom_target(sbom ${with_all} DEPENDS ${sbom})
  install(FILES ${sbom} DESTINATION share/dragoman OPTIONAL)
else()
  add_custom_target(sbom COMMAND ${CMAKE_COMMAND} -E echo
                    "sbom: no list of what the program is made of: that takes Node")
endif()
