# The HTTP interface held against its own description, by a judge that is installed by a first step.
find_program(NODE_PROGRAM node)
find_program(NPM_PROGRAM npm)
if(TARGET dragoman AND NODE_PROGRAM AND NPM_PROGRAM)
  add_test(NAME e2e/contract/install COMMAND ${CMAKE_CURRENT_LIST_DIR}/install)
  set_tests_properties(e2e/contract/install PROPERTIES LABELS e2e TIMEOUT 1200
                       FIXTURES_SETUP contract_judge)
  add_test(NAME e2e/contract
           COMMAND bash ${CMAKE_CURRENT_LIST_DIR}/run.sh $<TARGET_FILE:dragoman>
                   ${CMAKE_BINARY_DIR}/e2e_cli)
  set_tests_properties(e2e/contract PROPERTIES LABELS e2e TIMEOUT 1200
                       FIXTURES_REQUIRED contract_judge)
endif()
