# The DuckDB driver needs only the header to be built: the library is loaded at first use.
# tools/duckdb/fetch brings both; without them the build has no DuckDB driver.
set(DRAGOMAN_HAS_DUCKDB OFF)
set(duckdb_folder ${CMAKE_SOURCE_DIR}/third_party/duckdb)
if(DRAGOMAN_DUCKDB AND EXISTS ${duckdb_folder}/duckdb.h AND
   EXISTS ${CMAKE_SOURCE_DIR}/src/datasource/duckdb.c)
  set(DRAGOMAN_HAS_DUCKDB ON)
  target_include_directories(dgm_datasource SYSTEM PUBLIC ${duckdb_folder})
  target_compile_definitions(dgm_datasource PUBLIC DRAGOMAN_HAS_DUCKDB)
  target_compile_definitions(dgm_datasource
                             PRIVATE DRAGOMAN_DUCKDB_FOLDER="${duckdb_folder}")
else()
  message(STATUS "DuckDB: not in this build (run tools/duckdb/fetch, then configure again)")
endif()
if(NOT DRAGOMAN_HAS_DUCKDB)
  file(GLOB duckdb_sources ${CMAKE_SOURCE_DIR}/src/datasource/duckdb*.c
       ${CMAKE_SOURCE_DIR}/src/datasource/staging*.c
       ${CMAKE_SOURCE_DIR}/src/datasource/files*.c)
  foreach(always staging_none staging_types staging_times)
    list(REMOVE_ITEM duckdb_sources ${CMAKE_SOURCE_DIR}/src/datasource/${always}.c)
  endforeach()
  set_source_files_properties(${duckdb_sources} PROPERTIES HEADER_FILE_ONLY ON)
endif()
