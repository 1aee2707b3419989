# A question over several kinds of servers, started for it; skipped where one is missing.
if(TARGET dragoman AND DRAGOMAN_HAS_DUCKDB AND DRAGOMAN_HAS_POSTGRES AND DRAGOMAN_HAS_MYSQL AND
   DRAGOMAN_HAS_MONGODB)
  add_test(NAME e2e/across
           COMMAND bash ${CMAKE_CURRENT_LIST_DIR}/run.sh $<TARGET_FILE:dragoman>
                   ${CMAKE_BINARY_DIR}/e2e_cli)
  set_tests_properties(e2e/across PROPERTIES LABELS e2e TIMEOUT 1200 SKIP_RETURN_CODE 77
                       RESOURCE_LOCK mariadb)
endif()
if(TARGET dragoman AND DRAGOMAN_HAS_DUCKDB)
  add_test(NAME e2e/across_files
           COMMAND bash ${CMAKE_CURRENT_LIST_DIR}/files.sh $<TARGET_FILE:dragoman>
                   ${CMAKE_BINARY_DIR}/e2e_cli)
  set_tests_properties(e2e/across_files PROPERTIES LABELS e2e TIMEOUT 1200)
endif()
