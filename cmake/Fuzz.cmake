# tests/fuzz/fuzz_*.c: one libFuzzer program each, linked with every layer below the doors.
file(GLOB fuzz_sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/tests/fuzz/fuzz_*.c)
foreach(source ${fuzz_sources})
  get_filename_component(target ${source} NAME_WE)
  add_executable(${target} ${source})
  target_link_libraries(${target} PRIVATE dgm_service)
  target_compile_options(${target} PRIVATE -Wno-missing-prototypes)
  target_link_options(${target} PRIVATE -fsanitize=fuzzer,address,undefined)
endforeach()
