# What is installed: the program, the library with its header and pkg-config file, the manual
# page, shell completions, and DuckDB's library in a folder of its own.
if(EXISTS ${CMAKE_SOURCE_DIR}/src/cli/main.c)
  add_executable(dragoman ${CMAKE_SOURCE_DIR}/src/cli/main.c)
  target_link_libraries(dragoman PRIVATE dgm_cli)
  install(TARGETS dragoman RUNTIME DESTINATION bin)
endif()

# The program does not need libdragoman.so, so it is built only when asked for (make install).
# Everything is compiled with hidden visibility; the version script also keeps in what compilers
# export regardless (functions with several versions for several processors).
file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/generated/shared.c CONTENT
     "/* The shared library's own file; the layers bring the rest. */\ntypedef int dragoman_shared;\n")
add_library(dragoman_shared SHARED EXCLUDE_FROM_ALL ${CMAKE_BINARY_DIR}/generated/shared.c)
set_target_properties(dragoman_shared PROPERTIES OUTPUT_NAME dragoman
                      VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR})
target_link_libraries(dragoman_shared PRIVATE $<LINK_LIBRARY:WHOLE_ARCHIVE,dgm_service>)
set(exports ${CMAKE_CURRENT_LIST_DIR}/exports.map)
target_link_options(dragoman_shared PRIVATE -Wl,--version-script=${exports})
set_target_properties(dragoman_shared PROPERTIES LINK_DEPENDS ${exports})
install(TARGETS dragoman_shared LIBRARY DESTINATION lib)
install(FILES include/dragoman.h include/dragoman_store.h include/dragoman_server.h include/dragoman_arrow.h DESTINATION include)

# Relative to the file itself, so a prefix can be moved and DESTDIR leaves no trace.
file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/dragoman.pc @ONLY CONTENT
"prefix=\${pcfiledir}/../..
Name: dragoman
Description: Ask databases in plain language
Version: @PROJECT_VERSION@
Libs: -L\${prefix}/lib -ldragoman
Cflags: -I\${prefix}/include
")
install(FILES ${CMAKE_BINARY_DIR}/dragoman.pc DESTINATION lib/pkgconfig)

# Loaded at first use, by a path relative to the program.
install(FILES third_party/duckdb/libduckdb.so DESTINATION lib/dragoman OPTIONAL)
install(FILES third_party/duckdb/LICENSE RENAME LICENSE.duckdb DESTINATION lib/dragoman OPTIONAL)

install(FILES docs/man/dragoman.1 DESTINATION share/man/man1 OPTIONAL)

# The program writes its own completions, so they cannot be out of date.
if(TARGET dragoman)
  set(completions "")
  foreach(shell bash zsh fish)
    set(file ${CMAKE_BINARY_DIR}/completions/dragoman.${shell})
    add_custom_command(OUTPUT ${file} DEPENDS dragoman VERBATIM
                       COMMAND ${CMAKE_COMMAND} -E make_directory ${CMAKE_BINARY_DIR}/completions
                       COMMAND $<TARGET_FILE:dragoman> completion ${shell} > ${file})
    list(APPEND completions ${file})
  endforeach()
  add_custom_target(completions DEPENDS ${completions})
  install(FILES ${CMAKE_BINARY_DIR}/completions/dragoman.bash RENAME dragoman
          DESTINATION share/bash-completion/completions)
  install(FILES ${CMAKE_BINARY_DIR}/completions/dragoman.zsh RENAME _dragoman
          DESTINATION share/zsh/site-functions)
  install(FILES ${CMAKE_BINARY_DIR}/completions/dragoman.fish
          DESTINATION share/fish/vendor_completions.d)
endif()
