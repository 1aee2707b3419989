# PostgreSQL's own parser judges after the guard's. It is loaded at first use: only its header is
# needed here. Without it the guard's own parser decides alone, and the doctor says so.
include(CheckIncludeFile)
check_include_file(pg_query.h DRAGOMAN_HAS_PG_QUERY)
if(DRAGOMAN_HAS_PG_QUERY)
  target_compile_definitions(dgm_sql PRIVATE DRAGOMAN_HAS_PG_QUERY)
else()
  message(STATUS "libpg_query: not in this build (install libpg-query-dev, then configure again)")
endif()
