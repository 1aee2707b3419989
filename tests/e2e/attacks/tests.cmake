# The shipped attacks, played by the product and, with the guard switched off, by a program that only tests
# have: src/lab/selftest/selftest_attacks.c is compiled once more for it, and for nothing else.
if(TARGET dragoman)
  add_executable(unguarded ${CMAKE_CURRENT_LIST_DIR}/unguarded.c
                 ${CMAKE_SOURCE_DIR}/src/lab/selftest/selftest_attacks.c)
  target_compile_definitions(unguarded PRIVATE DRAGOMAN_SELFTEST_WITHOUT_GUARD)
  target_link_libraries(unguarded PRIVATE dgm_lab)
  foreach(engine local postgres mysql odbc-postgres odbc-mysql)
    add_test(NAME e2e/attacks/${engine}
             COMMAND bash ${CMAKE_CURRENT_LIST_DIR}/play.sh ${engine} $<TARGET_FILE:dragoman>
                     $<TARGET_FILE:unguarded>)
    set_tests_properties(e2e/attacks/${engine} PROPERTIES LABELS e2e TIMEOUT 1200
                         SKIP_RETURN_CODE 77 RESOURCE_LOCK attacks)
  endforeach()
  # Drivers of others lose some memory of their own, and convert text by the locale.
  set_tests_properties(e2e/attacks/odbc-postgres e2e/attacks/odbc-mysql PROPERTIES ENVIRONMENT
                       "LC_ALL=C;LSAN_OPTIONS=suppressions=${CMAKE_SOURCE_DIR}/tests/conformance/datasource/odbc-drivers.lsan")
  # One after the other: each looks for files that attacks would leave in shared places.
  set_tests_properties(e2e/attacks/mysql e2e/attacks/odbc-mysql
                       PROPERTIES RESOURCE_LOCK "attacks;mariadb")
endif()
