# Checks of what was built rather than of what it does.
if(NOT DRAGOMAN_SANITIZE)
  add_test(NAME checks/symbols COMMAND ${CMAKE_SOURCE_DIR}/tools/check-symbols
                                       ${CMAKE_BINARY_DIR})
endif()
