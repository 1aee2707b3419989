/* One question into features and target. */
#include <string.h>

#include "datasource/datasource.h"
#include "knowledge/keys/key_find.h"
#include "parser/dump/dump_state.h"
#include "parser/ir/ir_schema.h"
#include "parser/link/linker.h"
#include "parser/from_sql/sql_to_ir.h"

enum { CANDIDATES_FIRST = IR_KEYWORD_COUNT + IR_FIXED_COUNT };

void dump_database_open(struct dump_database *database)
{
    struct datasource_setting setting = {.id = database->name, .url = database->path};
    struct err *err = &database->err;
    struct datasource *source = datasource_open(&setting, database->options, err);
    if (!source) {
        return;
    }
    database->schema = datasource_describe(source, NULL, err);
    if (database->schema) {
        struct err ignored;
        err_clear(&ignored);
        schema_normalize(database->schema);
        (void)datasource_enrich(source, database->schema, NULL, &ignored);
        key_find(source, database->schema, NULL);
        database->index = value_index_build(source, database->schema, NULL, NULL, err);
    }
    if (database->index) {
        const struct ir_schema *flat = ir_schema_new(database->arena, database->schema);
        database->features = feature_schema_new(database->arena, flat);
    }
    datasource_close(source);
}

void dump_database_close(struct dump_database *database)
{
    value_index_unref(database->index);
    arena_free(database->arena);
    schema_unref(database->schema);
}

static struct ir_token find_value(void *context, const char *literal, bool is_text)
{
    return values_token(context, literal, is_text);
}

/* A token's place among the network's outputs; -1 when it was not selected. */
static int output_of(const struct features *features, struct ir_token token)
{
    int first[] = {
        [IR_KEYWORD] = 0,
        [IR_FIXED] = IR_KEYWORD_COUNT,
        [IR_VALUE] = CANDIDATES_FIRST + (int)features->tokens.count,
        [IR_TABLE] =
            CANDIDATES_FIRST + (int)(features->tokens.count + features->values.count),
        [IR_COLUMN] =
            CANDIDATES_FIRST + (int)(features->tokens.count + features->values.count +
                                     features->selection.table_count),
    };
    int at = token.kind == IR_TABLE    ? features_table_at(features, token.index)
             : token.kind == IR_COLUMN ? features_column_at(features, token.index)
                                       : token.index;
    return at < 0 ? -1 : first[token.kind] + at;
}

/* How surely the question names a column: its strongest code of any word. */
static enum link_code strongest_link(const struct features *features, int column)
{
    enum link_code strongest = LINK_NONE;
    int at = features_column_at(features, column);
    size_t place = features->tokens.count + features->values.count +
                   features->selection.table_count + (size_t)at;
    for (size_t i = 0; at >= 0 && i < features->relations.count; i++) {
        const struct feature_relation *relation = &features->relations.items[i];
        enum link_code code = link_of_relation(relation->code);
        if (relation->column == place && code != LINK_NONE &&
            (strongest == LINK_NONE || code < strongest)) {
            strongest = code;
        }
    }
    return strongest;
}

static void count_token(struct dump_example *example, const struct ir_tokens *tokens,
                        size_t at)
{
    struct ir_token token = tokens->items[at];
    example->values += token.kind == IR_VALUE || token.kind == IR_FIXED;
    if (token.kind != IR_COLUMN || token.index == 0) {
        return;
    }
    for (size_t i = 0; i < at; i++) {
        if (tokens->items[i].kind == IR_COLUMN && tokens->items[i].index == token.index) {
            return;
        }
    }
    example->columns++;
    example->linked[strongest_link(&example->features, token.index)]++;
}

static void make_target(struct arena *arena, struct dump_example *example)
{
    struct sql_to_ir_result result = {0};
    struct err err;
    err_clear(&err);
    const struct sql_to_ir_request request = {
        .schema = feature_schema_get(example->database->features),
        .dialect = DIALECT_SQLITE,
        .question = example->question->question,
        .find_value = find_value,
        .context = &example->features.values,
    };
    if (!example->question->query ||
        !sql_to_ir(arena, &request, example->question->query, &result, &err)) {
        return;
    }
    const struct ir_tokens *tokens = &result.tokens;
    example->target = arena_array(arena, tokens->count, sizeof *example->target);
    for (size_t i = 0; i < tokens->count; i++) {
        int output = output_of(&example->features, tokens->items[i]);
        if (output < 0) {
            example->left_out = true;
            return;
        }
        example->target[i] = (uint16_t)output;
        count_token(example, tokens, i);
    }
    example->target_count = tokens->count;
    example->value_missing = result.value_missing;
    example->has_target = true;
}

void dump_example_make(struct arena *arena, struct dump_example *example)
{
    struct tokens words;
    tokens_split(arena, example->question->question, &words);
    features_build_after(arena, example->database->features, example->database->index,
                         &example->question->history, example->question->question, &words,
                         &example->features);
    make_target(arena, example);
}
