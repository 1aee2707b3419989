# The servers of this suite run on Node; the independent one is installed by a first step.
find_program(NODE_PROGRAM node)
find_program(NPM_PROGRAM npm)
if(NODE_PROGRAM AND NPM_PROGRAM)
  add_test(NAME conformance/llm/install
           COMMAND ${CMAKE_CURRENT_LIST_DIR}/mock/install)
  set_tests_properties(conformance/llm/install PROPERTIES LABELS conformance TIMEOUT 1200
                       FIXTURES_SETUP llm_mock)
  set_tests_properties(conformance/llm/test_llm PROPERTIES FIXTURES_REQUIRED llm_mock)
else()
  message(STATUS "Node: not found, so the model services are not tested against a mock")
  set_tests_properties(conformance/llm/test_llm PROPERTIES DISABLED TRUE)
endif()
