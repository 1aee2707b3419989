# The MySQL driver is built where libmariadb is (libmariadb-dev); without it the build has
# none, and says so when such a URL is opened. Only the header is used: the library is
# loaded at first use.
set(DRAGOMAN_HAS_MYSQL OFF)
if(DRAGOMAN_MYSQL)
  pkg_check_modules(LIBMARIADB QUIET IMPORTED_TARGET libmariadb>=3.1.8)
endif()
if(DRAGOMAN_MYSQL AND LIBMARIADB_FOUND)
  set(DRAGOMAN_HAS_MYSQL ON)
  target_include_directories(dgm_datasource SYSTEM PUBLIC ${LIBMARIADB_INCLUDE_DIRS})
  target_compile_definitions(dgm_datasource PUBLIC DRAGOMAN_HAS_MYSQL)
else()
  message(STATUS "MySQL: not in this build (install libmariadb-dev, then configure again)")
  file(GLOB mysql_sources ${CMAKE_SOURCE_DIR}/src/datasource/mysql/*.c)
  set_source_files_properties(${mysql_sources} PROPERTIES HEADER_FILE_ONLY ON)
endif()
