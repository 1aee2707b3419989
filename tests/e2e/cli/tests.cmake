# The command line, run as people and scripts run it.
if(TARGET dragoman)
  set(cli_helpers terminal responder database)
  if(DRAGOMAN_HAS_DUCKDB)
    list(APPEND cli_helpers duckdb)
  endif()
  foreach(helper ${cli_helpers})
    add_executable(e2e_cli_${helper} ${CMAKE_CURRENT_LIST_DIR}/${helper}.c)
    set_target_properties(e2e_cli_${helper} PROPERTIES RUNTIME_OUTPUT_DIRECTORY
                          ${CMAKE_BINARY_DIR}/e2e_cli)
  endforeach()
  target_link_libraries(e2e_cli_terminal PRIVATE util)
  target_link_libraries(e2e_cli_database PRIVATE PkgConfig::SQLITE)
  if(DRAGOMAN_HAS_DUCKDB)
    target_link_libraries(e2e_cli_duckdb PRIVATE dgm_datasource)
    # programs look for DuckDB's library beside themselves
    file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/e2e_cli)
    file(CREATE_LINK ../libduckdb.so ${CMAKE_BINARY_DIR}/e2e_cli/libduckdb.so SYMBOLIC)
  endif()
  set(cli_tests)
  if(DRAGOMAN_HAS_DUCKDB)
    list(APPEND cli_tests dataset)
  endif()
  foreach(name ${cli_tests} usage input formats rows failures guard keep stop chat write terminal manual
               same_name parser eval lessons corrections fresh source keys secrets values
               away charts)
    add_test(NAME e2e/cli/${name}
             COMMAND bash ${CMAKE_CURRENT_LIST_DIR}/${name}.sh $<TARGET_FILE:dragoman>
                     ${CMAKE_BINARY_DIR}/e2e_cli)
    set_tests_properties(e2e/cli/${name} PROPERTIES LABELS e2e TIMEOUT 1200)
  endforeach()
endif()
