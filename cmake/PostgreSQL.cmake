# The PostgreSQL driver and the store in PostgreSQL are built where libpq is (libpq-dev); without it the build has none,
# and says so when such a URL is opened. Only the header is used: the library is loaded at
# first use.
set(DRAGOMAN_HAS_POSTGRES OFF)
if(DRAGOMAN_POSTGRES)
  pkg_check_modules(LIBPQ QUIET IMPORTED_TARGET libpq>=14)
endif()
if(DRAGOMAN_POSTGRES AND LIBPQ_FOUND)
  set(DRAGOMAN_HAS_POSTGRES ON)
  target_include_directories(dgm_base SYSTEM PRIVATE ${LIBPQ_INCLUDE_DIRS})
  target_include_directories(dgm_store SYSTEM PUBLIC ${LIBPQ_INCLUDE_DIRS})
  target_compile_definitions(dgm_store PUBLIC DRAGOMAN_HAS_POSTGRES)
  target_include_directories(dgm_datasource SYSTEM PUBLIC ${LIBPQ_INCLUDE_DIRS})
  target_compile_definitions(dgm_datasource PUBLIC DRAGOMAN_HAS_POSTGRES)
else()
  message(STATUS "PostgreSQL: not in this build (install libpq-dev, then configure again)")
  file(GLOB postgres_sources ${CMAKE_SOURCE_DIR}/src/datasource/postgres/*.c
       ${CMAKE_SOURCE_DIR}/src/store/postgres/*.c ${CMAKE_SOURCE_DIR}/src/base/libpq.c)
  set_source_files_properties(${postgres_sources} PROPERTIES HEADER_FILE_ONLY ON)
endif()
