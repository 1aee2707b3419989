# The judge of the guard by real engines: tests/fuzz/oracle/oracle.c tells how it is run. A short look
# is a test; tools/fuzz gives it more time.
file(GLOB oracle_sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/*.c)
add_executable(oracle ${oracle_sources})
target_link_libraries(oracle PRIVATE dgm_datasource PkgConfig::SQLITE)
foreach(engine sqlite duckdb)
  add_test(NAME fuzz/oracle/${engine} COMMAND oracle ${engine} --statements 2000
           --corpus ${CMAKE_SOURCE_DIR}/attacks/${engine}.txt)
  set_tests_properties(fuzz/oracle/${engine} PROPERTIES LABELS fuzz TIMEOUT 1200
                       SKIP_RETURN_CODE 77)
endforeach()

# The same by private servers: tests/fuzz/oracle/servers/main.c.
file(GLOB server_sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/servers/*.c)
if(NOT DRAGOMAN_HAS_POSTGRES)
  list(FILTER server_sources EXCLUDE REGEX "/postgres[^/]*\\.c$")
endif()
if(NOT DRAGOMAN_HAS_MYSQL)
  list(FILTER server_sources EXCLUDE REGEX "/mysql[^/]*\\.c$")
endif()
add_executable(oracle_servers ${server_sources} ${CMAKE_CURRENT_LIST_DIR}/dice.c)
target_include_directories(oracle_servers PRIVATE ${CMAKE_CURRENT_LIST_DIR})
target_link_libraries(oracle_servers PRIVATE dgm_datasource)
target_compile_definitions(oracle_servers PRIVATE
  DRAGOMAN_CHDB="${CMAKE_SOURCE_DIR}/third_party/chdb"
  DRAGOMAN_POSTGRES_SERVER="${CMAKE_SOURCE_DIR}/tests/conformance/datasource/postgres-server"
  DRAGOMAN_MYSQL_SERVER="${CMAKE_SOURCE_DIR}/tests/conformance/datasource/mysql-server")
if(DRAGOMAN_HAS_POSTGRES)
  target_link_libraries(oracle_servers PRIVATE PkgConfig::LIBPQ)
endif()
if(DRAGOMAN_HAS_MYSQL)
  target_link_libraries(oracle_servers PRIVATE PkgConfig::LIBMARIADB)
endif()
# postgres-own: the same PostgreSQL for a datasource that sets allow_own_types.
foreach(engine postgres postgres-own mysql clickhouse)
  set(judged oracle_servers ${engine} --root ${CMAKE_SOURCE_DIR})
  set(proof ${CMAKE_CURRENT_LIST_DIR}/servers/${engine}.proof)
  add_test(NAME fuzz/oracle/${engine} COMMAND ${judged} --statements 3000)
  set_tests_properties(fuzz/oracle/${engine} PROPERTIES LABELS fuzz TIMEOUT 1200
                       SKIP_RETURN_CODE 77)
  if(EXISTS ${proof})
    add_test(NAME fuzz/oracle/${engine}-proof COMMAND ${judged} --prove ${proof})
    set_tests_properties(fuzz/oracle/${engine}-proof PROPERTIES LABELS fuzz TIMEOUT 1200
                         SKIP_RETURN_CODE 77)
  endif()
endforeach()
