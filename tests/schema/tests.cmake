# The examples of docs/schema.md are what dragoman prints.
find_program(NODE node)
if(NODE AND TARGET dragoman)
  add_test(NAME schema/document COMMAND ${NODE} ${CMAKE_CURRENT_LIST_DIR}/check.mjs
                                        $<TARGET_FILE:dragoman> ${CMAKE_SOURCE_DIR})
  set_tests_properties(schema/document PROPERTIES LABELS conformance TIMEOUT 1200)
  if(NOT DRAGOMAN_HAS_MONGODB)
    set_tests_properties(schema/document PROPERTIES ENVIRONMENT DRAGOMAN_NO_MONGODB=1)
  endif()
endif()
