# The judge of the guard by real engines: tests/fuzz/oracle/oracle.c tells how it is run. A short look
# is a test; tools/fuzz gives it more time.
file(GLOB oracle_sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/*.c)
add_executable(oracle ${oracle_sources})
target_link_libraries(oracle PRIVATE dgm_datasource PkgConfig::SQLITE)
foreach(engine sqlite duckdb)
  add_test(NAME fuzz/oracle/${engine} COMMAND oracle ${engine} --statements 2000
           --corpus ${CMAKE_SOURCE_DIR}/attacks/${engine}.txt)
  set_tests_properties(fuzz/oracle/${engine} PROPERTIES LABELS fuzz TIMEOUT 300
                       SKIP_RETURN_CODE 77)
endforeach()
