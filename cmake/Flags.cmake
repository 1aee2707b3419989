# Warnings, hardening and sanitizers, once for everything.
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release)
endif()

add_compile_options(
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wstrict-prototypes
  -Wmissing-prototypes -Wold-style-definition -Wformat=2 -Wundef -Wvla -Wwrite-strings
  -Wcast-qual -Wpointer-arith -Wdouble-promotion -Wimplicit-fallthrough
  -Wnull-dereference -Wdate-time -fno-common)
if(CMAKE_C_COMPILER_ID STREQUAL "GNU")
  add_compile_options(-Wlogical-op -Wduplicated-cond -Wduplicated-branches)
endif()
if(DRAGOMAN_WERROR)
  add_compile_options(-Werror)
endif()

# The embedded files are assembled; clang would warn of every C flag that means nothing there.
if(CMAKE_ASM_COMPILER_ID MATCHES "Clang" OR CMAKE_C_COMPILER_ID MATCHES "Clang")
  string(APPEND CMAKE_ASM_FLAGS " -Wno-unused-command-line-argument")
endif()

add_compile_definitions(_GNU_SOURCE)
set(CMAKE_C_FLAGS_RELEASE "-O2 -g1 -DNDEBUG")
if(CMAKE_C_FLAGS_DEBUG STREQUAL "-g") # CMake's own default; the presets say what they want
  set(CMAKE_C_FLAGS_DEBUG "-O0 -g3")
endif()

# The same bytes wherever it is built (tools/check-reproducible): no folder of this machine is in them.
# The last map is tried first. Debuggers and coverage want the real names, so only for releases.
if(CMAKE_BUILD_TYPE STREQUAL "Release")
  add_compile_options(-ffile-prefix-map=${CMAKE_SOURCE_DIR}=.
                      -ffile-prefix-map=${CMAKE_BINARY_DIR}=./build)
endif()

# A program that counts what it runs writes that down at its end, also in a sandbox.
if("${CMAKE_C_FLAGS} ${CMAKE_C_FLAGS_DEBUG}" MATCHES "--coverage")
  add_compile_definitions(DRAGOMAN_COVERAGE_FOLDER="${CMAKE_BINARY_DIR}")
endif()

if(DRAGOMAN_SANITIZE)
  add_compile_options(-fsanitize=${DRAGOMAN_SANITIZE} -fno-omit-frame-pointer
                      -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${DRAGOMAN_SANITIZE})
  # The parser's sums are most of what its tests compute: watched all the same, but not at -O1.
  file(GLOB kernels ${CMAKE_SOURCE_DIR}/src/parser/network/kernels/kernels_*.c)
  set_source_files_properties(${kernels} PROPERTIES COMPILE_OPTIONS -O2)
else()
  add_compile_options(-fstack-protector-strong)
  if(CMAKE_BUILD_TYPE STREQUAL "Release")
    add_compile_definitions(_FORTIFY_SOURCE=2)
  endif()
  add_link_options(-Wl,-z,relro -Wl,-z,now -Wl,--as-needed)
endif()
