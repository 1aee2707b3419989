# What `make install` installs is used as a stranger would. Not under sanitizers: a program
# built without them cannot load a library built with them.
if(TARGET dragoman AND NOT DRAGOMAN_SANITIZE)
  set_target_properties(dragoman_shared completions PROPERTIES EXCLUDE_FROM_ALL FALSE)
  add_test(NAME e2e/install COMMAND ${CMAKE_CURRENT_LIST_DIR}/run.sh ${CMAKE_BINARY_DIR}
                                    ${CMAKE_SOURCE_DIR})
  set_tests_properties(e2e/install PROPERTIES LABELS e2e TIMEOUT 1200
                       ENVIRONMENT "CC=${CMAKE_C_COMPILER}")
endif()
