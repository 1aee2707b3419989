# Each .case file is a test of its own, played through the library, the program, the server and an
# assistant's tools (MCP); with a sanitizer not through the program.
file(GLOB case_sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/*.c)
list(FILTER case_sources EXCLUDE REGEX "/runner\\.c$")
add_library(test_cases STATIC ${case_sources})
target_include_directories(test_cases PUBLIC ${CMAKE_SOURCE_DIR}/tests)
target_link_libraries(test_cases PUBLIC dgm_server)

add_executable(case_runner ${CMAKE_CURRENT_LIST_DIR}/runner.c)
target_link_libraries(case_runner PRIVATE test_cases)

file(GLOB cases CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/*.case)
foreach(case ${cases})
  get_filename_component(name ${case} NAME_WE)
  if(DRAGOMAN_SANITIZE)
    # The program's own lines are watched by e2e/cli; a process for each step costs half of the time.
    add_test(NAME case/${name} COMMAND case_runner --server ${case})
  elseif(TARGET dragoman)
    add_test(NAME case/${name} COMMAND case_runner --program $<TARGET_FILE:dragoman> ${case})
  else()
    add_test(NAME case/${name} COMMAND case_runner ${case})
  endif()
  set_tests_properties(case/${name} PROPERTIES LABELS case TIMEOUT 1200 SKIP_RETURN_CODE 77
                       WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
endforeach()
