# The page in a real browser (web/journeys), against the server of this build. Once is enough: the
# sanitizers see the same server in its own tests, and a browser beside them takes minutes.
find_program(NODE_PROGRAM node)
find_program(CHROMIUM_PROGRAM NAMES chromium chromium-browser google-chrome)
if(DRAGOMAN_SANITIZE)
  # see above
elseif(NODE_PROGRAM AND CHROMIUM_PROGRAM AND EXISTS ${CMAKE_SOURCE_DIR}/web/node_modules/.stamp)
  add_test(NAME e2e/page
           COMMAND ${NODE_PROGRAM} ${CMAKE_SOURCE_DIR}/web/journeys/run.mjs
                   $<TARGET_FILE:dragoman> --failed ${CMAKE_BINARY_DIR}/page-failed)
  set_tests_properties(e2e/page PROPERTIES LABELS e2e TIMEOUT 1200
                       ENVIRONMENT CHROMIUM=${CHROMIUM_PROGRAM})
else()
  message(STATUS "Without the test of the page: Node, web/node_modules or Chromium is missing")
endif()
