# Questions through the model's path, answered by our own parser behind the OpenAI protocol:
# prompts are proven to carry what a model needs.
if(TARGET dragoman AND DRAGOMAN_PARSER)
  set(parser_behind_openai ${CMAKE_CURRENT_LIST_DIR})
  add_executable(parser_behind_openai ${parser_behind_openai}/server.c
                 ${parser_behind_openai}/reply.c ${parser_behind_openai}/prompt.c)
  target_link_libraries(parser_behind_openai PRIVATE dgm_parser)
  # How many are right is the same with sanitizers, which see all they can in a few questions.
  set(how_many 50 10)
  if(DRAGOMAN_SANITIZE)
    set(how_many 10 5)
  endif()
  add_test(NAME e2e/parser-behind-openai
           COMMAND bash ${parser_behind_openai}/run.sh $<TARGET_FILE:dragoman>
                   $<TARGET_FILE:parser_behind_openai> ${how_many})
  set_tests_properties(e2e/parser-behind-openai PROPERTIES LABELS e2e TIMEOUT 1200)
endif()
