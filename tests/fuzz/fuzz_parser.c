/*
 * Looks for names, cells and questions that make the parser fall, differ from itself, or
 * write SQL that is no plain reading. layers: parser
 *
 * The first byte chooses the dialect; then as in fuzz_features.c: the first lines are
 * names of tables and columns and cells, the last one is the question.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"
#include "base/vec.h"
#include "knowledge/value_index/value_index.h"
#include "model/schema.h"
#include "parser/parser.h"
#include "sql/guard.h"

enum { LINES_MOST = 40, COLUMNS = 4 };

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
            VEC_PUSH(arena, out,
                     i > start ? arena_copy(arena, data + start, i - start) : "x");
            start = i + 1;
        }
    }
}

/* Every fifth line a table, the others its columns; each is a cell of it, too. */
static struct schema *schema_of(const struct texts *lines, struct value_index *index)
{
    struct schema *schema = schema_new();
    struct table *table = NULL;
    for (size_t i = 0; i + 1 < lines->count; i++) {
        static const char *const types[] = {"TEXT", "INTEGER", "DATE", ""};
        const char *line = lines->items[i];
        if (i % (COLUMNS + 1) == 0) {
            table = schema_add_table(schema, line);
        } else {
            (void)table_add_column(schema, table, line, types[i % 4]);
        }
        struct value_place place = {(uint32_t)(i / (COLUMNS + 1)), 0};
        (void)value_index_add(index, place, line, strlen(line));
    }
    schema_normalize(schema);
    return schema;
}

static bool plain(const char *text)
{
    for (; *text; text++) {
        if (*text < ' ' || *text > '~') {
            return false;
        }
    }
    return true;
}

static void check(const struct parser_answer *answer, enum dialect dialect)
{
    expect(answer->probability >= 0 && answer->probability <= 1);
    for (size_t i = 0; i < answer->count; i++) {
        struct arena *arena = arena_new();
        struct guard_result result;
        const char *sql = answer->items[i].sql;
        guard_check(arena, dialect, sql, strlen(sql), NULL, &result);
        /* names with invisible signs are refused later, whatever is done with them */
        expect(plain(sql) ? result.verdict == GUARD_READ : result.verdict != GUARD_WRITE);
        expect(!str_empty(answer->items[i].words));
        arena_free(arena);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct parser *parser;
    struct err err;
    err_clear(&err);
    parser = parser ? parser : parser_built_in(&err);
    if (!parser || size == 0) {
        return 0;
    }
    struct arena *arena = arena_new();
    struct texts lines = {0};
    split_lines(arena, data + 1, size - 1, &lines);
    struct value_index *index = value_index_new(NULL);
    struct schema *schema = schema_of(&lines, index);
    value_index_freeze(index);
    struct parser_request request = {.schema = schema,
                                     .index = index,
                                     .question = lines.items[lines.count - 1],
                                     .dialect = (enum dialect)(data[0] % DIALECT_COUNT),
                                     .today = "2024-03-15"};
    struct parser_answer first = {0};
    struct parser_answer second = {0};
    bool found = parser_answer(parser, arena, &request, &first, &err);
    expect(parser_answer(parser, arena, &request, &second, &err) == found);
    expect(first.count == second.count);
    expect(first.count == 0 || str_equal(first.items[0].sql, second.items[0].sql));
    check(&first, request.dialect);
    value_index_unref(index);
    arena_free(arena);
    schema_unref(schema);
    return 0;
}
