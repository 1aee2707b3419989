# The OpenAI-compatible interface, used by clients that are installed by a first step.
find_program(NODE_PROGRAM node)
find_program(NPM_PROGRAM npm)
if(TARGET dragoman AND NODE_PROGRAM AND NPM_PROGRAM)
  add_test(NAME e2e/openai/install COMMAND ${CMAKE_CURRENT_LIST_DIR}/install)
  set_tests_properties(e2e/openai/install PROPERTIES LABELS e2e TIMEOUT 1200
                       FIXTURES_SETUP openai_clients)
  add_test(NAME e2e/openai
           COMMAND bash ${CMAKE_CURRENT_LIST_DIR}/run.sh $<TARGET_FILE:dragoman>
                   ${CMAKE_BINARY_DIR}/e2e_cli)
  set_tests_properties(e2e/openai PROPERTIES LABELS e2e TIMEOUT 1200
                       FIXTURES_REQUIRED openai_clients)
endif()
