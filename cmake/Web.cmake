# The page (web/): built by Node, compressed, and taken into the program by the assembler. Without
# Node or its packages (tools/setup brings both) the program is built without a page, and says so.
#
#   dragoman_page(target)   gives it `const struct page_file page_files[]` (server/page.h), and sets
#                           page_packages: a file that names the npm packages in it; "" without a page
option(DRAGOMAN_PAGE "Build the page and embed it" ON)

function(dragoman_page target)
  set(folder ${CMAKE_BINARY_DIR}/generated)
  set(web ${CMAKE_SOURCE_DIR}/web)
  find_program(NODE_PROGRAM node)
  if(DRAGOMAN_PAGE AND NODE_PROGRAM AND EXISTS ${web}/node_modules/.stamp)
    file(GLOB_RECURSE inputs CONFIGURE_DEPENDS ${web}/src/* ${web}/public/* ${web}/tools/*)
    list(APPEND inputs ${web}/index.html ${web}/vite.config.ts ${web}/package-lock.json)
    add_custom_command(
      OUTPUT ${folder}/page_files.c ${folder}/page_files.s ${folder}/page_packages.json
      COMMAND ${NODE_PROGRAM} ${web}/tools/build.mjs ${folder}
      DEPENDS ${inputs}
      COMMENT "Building the page"
      VERBATIM)
    set_source_files_properties(${folder}/page_files.s PROPERTIES OBJECT_DEPENDS
                                ${folder}/page_files.c)
    target_sources(${target} PRIVATE ${folder}/page_files.c ${folder}/page_files.s)
    set(page_packages ${folder}/page_packages.json PARENT_SCOPE)
  else()
    if(DRAGOMAN_PAGE)
      message(STATUS "Without the page: Node or web/node_modules is missing (tools/setup build)")
    endif()
    file(CONFIGURE OUTPUT ${folder}/page_none.c @ONLY CONTENT
"/* Written by cmake/Web.cmake: there is no page. */
#include \"server/page.h\"

const struct page_file page_files[] = {{0, 0, 0, 0, 0, 0}};
")
    target_sources(${target} PRIVATE ${folder}/page_none.c)
  endif()
endfunction()

set(page_packages "")
dragoman_page(dgm_server)
