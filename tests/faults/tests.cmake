# Every case with something failing, and questions stopped at every moment.
file(GLOB fault_cases CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/tests/cases/*.case)
# One of those over several databases is enough: each play of them starts an engine.
list(FILTER fault_cases EXCLUDE REGEX "/across_(words|wrong|parser|not_found)\\.case$")
add_executable(fault_sweep ${CMAKE_CURRENT_LIST_DIR}/sweep.c
               ${CMAKE_CURRENT_LIST_DIR}/answer_check.c)
target_link_libraries(fault_sweep PRIVATE test_cases)
add_executable(fault_stop ${CMAKE_CURRENT_LIST_DIR}/stop.c
               ${CMAKE_CURRENT_LIST_DIR}/answer_check.c)
target_link_libraries(fault_stop PRIVATE test_cases)

# The first few calls of every fifth case (all of them would take minutes with sanitizers); all
# calls of every case, and more ways to fail, with the label "long".
# COST: the longest test begins first, so that nothing waits for it alone at the end
add_test(NAME faults/sweep COMMAND fault_sweep 0 5 ${fault_cases})
set_tests_properties(faults/sweep PROPERTIES LABELS faults TIMEOUT 3600 COST 1000
                     WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
foreach(part 0 1 2 3)
  add_test(NAME faults/sweep_full_${part} COMMAND fault_sweep ${part} 4 ${fault_cases})
  set_tests_properties(faults/sweep_full_${part} PROPERTIES LABELS long TIMEOUT 3600
                       ENVIRONMENT DRAGOMAN_SWEEP=full
                       WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
endforeach()

set(stop_cases "")
foreach(name fused phased write_approved column_mended tables_ambiguous several_schema deadline
        timeout_statement recall across_sqlite parser_accepts parser_asks_back parser_failing)
  list(APPEND stop_cases ${CMAKE_SOURCE_DIR}/tests/cases/${name}.case)
endforeach()
add_test(NAME faults/stop COMMAND fault_stop ${stop_cases})
set_tests_properties(faults/stop PROPERTIES LABELS faults TIMEOUT 1200
                     WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})

# Between them these walk through every state; the test says so when they no longer do.
set(killed_cases "")
foreach(name session_clarified lesson_learned_from_error phased write_approved column_mended
        tables_ambiguous join_inferred recall general schema_question answer_cancel cannot_answer
        corrected)
  list(APPEND killed_cases ${CMAKE_SOURCE_DIR}/tests/cases/${name}.case)
endforeach()
add_executable(fault_killed ${CMAKE_CURRENT_LIST_DIR}/killed.c)
target_link_libraries(fault_killed PRIVATE test_cases)
add_test(NAME faults/killed COMMAND fault_killed ${killed_cases})
set_tests_properties(faults/killed PROPERTIES LABELS faults TIMEOUT 1200
                     WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})

add_executable(fault_odd_replies ${CMAKE_CURRENT_LIST_DIR}/odd_replies.c
               ${CMAKE_CURRENT_LIST_DIR}/answer_check.c)
target_link_libraries(fault_odd_replies PRIVATE test_cases)
add_test(NAME faults/odd_replies COMMAND fault_odd_replies)
set_tests_properties(faults/odd_replies PROPERTIES LABELS faults TIMEOUT 1200
                     WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})

add_executable(fault_mcp ${CMAKE_CURRENT_LIST_DIR}/mcp.c ${CMAKE_CURRENT_LIST_DIR}/small_shop.c)
target_include_directories(fault_mcp PRIVATE ${CMAKE_SOURCE_DIR}/tests)
target_link_libraries(fault_mcp PRIVATE dgm_mcp)
add_test(NAME faults/mcp COMMAND fault_mcp)
set_tests_properties(faults/mcp PROPERTIES LABELS faults TIMEOUT 1200
                     WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})

add_executable(fault_openai ${CMAKE_CURRENT_LIST_DIR}/openai.c ${CMAKE_CURRENT_LIST_DIR}/small_shop.c)
target_include_directories(fault_openai PRIVATE ${CMAKE_SOURCE_DIR}/tests)
target_link_libraries(fault_openai PRIVATE dgm_server)
add_test(NAME faults/openai COMMAND fault_openai)
set_tests_properties(faults/openai PROPERTIES LABELS faults TIMEOUT 1200
                     WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
