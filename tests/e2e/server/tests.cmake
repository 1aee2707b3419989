# The server, asked over real HTTP.
if(TARGET dragoman)
  foreach(name ask keys killed input agents datasets injection more)
    add_test(NAME e2e/server/${name}
             COMMAND bash ${CMAKE_CURRENT_LIST_DIR}/${name}.sh $<TARGET_FILE:dragoman>
                     ${CMAKE_BINARY_DIR}/e2e_cli)
    set_tests_properties(e2e/server/${name} PROPERTIES LABELS e2e TIMEOUT 180)
  endforeach()
endif()
