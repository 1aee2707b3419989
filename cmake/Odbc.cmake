# The ODBC driver is built where unixODBC is (unixodbc-dev); without it the build has none,
# and says so when such a source is opened. Only the headers are used: the library is loaded
# at first use.
set(DRAGOMAN_HAS_ODBC OFF)
if(DRAGOMAN_ODBC)
  pkg_check_modules(UNIXODBC QUIET odbc)
endif()
if(DRAGOMAN_ODBC AND UNIXODBC_FOUND)
  set(DRAGOMAN_HAS_ODBC ON)
  target_include_directories(dgm_datasource SYSTEM PUBLIC ${UNIXODBC_INCLUDE_DIRS})
  target_compile_definitions(dgm_datasource PUBLIC DRAGOMAN_HAS_ODBC)
else()
  message(STATUS "ODBC: not in this build (install unixodbc-dev, then configure again)")
  file(GLOB odbc_sources ${CMAKE_SOURCE_DIR}/src/datasource/odbc/*.c)
  set_source_files_properties(${odbc_sources} PROPERTIES HEADER_FILE_ONLY ON)
endif()
