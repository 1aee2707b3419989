/* A prompt in, the JSON that it asks for out. */
#ifndef DGM_TESTS_REPLY_H
#define DGM_TESTS_REPLY_H

#include "base/json.h"

struct arena;
struct parser;

/* properties: of the reply's JSON schema, or NULL when the request has none. */
char *reply_make(struct parser *parser, struct arena *arena, const char *user,
                 const json_t *properties);

#endif
