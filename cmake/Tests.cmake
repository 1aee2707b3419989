# tests/unit/<layer>/test_*.c: one program each, linked with its layer and those below it.
pkg_check_modules(CMOCKA REQUIRED IMPORTED_TARGET cmocka)

file(GLOB unit_sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/tests/unit/*/test_*.c)
foreach(source ${unit_sources})
  get_filename_component(name ${source} NAME_WE)
  get_filename_component(folder ${source} DIRECTORY)
  get_filename_component(layer ${folder} NAME)
  set(target unit_${layer}_${name})
  add_executable(${target} ${source})
  target_link_libraries(${target} PRIVATE dgm_${layer} PkgConfig::CMOCKA)
  add_test(NAME unit/${layer}/${name} COMMAND ${target})
  set_tests_properties(unit/${layer}/${name} PROPERTIES LABELS unit TIMEOUT 120
                       WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
endforeach()
