/* The coverage of a question over a schema that the parser may have prepared already. */
#include "parser/coverage/coverage.h"
#include "parser/ir/ir_schema.h"
#include "parser/parser_state.h"

bool parser_cover(struct parser *parser, struct arena *arena, struct schema *schema,
                  const struct coverage_request *request, struct coverage_words *out)
{
    struct coverage_request asked = *request;
    if (!parser) {
        const struct ir_schema *ir = ir_schema_new(arena, metrics_schema(arena, schema));
        asked.schema = feature_schema_new(arena, ir);
        return coverage_find(arena, &asked, out);
    }
    struct prepared *prepared = prepared_get(parser, schema);
    asked.schema = prepared->features;
    bool read = coverage_find(arena, &asked, out);
    prepared_put(parser, prepared);
    return read;
}
