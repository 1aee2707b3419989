# What is installed: the program, the library, its header.
if(EXISTS ${CMAKE_SOURCE_DIR}/src/cli/main.c)
  add_executable(dragoman ${CMAKE_SOURCE_DIR}/src/cli/main.c)
  target_link_libraries(dragoman PRIVATE dgm_cli)
endif()
