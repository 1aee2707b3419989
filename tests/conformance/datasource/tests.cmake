# One suite over every datasource driver; a test for each.
file(GLOB datasource_suite CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/*.c)
if(NOT DRAGOMAN_HAS_DUCKDB)
  list(FILTER datasource_suite EXCLUDE REGEX "(kind_duckdb|kind_files|suite_files)\\.c$")
endif()
if(NOT DRAGOMAN_HAS_POSTGRES)
  list(FILTER datasource_suite EXCLUDE REGEX "(kind|suite|leftovers)_postgres(_own)?\\.c$")
endif()
if(NOT DRAGOMAN_HAS_MYSQL)
  list(FILTER datasource_suite EXCLUDE REGEX "(kind|suite|leftovers)_mysql(_stop)?\\.c$")
endif()
if(NOT DRAGOMAN_HAS_MONGODB)
  list(FILTER datasource_suite EXCLUDE REGEX "(kind|suite)_mongodb\\.c$")
endif()
# ODBC is tried over the servers of the others.
set(odbc_suite OFF)
if(DRAGOMAN_HAS_ODBC AND DRAGOMAN_HAS_POSTGRES AND DRAGOMAN_HAS_MYSQL)
  set(odbc_suite ON)
else()
  list(FILTER datasource_suite EXCLUDE REGEX "(kind|suite)_odbc\\.c$")
endif()
add_executable(conformance_datasource ${datasource_suite})
if(odbc_suite)
  target_compile_definitions(conformance_datasource PRIVATE DRAGOMAN_ODBC_SUITE)
endif()
target_compile_definitions(conformance_datasource PRIVATE
  DRAGOMAN_EVERYDAY="${CMAKE_SOURCE_DIR}/tests/everyday"
  DRAGOMAN_MONGODB_PEER="${CMAKE_CURRENT_LIST_DIR}/mongodb-peer/server"
  DRAGOMAN_POSTGRES_SERVER="${CMAKE_CURRENT_LIST_DIR}/postgres-server"
  DRAGOMAN_MYSQL_SERVER="${CMAKE_CURRENT_LIST_DIR}/mysql-server"
  DRAGOMAN_CHDB="${CMAKE_SOURCE_DIR}/third_party/chdb"
  DRAGOMAN_CLICKHOUSE_TODAY="${CMAKE_CURRENT_LIST_DIR}/clickhouse-today.cjs"
  DRAGOMAN_BIGQUERY_PEER="${CMAKE_CURRENT_LIST_DIR}/bigquery-peer.cjs"
  DRAGOMAN_CLICKHOUSE_SERVER="${CMAKE_CURRENT_LIST_DIR}/clickhouse-server")
target_include_directories(conformance_datasource PRIVATE ${CMAKE_SOURCE_DIR}/tests)
target_link_libraries(conformance_datasource PRIVATE dgm_parser PkgConfig::CMOCKA)
if(DRAGOMAN_HAS_POSTGRES)
  target_link_libraries(conformance_datasource PRIVATE PkgConfig::LIBPQ)
endif()
if(DRAGOMAN_HAS_MYSQL)
  target_link_libraries(conformance_datasource PRIVATE PkgConfig::LIBMARIADB)
endif()
foreach(driver sqlite duckdb files postgres mysql clickhouse bigquery mongodb
               odbc-postgres odbc-mysql odbc-sqlite)
  add_test(NAME conformance/datasource/${driver} COMMAND conformance_datasource ${driver})
  set_tests_properties(conformance/datasource/${driver} PROPERTIES LABELS conformance COST 100
                       TIMEOUT 1200 SKIP_RETURN_CODE 77)
endforeach()

# Each of these keeps a MariaDB busy; side by side they only wait for each other.
set_tests_properties(conformance/datasource/mysql conformance/datasource/odbc-mysql
                     PROPERTIES RESOURCE_LOCK mariadb)

# Drivers of others lose some memory of their own, and convert text by the locale.
set_tests_properties(conformance/datasource/odbc-postgres conformance/datasource/odbc-mysql
                     conformance/datasource/odbc-sqlite PROPERTIES ENVIRONMENT
                     "LC_ALL=C;LSAN_OPTIONS=suppressions=${CMAKE_CURRENT_LIST_DIR}/odbc-drivers.lsan")

# The oldest library that is supported, when tools/duckdb/fetch --previous has brought it.
set(previous_duckdb ${CMAKE_SOURCE_DIR}/third_party/duckdb-previous/libduckdb.so)
if(DRAGOMAN_HAS_DUCKDB AND EXISTS ${previous_duckdb})
  add_test(NAME conformance/datasource/duckdb-previous
           COMMAND conformance_datasource duckdb)
  set_tests_properties(conformance/datasource/duckdb-previous PROPERTIES LABELS long
                       TIMEOUT 1200 ENVIRONMENT DRAGOMAN_DUCKDB_LIBRARY=${previous_duckdb})
endif()

# ClickHouse's dialect of today: an engine of 570 MB, brought by tools/chdb/fetch.
add_test(NAME conformance/datasource/clickhouse-today
         COMMAND conformance_datasource clickhouse-today)
set_tests_properties(conformance/datasource/clickhouse-today PROPERTIES LABELS long
                     TIMEOUT 1200 SKIP_RETURN_CODE 77)
