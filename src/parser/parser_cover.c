/* The coverage of a question over a schema that may be prepared already. */
#include "parser/coverage/coverage.h"
#include "parser/parser_state.h"

bool parser_cover(struct parser_schemas *schemas, struct arena *arena,
                  struct schema *schema, const struct coverage_request *request,
                  struct coverage_words *out)
{
    struct coverage_request asked = *request;
    struct prepared *prepared = prepared_get(schemas, schema);
    asked.schema = prepared->features;
    asked.network = request->parser ? request->parser->network : NULL;
    bool read = coverage_find(arena, &asked, out);
    prepared_put(schemas, prepared);
    return read;
}
