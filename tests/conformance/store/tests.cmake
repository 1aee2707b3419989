# The same programs again, on a PostgreSQL of their own.
if(DRAGOMAN_HAS_POSTGRES)
  add_test(NAME conformance/store/postgres
           COMMAND ${CMAKE_CURRENT_LIST_DIR}/on-postgres
                   $<TARGET_FILE:conformance_store_test_store>
                   $<TARGET_FILE:conformance_store_test_kept>
                   $<TARGET_FILE:conformance_store_test_postgres>
                   $<TARGET_FILE:conformance_store_test_shared>
                   $<TARGET_FILE:unit_store_test_answered>
                   $<TARGET_FILE:unit_store_test_lesson>
                   $<TARGET_FILE:unit_service_test_progress>)
  set_tests_properties(conformance/store/postgres PROPERTIES LABELS conformance COST 20
                       TIMEOUT 1200 SKIP_RETURN_CODE 77)
endif()
