/*
 * Looks for names, cells and questions that the features cannot bear. layers: parser
 *
 * The first lines of the input are names of tables and columns and cells, the last one is
 * the question. What comes out must be sound, and the same when it is made again.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/vec.h"
#include "knowledge/value_index/value_index.h"
#include "model/schema.h"
#include "parser/link/features/features.h"
#include "parser/ir/ir_schema.h"

enum { LINES_MOST = 60, COLUMNS = 4 };

static void expect(bool condition)
{
    if (!condition) {
        abort();
    }
}

static void split_lines(struct arena *arena, const uint8_t *data, size_t size,
                        struct texts *out)
{
    size_t start = 0;
    for (size_t i = 0; i <= size && out->count < LINES_MOST; i++) {
        if (i == size || data[i] == '\n') {
            VEC_PUSH(arena, out, arena_copy(arena, data + start, i - start));
            start = i + 1;
        }
    }
}

/* Every fifth line a table, the others its columns; each is a cell and a comment too. */
static struct schema *schema_of(const struct texts *lines, struct value_index *index)
{
    struct schema *schema = schema_new();
    struct table *table = NULL;
    for (size_t i = 0; i + 1 < lines->count; i++) {
        const char *line = lines->items[i];
        if (i % (COLUMNS + 1) == 0) {
            table = schema_add_table(schema, line);
        } else {
            static const char *const types[] = {"TEXT", "INTEGER", "DATE", ""};
            struct column *column = table_add_column(schema, table, line, types[i % 4]);
            column->comment = i % 3 ? NULL : arena_text(schema->arena, line);
        }
        struct value_place place = {(uint32_t)(i / (COLUMNS + 1)), 0};
        (void)value_index_add(index, place, line, strlen(line));
    }
    schema_normalize(schema);
    return schema;
}

static uint8_t *check(struct arena *arena, const struct feature_schema *schema,
                      const struct value_index *index, const char *question,
                      struct features *features)
{
    features_build(arena, schema, index, question, features);
    expect(features->tokens.count <= TOKENS_MAX && features->values.count <= VALUES_MAX);
    for (size_t i = 0; i < features->count; i++) {
        expect(features->items[i].word_count >= 1 &&
               features->items[i].word_count <= FEATURE_WORDS);
    }
    uint8_t *matrix = arena_array(arena, features->count, features->count);
    features_matrix(features, schema, matrix);
    for (size_t i = 0; i < features->count * features->count; i++) {
        expect(matrix[i] < RELATION_COUNT);
    }
    for (size_t i = 0; i < features->values.count; i++) {
        const struct candidate *value = &features->values.items[i];
        expect(value->first < value->end && value->end <= features->tokens.count);
        (void)values_token(&features->values, value->value.text, value->value.is_text);
    }
    return matrix;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena *arena = arena_new();
    struct texts lines = {0};
    split_lines(arena, data, size, &lines);
    struct value_index *index = value_index_new(NULL);
    struct schema *schema = schema_of(&lines, index);
    value_index_freeze(index);
    struct feature_schema *prepared =
        feature_schema_new(arena, ir_schema_new(arena, schema));
    const char *question = lines.items[lines.count - 1];
    struct features first;
    struct features second;
    const uint8_t *a = check(arena, prepared, index, question, &first);
    const uint8_t *b = check(arena, prepared, index, question, &second);
    expect(first.count == second.count);
    expect(memcmp(a, b, first.count * first.count) == 0);
    value_index_unref(index);
    arena_free(arena);
    schema_unref(schema);
    return 0;
}
