# MCP: the program as an assistant starts it, and the server's /mcp.
if(TARGET dragoman)
  foreach(name stdio modern asking objects resources cancel http)
    add_test(NAME e2e/mcp/${name}
             COMMAND bash ${CMAKE_CURRENT_LIST_DIR}/${name}.sh $<TARGET_FILE:dragoman>
                     ${CMAKE_BINARY_DIR}/e2e_cli)
    set_tests_properties(e2e/mcp/${name} PROPERTIES LABELS e2e TIMEOUT 600)
  endforeach()
endif()
