# The test of spreadsheets makes its own, so it is linked with the library that packs them.
if(ZIP_FOUND)
  target_link_libraries(unit_datasource_test_xlsx PRIVATE PkgConfig::ZIP)
  target_link_libraries(unit_datasource_test_files_xlsx PRIVATE PkgConfig::ZIP)
  target_link_libraries(unit_datasource_test_dataset_bounds PRIVATE PkgConfig::ZIP)
endif()
