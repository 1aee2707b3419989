# Every example that a document shows in a ```console block is run.
if(TARGET dragoman)
  set(documents README.md docs/features.md)
  if(DRAGOMAN_HAS_DUCKDB)
    list(APPEND documents docs/recipes/ask-files.md docs/recipes/import-files.md)
  endif()
  foreach(document ${documents})
    add_test(NAME e2e/readme/${document}
             COMMAND ${CMAKE_CURRENT_LIST_DIR}/run.sh $<TARGET_FILE:dragoman>
                     ${CMAKE_SOURCE_DIR}/${document} ${CMAKE_CURRENT_LIST_DIR}/model.script)
    set_tests_properties(e2e/readme/${document} PROPERTIES LABELS e2e TIMEOUT 1200)
  endforeach()
endif()
