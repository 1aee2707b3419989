# The MongoDB driver is built where libmongoc is (libmongoc-dev) and DuckDB, which runs the SQL;
# without them the build has none, and says so when such a URL is opened. Only the headers are
# used: the library is loaded at first use.
set(DRAGOMAN_HAS_MONGODB OFF)
if(DRAGOMAN_MONGODB AND DRAGOMAN_HAS_DUCKDB)
  pkg_check_modules(LIBMONGOC QUIET libmongoc-1.0>=1.20)
endif()
if(DRAGOMAN_MONGODB AND DRAGOMAN_HAS_DUCKDB AND LIBMONGOC_FOUND)
  set(DRAGOMAN_HAS_MONGODB ON)
  target_include_directories(dgm_datasource SYSTEM PRIVATE ${LIBMONGOC_INCLUDE_DIRS})
  target_compile_definitions(dgm_datasource PUBLIC DRAGOMAN_HAS_MONGODB)
else()
  message(STATUS "MongoDB: not in this build (install libmongoc-dev, then configure again)")
  file(GLOB mongodb_sources ${CMAKE_SOURCE_DIR}/src/datasource/mongodb/*.c)
  set_source_files_properties(${mongodb_sources} PROPERTIES HEADER_FILE_ONLY ON)
endif()
