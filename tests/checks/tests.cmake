# Checks of what was built rather than of what it does.
if(NOT DRAGOMAN_SANITIZE)
  add_test(NAME checks/symbols COMMAND ${CMAKE_SOURCE_DIR}/tools/check-symbols
                                       ${CMAKE_BINARY_DIR})
endif()
if(NODE_PROGRAM AND NOT DRAGOMAN_SANITIZE)
  add_test(NAME checks/sbom
           COMMAND ${NODE_PROGRAM} ${CMAKE_CURRENT_LIST_DIR}/sbom.mjs
                   ${CMAKE_BINARY_DIR}/dragoman.cdx.json $<TARGET_FILE:dragoman>
                   ${CMAKE_BINARY_DIR}/generated/parts.txt
                   ${page_packages})
  add_test(NAME checks/types
           COMMAND bash ${CMAKE_CURRENT_LIST_DIR}/types.sh $<TARGET_FILE:dragoman>
                   ${CMAKE_SOURCE_DIR} ${NODE_PROGRAM})
endif()
add_test(NAME checks/dist COMMAND bash ${CMAKE_CURRENT_LIST_DIR}/dist.sh ${CMAKE_SOURCE_DIR})
set_tests_properties(checks/dist PROPERTIES SKIP_RETURN_CODE 77)
