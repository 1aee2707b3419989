/* The built-in parser as the instance shares it. */
#include "agent/understand/brain.h"

#include <pthread.h>

#include "base/memory.h"
#include "base/str.h"
#include "knowledge/value_index/value_index.h"
#include "parser/parser.h"

struct brain {
    const struct options *options;
    struct value_index_cache *values;
    struct parser_schemas *schemas;
    pthread_mutex_t lock; /* guards the rest */
    bool tried;           /* to open it: a file that is broken is not read again */
    struct parser *parser;
    struct err error;
};

struct brain *brain_new(const struct options *options, struct store *store)
{
    struct brain *brain = memory_alloc(sizeof *brain);
    brain->options = options;
    const struct value_index_keeping keeping = {
        .store = store,
        .stored = options->knowledge_values,
        .ttl_s = options->knowledge_values_ttl_s,
    };
    brain->values = value_index_cache_new(&keeping);
    brain->schemas = parser_schemas_new();
    (void)pthread_mutex_init(&brain->lock, NULL);
    err_clear(&brain->error);
    return brain;
}

void brain_free(struct brain *brain)
{
    if (brain) {
        parser_close(brain->parser);
        parser_schemas_free(brain->schemas);
        value_index_cache_free(brain->values);
        (void)pthread_mutex_destroy(&brain->lock);
        memory_free(brain);
    }
}

struct parser *brain_parser(struct brain *brain, struct err *err)
{
    const char *weights = brain->options->parser_weights;
    (void)pthread_mutex_lock(&brain->lock);
    if (!brain->tried) {
        brain->tried = true;
        brain->parser = str_empty(weights) ? parser_built_in(&brain->error)
                                           : parser_open(weights, &brain->error);
        if (brain->parser) {
            parser_share(brain->parser, brain->schemas);
        }
    }
    struct parser *parser = brain->parser;
    if (!parser) {
        *err = brain->error;
    }
    (void)pthread_mutex_unlock(&brain->lock);
    return parser;
}

struct value_index_cache *brain_values(struct brain *brain)
{
    return brain->values;
}

struct parser_schemas *brain_schemas(struct brain *brain)
{
    return brain->schemas;
}
