# Single sign-on with an issuer that is not ours, which is installed by a first step.
find_program(NODE_PROGRAM node)
find_program(NPM_PROGRAM npm)
if(TARGET dragoman AND NODE_PROGRAM AND NPM_PROGRAM)
  add_test(NAME e2e/oidc/install COMMAND ${CMAKE_CURRENT_LIST_DIR}/install)
  set_tests_properties(e2e/oidc/install PROPERTIES LABELS e2e TIMEOUT 1200
                       FIXTURES_SETUP oidc_issuer)
  add_test(NAME e2e/oidc
           COMMAND bash ${CMAKE_CURRENT_LIST_DIR}/run.sh $<TARGET_FILE:dragoman>
                   ${CMAKE_BINARY_DIR}/e2e_cli)
  set_tests_properties(e2e/oidc PROPERTIES LABELS e2e TIMEOUT 1200
                       FIXTURES_REQUIRED oidc_issuer)
  add_test(NAME e2e/oidc/attacks
           COMMAND bash ${CMAKE_CURRENT_LIST_DIR}/attacks.sh $<TARGET_FILE:dragoman>
                   ${CMAKE_BINARY_DIR}/e2e_cli)
  set_tests_properties(e2e/oidc/attacks PROPERTIES LABELS e2e TIMEOUT 1200
                       FIXTURES_REQUIRED oidc_issuer)
  if(DRAGOMAN_HAS_POSTGRES)
    add_test(NAME e2e/oidc/replicas
             COMMAND bash ${CMAKE_CURRENT_LIST_DIR}/replicas.sh $<TARGET_FILE:dragoman>
                     ${CMAKE_BINARY_DIR}/e2e_cli
                     ${CMAKE_SOURCE_DIR}/tests/conformance/datasource/postgres-server)
    set_tests_properties(e2e/oidc/replicas PROPERTIES LABELS e2e TIMEOUT 1200 COST 60
                         SKIP_RETURN_CODE 77 FIXTURES_REQUIRED oidc_issuer)
  endif()
  if(DRAGOMAN_SANITIZE) # a browser beside a sanitizer takes minutes, and sees no more
    set_tests_properties(e2e/oidc PROPERTIES ENVIRONMENT OIDC_BROWSER=no)
  endif()
endif()
