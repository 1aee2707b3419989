# The server, asked over real HTTP.
if(TARGET dragoman)
  add_executable(e2e_server_speaker ${CMAKE_CURRENT_LIST_DIR}/speaker.c)
  set_target_properties(e2e_server_speaker PROPERTIES RUNTIME_OUTPUT_DIRECTORY
                        ${CMAKE_BINARY_DIR}/e2e_cli)
  add_executable(e2e_server_strict ${CMAKE_CURRENT_LIST_DIR}/strict.c)
  set_target_properties(e2e_server_strict PROPERTIES RUNTIME_OUTPUT_DIRECTORY
                        ${CMAKE_BINARY_DIR}/e2e_cli)
  add_executable(e2e_server_uploads ${CMAKE_CURRENT_LIST_DIR}/uploads.c)
  set_target_properties(e2e_server_uploads PROPERTIES RUNTIME_OUTPUT_DIRECTORY
                        ${CMAKE_BINARY_DIR}/e2e_cli)
  add_library(e2e_server_stuck SHARED ${CMAKE_CURRENT_LIST_DIR}/stuck.c)
  target_link_libraries(e2e_server_stuck PRIVATE PkgConfig::SQLITE ${CMAKE_DL_LIBS})
  set_target_properties(e2e_server_stuck PROPERTIES LIBRARY_OUTPUT_DIRECTORY
                        ${CMAKE_BINARY_DIR}/e2e_cli)
  foreach(name ask drain keys killed input parts agents datasets flows headings sentence injection more openai slow_reader stops settings shares limits cage strict fair uploads)
    add_test(NAME e2e/server/${name}
             COMMAND bash ${CMAKE_CURRENT_LIST_DIR}/${name}.sh $<TARGET_FILE:dragoman>
                     ${CMAKE_BINARY_DIR}/e2e_cli)
    set_tests_properties(e2e/server/${name} PROPERTIES LABELS e2e TIMEOUT 1200)
  endforeach()
  # A sanitizer keeps what was freed, so the release build judges the memory: fewer clients are enough there.
  if(DRAGOMAN_SANITIZE)
    set_tests_properties(e2e/server/slow_reader PROPERTIES ENVIRONMENT
                         "SLOW_READER_CLIENTS=6;SLOW_READER_MB=400;ASAN_OPTIONS=quarantine_size_mb=8")
  endif()
  # Loaded into a server: built plainly also where the server has a sanitizer.
  add_library(e2e_server_intruder SHARED ${CMAKE_CURRENT_LIST_DIR}/intruder.c)
  set_target_properties(e2e_server_intruder PROPERTIES LIBRARY_OUTPUT_DIRECTORY
                        ${CMAKE_BINARY_DIR}/e2e_cli C_VISIBILITY_PRESET default)
  target_compile_options(e2e_server_intruder PRIVATE -fno-sanitize=all)
  target_link_options(e2e_server_intruder PRIVATE -fno-sanitize=all)
  # Replicas on a PostgreSQL of their own, behind a proxy.
  if(DRAGOMAN_HAS_POSTGRES)
    add_executable(e2e_server_round_robin ${CMAKE_CURRENT_LIST_DIR}/round_robin.c)
    set_target_properties(e2e_server_round_robin PROPERTIES RUNTIME_OUTPUT_DIRECTORY
                          ${CMAKE_BINARY_DIR}/e2e_cli)
    target_link_libraries(e2e_server_round_robin PRIVATE Threads::Threads)
    foreach(name replicas replicas_limits replicas_shared waits)
      add_test(NAME e2e/server/${name}
               COMMAND bash ${CMAKE_CURRENT_LIST_DIR}/${name}.sh $<TARGET_FILE:dragoman>
                       ${CMAKE_BINARY_DIR}/e2e_cli
                       ${CMAKE_SOURCE_DIR}/tests/conformance/datasource/postgres-server)
      set_tests_properties(e2e/server/${name} PROPERTIES LABELS e2e TIMEOUT 1200 COST 60
                           SKIP_RETURN_CODE 77)
    endforeach()
  endif()
  add_test(NAME e2e/server/rights
           COMMAND bash ${CMAKE_CURRENT_LIST_DIR}/rights.sh $<TARGET_FILE:dragoman>
                   ${CMAKE_BINARY_DIR}/e2e_cli)
  set_tests_properties(e2e/server/rights PROPERTIES LABELS e2e TIMEOUT 1200 SKIP_RETURN_CODE 77)
  foreach(engine postgres mysql)
    add_test(NAME e2e/server/writes_${engine}
             COMMAND bash ${CMAKE_CURRENT_LIST_DIR}/writes.sh $<TARGET_FILE:dragoman>
                     ${CMAKE_BINARY_DIR}/e2e_cli ${engine})
    set_tests_properties(e2e/server/writes_${engine} PROPERTIES LABELS e2e TIMEOUT 1200
                         SKIP_RETURN_CODE 77)
  endforeach()
  set_tests_properties(e2e/server/writes_mysql PROPERTIES RESOURCE_LOCK mariadb)
endif()
