# Spreadsheets are read with libzip and expat, which are loaded at first use: only their headers
# are needed here. Without them the build reads no XLSX.
if(DRAGOMAN_XLSX)
  pkg_check_modules(ZIP IMPORTED_TARGET libzip)
  pkg_check_modules(EXPAT IMPORTED_TARGET expat)
endif()
if(DRAGOMAN_XLSX AND ZIP_FOUND AND EXPAT_FOUND)
  target_compile_definitions(dgm_datasource PUBLIC DRAGOMAN_HAS_XLSX)
  target_include_directories(dgm_datasource PRIVATE ${ZIP_INCLUDE_DIRS} ${EXPAT_INCLUDE_DIRS})
else()
  message(STATUS "XLSX: not in this build (install libzip and expat, then configure again)")
  file(GLOB xlsx_sources ${CMAKE_SOURCE_DIR}/src/datasource/files/xlsx/*.c)
  list(FILTER xlsx_sources EXCLUDE REGEX "/spreadsheet\\.c$") # has a form for builds without XLSX
  set_source_files_properties(${xlsx_sources} PROPERTIES HEADER_FILE_ONLY ON)
endif()
