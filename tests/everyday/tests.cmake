# The everyday questions stay whole: gold answers run, halves are as their hashes say.
find_program(SQLITE3_SHELL sqlite3)
if(SQLITE3_SHELL AND TARGET dragoman)
  add_test(NAME everyday/questions
           COMMAND ${CMAKE_CURRENT_LIST_DIR}/check $<TARGET_FILE:dragoman>)
  set_tests_properties(everyday/questions PROPERTIES LABELS everyday TIMEOUT 1200)
endif()
