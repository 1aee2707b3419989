# The DuckDB driver needs only the header to be built: the library is loaded at first use.
# tools/duckdb/fetch brings both; without them the build has no DuckDB driver.
set(DRAGOMAN_HAS_DUCKDB OFF)
set(duckdb_folder ${CMAKE_SOURCE_DIR}/third_party/duckdb)
if(DRAGOMAN_DUCKDB AND EXISTS ${duckdb_folder}/duckdb.h AND
   EXISTS ${CMAKE_SOURCE_DIR}/src/datasource/duckdb/duckdb.c)
  set(DRAGOMAN_HAS_DUCKDB ON)
  target_include_directories(dgm_datasource SYSTEM PUBLIC ${duckdb_folder})
  target_compile_definitions(dgm_datasource PUBLIC DRAGOMAN_HAS_DUCKDB)
  # Programs look beside themselves for the library: no folder of this machine is in them.
  if(EXISTS ${duckdb_folder}/libduckdb.so)
    file(CREATE_LINK ${duckdb_folder}/libduckdb.so ${CMAKE_BINARY_DIR}/libduckdb.so SYMBOLIC)
  endif()
else()
  message(STATUS "DuckDB: not in this build (run tools/duckdb/fetch, then configure again)")
endif()
if(NOT DRAGOMAN_HAS_DUCKDB)
  file(GLOB duckdb_sources ${CMAKE_SOURCE_DIR}/src/datasource/duckdb/*.c
       ${CMAKE_SOURCE_DIR}/src/datasource/staging/staging*.c
       ${CMAKE_SOURCE_DIR}/src/datasource/engine/*.c
       ${CMAKE_SOURCE_DIR}/src/datasource/files/files*.c)
  foreach(always engine/engine_program staging/staging_none staging/staging_types staging/staging_times)
    list(REMOVE_ITEM duckdb_sources ${CMAKE_SOURCE_DIR}/src/datasource/${always}.c)
  endforeach()
  set_source_files_properties(${duckdb_sources} PROPERTIES HEADER_FILE_ONLY ON)
endif()
