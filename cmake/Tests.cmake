# The tests. Three ways to add one, none of which needs a change here:
# - tests/unit/<layer>/test_*.c: a cmocka program, linked with its layer and those below it;
# - tests/conformance/<layer>/test_*.c: the same, for suites that run over every driver; other
#   .c files in such a folder are shared by its programs;
# - tests/<kind>/<name>/tests.cmake: says add_test() itself.
# Label a test "long" to keep it out of `make test` (it runs in `make test-long`).
pkg_check_modules(CMOCKA REQUIRED IMPORTED_TARGET cmocka)

foreach(kind unit conformance)
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/tests/${kind}/*/test_*.c)
  foreach(source ${sources})
    get_filename_component(name ${source} NAME_WE)
    get_filename_component(folder ${source} DIRECTORY)
    get_filename_component(layer ${folder} NAME)
    file(GLOB helpers CONFIGURE_DEPENDS ${folder}/*.c)
    list(FILTER helpers EXCLUDE REGEX "/test_[^/]*\\.c$")
    set(target ${kind}_${layer}_${name})
    add_executable(${target} ${source} ${helpers})
    target_include_directories(${target} PRIVATE ${CMAKE_SOURCE_DIR}/tests)
    target_link_libraries(${target} PRIVATE dgm_${layer} PkgConfig::CMOCKA)
    if(TARGET dragoman AND NOT layer MATCHES "^(base|model|sql|prompt|store|llm)$")
      add_dependencies(${target} dragoman) # it runs DuckDB for them
    endif()
    add_test(NAME ${kind}/${layer}/${name} COMMAND ${target})
    set_tests_properties(${kind}/${layer}/${name} PROPERTIES LABELS ${kind} TIMEOUT 1200
                         WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
  endforeach()
endforeach()

file(GLOB suites CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/tests/*/tests.cmake
     ${CMAKE_SOURCE_DIR}/tests/*/*/tests.cmake)
foreach(suite ${suites})
  include(${suite})
endforeach()

# The longest begin first, so that none of them ends alone on one core (tests/faults, tests/conformance
# and e2e/server's replicas say so of theirs); before them what others wait for: installed clients, and
# tests that share a lock and so run one after the other.
function(begin_early cost)
  foreach(test ${ARGN})
    if(TEST ${test})
      set_tests_properties(${test} PROPERTIES COST ${cost})
    endif()
  endforeach()
endfunction()
begin_early(90 e2e/oidc/install e2e/mcp/packages e2e/openai/install e2e/contract/install e2e/page
            e2e/attacks/postgres e2e/attacks/local e2e/attacks/odbc-postgres e2e/attacks/odbc-mysql
            packages/deb packages/python packages/npm packages/image)
begin_early(80 e2e/oidc/attacks e2e/server/killed e2e/server/stops e2e/cli/secrets e2e/server/flows
            e2e/server/openai e2e/server/slow_reader faults/mcp faults/openai faults/stop faults/odd_replies
            fuzz/oracle/duckdb unit/service/test_dataset train/synth)
begin_early(50 e2e/parser-behind-openai e2e/server/keys e2e/server/datasets e2e/server/settings
            e2e/server/fair e2e/server/more e2e/server/cage e2e/server/headings e2e/cli/fresh e2e/cli/eval
            e2e/mcp/inspector e2e/mcp/streams everyday/questions conformance/llm/test_llm
            conformance/store/postgres conformance/store/test_store unit/service/test_parser_brain
            unit/datasource/test_restrict unit/datasource/test_dataset_bounds unit/datasource/test_engine
            case/later_turns_change_one_thing case/derived_metric)
