# Files that are part of the program: each is taken in by the assembler as it is (.incbin),
# so a changed file costs one assembler run and no size limit of string literals applies.
#
#   dragoman_embed(TARGET target SYMBOL name FOLDER folder PATTERNS *.mustache …)
#
# gives `const struct embedded_file name[]` (prompt/embedded.h), sorted, ended by a NULL path.
function(dragoman_embed)
  cmake_parse_arguments(EMBED "" "TARGET;SYMBOL;FOLDER" "PATTERNS" ${ARGN})
  set(files "")
  if(EMBED_PATTERNS)
    list(TRANSFORM EMBED_PATTERNS PREPEND ${EMBED_FOLDER}/)
    file(GLOB_RECURSE files CONFIGURE_DEPENDS ${EMBED_PATTERNS})
    list(SORT files)
  endif()
  set(assembly "    .section .rodata\n")
  set(externs "")
  set(rows "")
  set(number 0)
  foreach(file ${files})
    file(RELATIVE_PATH path ${EMBED_FOLDER} ${file})
    set(label ${EMBED_SYMBOL}_${number})
    string(APPEND assembly
           "    .global ${label}\n    .global ${label}_end\n    .hidden ${label}\n"
           "    .hidden ${label}_end\n    .balign 64\n${label}:\n    .incbin \"${file}\"\n"
           "${label}_end:\n    .byte 0\n")
    string(APPEND externs "extern const char ${label}[];\nextern const char ${label}_end[];\n")
    string(APPEND rows "    {\"${path}\", ${label}, ${label}_end},\n")
    math(EXPR number "${number} + 1")
  endforeach()
  string(APPEND assembly "    .section .note.GNU-stack,\"\",%progbits\n")
  set(base ${CMAKE_BINARY_DIR}/generated/${EMBED_SYMBOL})
  file(CONFIGURE OUTPUT ${base}.s CONTENT "${assembly}" @ONLY)
  file(CONFIGURE OUTPUT ${base}.c @ONLY CONTENT
"/* Written by cmake/Embed.cmake. */
#include \"prompt/embedded.h\"

${externs}
const struct embedded_file ${EMBED_SYMBOL}[] = {
${rows}    {0, 0, 0},
};
")
  set_source_files_properties(${base}.s PROPERTIES OBJECT_DEPENDS "${files}")
  target_sources(${EMBED_TARGET} PRIVATE ${base}.s ${base}.c)
endfunction()

dragoman_embed(TARGET dgm_prompt SYMBOL embedded_prompts FOLDER ${CMAKE_SOURCE_DIR}/prompts
               PATTERNS *.mustache *.json)
dragoman_embed(TARGET dgm_lab SYMBOL embedded_attacks FOLDER ${CMAKE_SOURCE_DIR}/attacks
               PATTERNS *.txt)
dragoman_embed(TARGET dgm_parser SYMBOL embedded_lexicon FOLDER ${CMAKE_SOURCE_DIR}/models
               PATTERNS lexicon.bin)

# The parser's weights are used where they lie, in the program's file: no page of them is read
# before the first question that wants them.
set(weights "")
if(DRAGOMAN_PARSER)
  set(weights parser.dgw)
endif()
dragoman_embed(TARGET dgm_parser SYMBOL embedded_weights FOLDER ${CMAKE_SOURCE_DIR}/models
               PATTERNS ${weights})
