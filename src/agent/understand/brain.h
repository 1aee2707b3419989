/*
 * The built-in parser, shared by the whole process. The first question that needs it
 * opens it, so that users of a model never load it. Thread-safe.
 */
#ifndef DGM_AGENT_BRAIN_H
#define DGM_AGENT_BRAIN_H

#include "base/err.h"
#include "model/options/options.h"

struct brain;
struct parser;
struct parser_schemas;
struct store;
struct value_index_cache;

/* store: where cells are kept for later processes, if the options allow it; or NULL. */
struct brain *brain_new(const struct options *options, struct store *store);
void brain_free(struct brain *brain); /* NULL is fine */
/* NULL and err if this build has no parser, or its weights cannot be used. */
struct parser *brain_parser(struct brain *brain, struct err *err);
/* The cells in which words of a question are searched. */
struct value_index_cache *brain_values(struct brain *brain);
/* The schemas in the parser's form; available even if the parser is not open. */
struct parser_schemas *brain_schemas(struct brain *brain);

#endif
