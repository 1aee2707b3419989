# MCP: the program as an assistant starts it, and the server's /mcp.
if(TARGET dragoman)
  foreach(name stdio modern asking objects resources cancel changes http streams revoked foreign sizes install
          bundle)
    add_test(NAME e2e/mcp/${name}
             COMMAND bash ${CMAKE_CURRENT_LIST_DIR}/${name}.sh $<TARGET_FILE:dragoman>
                     ${CMAKE_BINARY_DIR}/e2e_cli)
    set_tests_properties(e2e/mcp/${name} PROPERTIES LABELS e2e TIMEOUT 600)
  endforeach()
endif()
# dragoman with the tools, resources and prompts of the conformance suite; never installed.
if(TARGET dragoman)
  set(mcp_fixtures ${CMAKE_CURRENT_LIST_DIR}/fixtures)
  add_executable(dragoman_mcp_fixtures ${CMAKE_SOURCE_DIR}/src/cli/main.c
                 ${mcp_fixtures}/extras.c ${mcp_fixtures}/rounds.c)
  target_include_directories(dragoman_mcp_fixtures PRIVATE ${mcp_fixtures})
  target_link_libraries(dragoman_mcp_fixtures PRIVATE dgm_cli)
endif()
# Clients and judges that are not ours, installed by a first step.
find_program(NODE_PROGRAM node)
find_program(NPM_PROGRAM npm)
if(TARGET dragoman AND NODE_PROGRAM AND NPM_PROGRAM)
  add_test(NAME e2e/mcp/packages COMMAND ${CMAKE_CURRENT_LIST_DIR}/npm/install)
  set_tests_properties(e2e/mcp/packages PROPERTIES LABELS e2e TIMEOUT 1200
                       FIXTURES_SETUP mcp_clients)
  foreach(name clients inspector conformance)
    add_test(NAME e2e/mcp/${name}
             COMMAND bash ${CMAKE_CURRENT_LIST_DIR}/${name}.sh $<TARGET_FILE:dragoman>
                     ${CMAKE_BINARY_DIR}/e2e_cli $<TARGET_FILE:dragoman_mcp_fixtures>)
    set_tests_properties(e2e/mcp/${name} PROPERTIES LABELS e2e TIMEOUT 1200
                         FIXTURES_REQUIRED mcp_clients)
  endforeach()
endif()
