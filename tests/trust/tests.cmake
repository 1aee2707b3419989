# The questions that measure what is told of words without a place stay whole.
find_program(SQLITE3_SHELL sqlite3)
if(SQLITE3_SHELL)
  add_test(NAME trust/questions COMMAND ${CMAKE_CURRENT_LIST_DIR}/check)
  set_tests_properties(trust/questions PROPERTIES LABELS trust TIMEOUT 300)
endif()
