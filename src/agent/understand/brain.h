/*
 * The built-in parser as the instance shares it: opened by the first question that wants it,
 * so that whoever asks a model pays nothing for it. Any thread may call.
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

/* store: keeps the cells for the next process, if the options let it; or NULL. */
struct brain *brain_new(const struct options *options, struct store *store);
void brain_free(struct brain *brain); /* NULL is fine */
/* NULL with the reason when there is none in this build, or its weights are unusable. */
struct parser *brain_parser(struct brain *brain, struct err *err);
/* The cells that words of a question may mean. */
struct value_index_cache *brain_values(struct brain *brain);
/* The schemas as the parser sees them, whether it is open or not. */
struct parser_schemas *brain_schemas(struct brain *brain);

#endif
