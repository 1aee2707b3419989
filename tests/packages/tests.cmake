# The packages are made of the build and tried: the quick ones here, in clean roots with the label "long".
if(NOT DRAGOMAN_SANITIZE)
  foreach(name archive deb npm python image)
    add_test(NAME packages/${name} COMMAND bash ${CMAKE_CURRENT_LIST_DIR}/${name}.sh ${CMAKE_SOURCE_DIR} ${CMAKE_BINARY_DIR})
    set_tests_properties(packages/${name} PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 600 RESOURCE_LOCK packages)
  endforeach()
  add_test(NAME packages/deb_root COMMAND bash ${CMAKE_CURRENT_LIST_DIR}/deb_root.sh ${CMAKE_SOURCE_DIR} ${CMAKE_BINARY_DIR})
  set_tests_properties(packages/deb_root PROPERTIES LABELS long SKIP_RETURN_CODE 77 TIMEOUT 1800 RESOURCE_LOCK packages)
endif()
