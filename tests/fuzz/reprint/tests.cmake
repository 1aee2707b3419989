# Damaged statements read, printed and read again, judged by the engines' own parsers. A short look is a
# test; `build/reprint ENGINE --seconds 600` takes a longer one.
file(GLOB reprint_sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/*.c)
add_executable(reprint ${reprint_sources} ${CMAKE_SOURCE_DIR}/tests/fuzz/oracle/dice.c)
target_include_directories(reprint PRIVATE ${CMAKE_SOURCE_DIR}/tests)
target_link_libraries(reprint PRIVATE dgm_sql PkgConfig::SQLITE ${CMAKE_DL_LIBS})
if(DRAGOMAN_HAS_MYSQL)
  target_sources(reprint PRIVATE ${CMAKE_SOURCE_DIR}/tests/fuzz/oracle/servers/place.c)
  target_link_libraries(reprint PRIVATE dgm_datasource PkgConfig::LIBMARIADB)
  target_compile_definitions(reprint PRIVATE
    DRAGOMAN_MYSQL_SERVER="${CMAKE_SOURCE_DIR}/tests/conformance/datasource/mysql-server")
endif()
if(DRAGOMAN_HAS_PG_QUERY)
  target_compile_definitions(reprint PRIVATE DRAGOMAN_HAS_PG_QUERY)
endif()
if(DRAGOMAN_HAS_DUCKDB)
  target_compile_definitions(reprint PRIVATE DRAGOMAN_HAS_DUCKDB)
  target_include_directories(reprint SYSTEM PRIVATE ${CMAKE_SOURCE_DIR}/third_party/duckdb)
endif()
foreach(engine sqlite duckdb postgres mysql clickhouse bigquery odbc)
  add_test(NAME fuzz/reprint/${engine} COMMAND reprint ${engine} --statements 50000
           --root ${CMAKE_SOURCE_DIR})
  set_tests_properties(fuzz/reprint/${engine} PROPERTIES LABELS fuzz TIMEOUT 300
                       SKIP_RETURN_CODE 77)
endforeach()
