/*
 * The same question gives the same rows on every engine: the SQL of the everyday
 * questions, read into the parser's IR, is written for the engine under test, goes
 * through its guard, and is run there on a copy of the rows; SQLite says what must come
 * out.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/file.h"
#include "base/json.h"
#include "base/str.h"
#include "base/vec.h"
#include "conformance.h"
#include "datasource/driver.h"
#include "parser/ir/ir_schema.h"
#include "parser/to_sql/rebuild.h"
#include "parser/from_sql/sql_to_ir.h"

enum { FILE_MAX = 4 << 20, LINE_MAX_BYTES = 1 << 16 };

struct both {
    struct place *place;
    struct datasource *sqlite;
    const struct ir_schema *schema;
    enum dialect dialect;
    size_t asked, same;
};

struct found_values {
    struct arena *arena;
    struct ir_values list;
};

static struct ir_token find_value(void *context, const char *literal, bool is_text)
{
    struct found_values *found = context;
    const struct ir_value value = {.text = arena_text(found->arena, literal),
                                   .is_text = is_text};
    VEC_PUSH(found->arena, &found->list, value);
    return (struct ir_token){IR_VALUE, (int)found->list.count - 1};
}

/* Numbers by value and not by type; a time without seconds of midnight is its day. */
static void print_cell(struct buf *line, const struct value *cell)
{
    char number[64];
    struct buf text;
    buf_init(&text, LINE_MAX_BYTES);
    value_print(&text, cell);
    const char *shown = buf_get(&text);
    char *end = NULL;
    double value = cell->kind == VALUE_BOOL ? cell->boolean : strtod(shown, &end);
    if (cell->kind == VALUE_BOOL || (*shown && !*end)) {
        (void)snprintf(number, sizeof number, "%.6g", fabs(value) < 1e-9 ? 0 : value);
        shown = number;
    }
    const char *midnight = strstr(shown, " 00:00:00");
    buf_format(line, "%.*s|", midnight ? (int)(midnight - shown) : (int)strlen(shown),
               shown);
    buf_release(&text);
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* The rows as lines, sorted: engines may order equals as they like. */
static bool lines_of(struct arena *arena, struct datasource *source, const char *sql,
                     struct texts *lines, struct err *err)
{
    struct rows rows;
    rows_init(&rows, arena);
    err_clear(err);
    if (!datasource_execute(source, sql, NULL, NULL, &rows, err)) {
        return false;
    }
    for (size_t i = 0; i < rows.count; i++) {
        struct buf line;
        buf_init(&line, LINE_MAX_BYTES);
        for (size_t j = 0; j < rows.column_count; j++) {
            if (!kind->documents || !str_equal(rows.columns[j].name, "_id")) {
                print_cell(&line, rows_cell(&rows, i, j));
            }
        }
        VEC_PUSH(arena, lines, buf_clone(&line, arena));
        buf_release(&line);
    }
    if (lines->count > 1) {
        qsort(lines->items, lines->count, sizeof *lines->items, by_text);
    }
    return true;
}

static void compare(struct both *both, struct arena *arena, const char *gold,
                    const char *sql)
{
    struct texts there = {0};
    struct texts here = {0};
    struct err err;
    if (!lines_of(arena, both->sqlite, gold, &there, &err)) {
        fail_msg("%s: %s", gold, err.message);
    }
    if (!lines_of(arena, both->place->source, sql, &here, &err)) {
        print_error("%s\n  was %s\n  %s %s\n", sql, gold, err.message, err.detail);
        return;
    }
    bool same = there.count == here.count;
    for (size_t i = 0; same && i < here.count; i++) {
        same = str_equal(there.items[i], here.items[i]);
        if (!same) {
            print_error("row %zu: %s is %s\n", i, there.items[i], here.items[i]);
        }
    }
    if (!same) {
        print_error("%s\n  was %s\n  %zu rows, %zu here\n", sql, gold, there.count,
                    here.count);
    }
    both->same += same;
}

static void ask_both(struct both *both, const json_t *item)
{
    struct arena *arena = arena_new();
    struct found_values found = {.arena = arena};
    struct err err;
    const char *gold = json_text_at(item, "query");
    const struct sql_to_ir_request request = {.schema = both->schema,
                                              .dialect = DIALECT_SQLITE,
                                              .question = json_text_at(item, "question"),
                                              .find_value = find_value,
                                              .context = &found};
    struct sql_to_ir_result ir;
    struct rebuild_result rebuilt;
    if (sql_to_ir(arena, &request, gold, &ir, &err)) { /* what the IR can say */
        const struct rebuild_request back = {.schema = both->schema,
                                             .values = &found.list,
                                             .dialect = both->dialect,
                                             .question = request.question};
        both->asked++;
        if (rebuild_sql(arena, &back, &ir.tokens, &rebuilt, &err)) {
            compare(both, arena, gold, rebuilt.sql);
        } else {
            print_error("%s\n  %s\n", gold, err.message);
        }
    }
    arena_free(arena);
}

/* Engines differ in which keys they can be told; the questions are the same. */
static void take_keys(struct schema *schema, const struct schema *from)
{
    for (size_t i = 0; i < schema->tables.count; i++) {
        struct table *table = &schema->tables.items[i];
        const struct table *same = schema_table(from, table->name);
        assert_non_null(same);
        table->foreign_keys = same->foreign_keys;
    }
}

static void test_everyday_questions(struct place *place, const char *name, size_t least)
{
    struct err err;
    size_t size;
    const char *path = arena_format(place->arena, "%s/%s.sqlite", place->folder, name);
    everyday_make(place->arena, name, path);
    struct both both = {.place = place};
    const struct datasource_setting setting = {.id = name, .url = path};
    both.sqlite = datasource_open(&setting, place->options, &err);
    assert_non_null(both.sqlite);
    both.dialect = registry_by_name(kind->name)->dialect;
    place_open(place, everyday_copy(place->arena, both.dialect, path));
    struct schema *schema = place_schema(place);
    (void)datasource_enrich(place->source, schema, NULL, &err);
    struct schema *keys = datasource_describe(both.sqlite, NULL, &err);
    assert_non_null(keys);
    arena_defer(place->arena, (void (*)(void *))schema_unref, keys);
    take_keys(schema, keys);
    both.schema = ir_schema_new(place->arena, schema);
    const char *file = DRAGOMAN_EVERYDAY "/questions-tuning.json";
    const char *text = file_read(place->arena, file, FILE_MAX, &size, &err);
    assert_non_null(text);
    const json_t *list = json_parse(place->arena, text, size, &err);
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *item = json_array_get(list, i);
        if (str_equal(json_text_at(item, "db_id"), name)) {
            ask_both(&both, item);
        }
    }
    datasource_close(both.sqlite);
    assert_true(both.asked >= least);
    if (both.same != both.asked) {
        fail_msg("%s: %zu of %zu questions have the same rows", name, both.same,
                 both.asked);
    }
}

static void test_crm(void **state)
{
    test_everyday_questions(*state, "crm", 15);
}

static void test_finance(void **state)
{
    test_everyday_questions(*state, "finance", 15);
}

static void test_hr(void **state)
{
    test_everyday_questions(*state, "hr", 15);
}

static void test_logistics(void **state)
{
    test_everyday_questions(*state, "logistics", 15);
}

static void test_web_analytics(void **state)
{
    test_everyday_questions(*state, "web_analytics", 15);
}

int suite_dialect(void)
{
    if (kind->documents) { /* the engine is DuckDB: this is about what is asked for */
        const struct CMUnitTest some[] = {PLACE_TEST(test_crm),
                                          PLACE_TEST(test_logistics)};
        return cmocka_run_group_tests_name("dialect", some, NULL, NULL);
    }
    const struct CMUnitTest tests[] = {
        PLACE_TEST(test_crm),       PLACE_TEST(test_finance),       PLACE_TEST(test_hr),
        PLACE_TEST(test_logistics), PLACE_TEST(test_web_analytics),
    };
    return cmocka_run_group_tests_name("dialect", tests, NULL, NULL);
}
