/* Charts: which one a result's shape asks for, and that nothing of it comes alive. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/json.h"
#include "base/writer.h"
#include "model/chart.h"
#include "model/rows_json.h"

static int setup(void **state)
{
    *state = arena_new();
    return 0;
}

static int teardown(void **state)
{
    arena_free(*state);
    return 0;
}

/* A result from its JSON, with ' for ". */
static void rows_of(struct arena *arena, const char *text, struct rows *rows)
{
    struct err err;
    char *json = arena_text(arena, text);
    for (char *c = json; *c; c++) {
        *c = *c == '\'' ? '"' : *c;
    }
    const json_t *parsed = json_parse(arena, json, strlen(json), &err);
    if (!parsed || !rows_read(rows, arena, parsed)) {
        fail_msg("no rows: %s", json);
    }
}

static const json_t *spec_of(struct arena *arena, const struct rows *rows,
                             const struct chart *chart, const char *title)
{
    struct buf buf;
    struct writer writer;
    struct err err;
    buf_init(&buf, 10000000);
    writer_init(&writer, &buf);
    chart_write_spec(chart, rows, title, &writer);
    const json_t *spec = json_parse(arena, buf_get(&buf), buf.size, &err);
    buf_release(&buf);
    assert_non_null(spec);
    return spec;
}

static const struct {
    const char *kind; /* NULL: none */
    const char *json;
} shapes[] = {
    {"figure", "{'columns':['count'],'rows':[[42]]}"},
    {"figure", "{'columns':['city','total'],'rows':[['Rome',4.5]]}"},
    {"figure", "{'columns':['id'],'rows':[[7]]}"},
    {"line",
     "{'columns':['month','total'],'rows':[['2024-01',1],['2024-02',3],['2024-03',2]]}"},
    {"line", "{'columns':['day','n'],'rows':[['2024-01-31',1],['2024-02-01',3]]}"},
    {"line", "{'columns':['at','n'],'rows':[['2024-01-31 10:00:00',1],['2024-01-31 "
             "11:00:00',3]]}"},
    {"line", "{'columns':['year','n'],'rows':[[2023,1],[2024,3]]}"},
    {"line", "{'columns':['order_month','n'],'rows':[[1,10],[2,30],[3,20]]}"},
    {"line", "{'columns':['quarter','n'],'rows':[['2024-Q1',10],['2024-Q2',30]]}"},
    {"line", "{'columns':['month','city','n'],'rows':[['2024-01','Rome',1],"
             "['2024-01','Oslo',2],['2024-02','Rome',3],['2024-02','Oslo',2]]}"},
    {"bar", "{'columns':['city','n'],'rows':[['Rome',1],['Oslo',2],['Bonn',3]]}"},
    {"bar", "{'columns':['active','n'],'rows':[[true,1],[false,2]]}"},
    {"bar", "{'columns':['city','n','m'],'rows':[['Rome',1,9],['Oslo',2,8]]}"},
    {"arc", "{'columns':['city','share'],'rows':[['Rome',30],['Oslo',70]]}"},
    {"arc", "{'columns':['city','part'],'rows':[['Rome',33.3],['Oslo',66.7]]}"},
    {"stacked", "{'columns':['city','kind','n'],'rows':[['Rome','a',1],['Rome','b',2],"
                "['Oslo','a',3],['Oslo','b',4]]}"},
    {"scatter", "{'columns':['price','weight'],'rows':[[1.5,2],[2.5,3],[4,1],[5,5]]}"},
    {"bar", "{'columns':['city','total'],'column_types':['TEXT','DECIMAL(10,2)'],"
            "'rows':[['Rome','12.50'],['Oslo','99.10']]}"},
    {NULL, "{'columns':['name','city'],'rows':[['Ann','Rome'],['Bob','Oslo']]}"},
    {NULL, "{'columns':['id','name'],'rows':[[1,'Ann'],[2,'Bob']]}"},
    {NULL, "{'columns':['n'],'rows':[]}"},
    {NULL, "{'columns':['n'],'rows':[[null]]}"},
    {NULL, "{'columns':[],'rows':[]}"},
    {NULL, "{'columns':['a','b'],'rows':[[{'x':1},2],[[1],3]]}"},
    {NULL, "{'columns':['when','n'],'rows':[['soon',null],['late',null]]}"},
    {"multiples",
     "{'columns':['month','city','n'],'rows':[['2024-01','c1',1],['2024-02','c1',2],['"
     "2024-01','c2',2],['2024-02','c2',4],['2024-01','c3',3],['2024-02','c3',6],['2024-"
     "01','c4',4],['2024-02','c4',8],['2024-01','c5',5],['2024-02','c5',10],['2024-01','"
     "c6',6],['2024-02','c6',12],['2024-01','c7',7],['2024-02','c7',14],['2024-01','c8',"
     "8],['2024-02','c8',16]]}"},
    {"bar", "{'columns':['vet','percent'],'rows':[['Ann',15.5],['Bob',9.1],['Eve',40]]}"},
    {"arc", "{'columns':['vet','percent'],'rows':[['Ann',50.5],['Bob',9.5],['Eve',40]]}"},
    {"bar", "{'columns':['city','kind','avg_n'],'rows':[['Rome','a',1],['Rome','b',2],"
            "['Oslo','a',3],['Oslo','b',4]]}"},
    {"stacked",
     "{'columns':['city','kind','percent'],'rows':[['Rome','a',40],['Rome','b',60],"
     "['Oslo','a',30],['Oslo','b',70]]}"},
};

static void the_shape_decides(void **state)
{
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        struct rows rows;
        struct chart chart;
        rows_of(*state, shapes[i].json, &rows);
        bool any = chart_recommend(&rows, &chart);
        const char *kind = any ? chart_kind_name(chart.kind) : "none";
        if (strcmp(kind, shapes[i].kind ? shapes[i].kind : "none") != 0) {
            fail_msg("%s for %s", kind, shapes[i].json);
        }
        if (any) {
            (void)spec_of(*state, &rows, &chart, "t");
        }
    }
}

/* What the question says is done if it can be; else the note says why not. */
static const struct {
    const char *json;
    struct chart_wish wish;
    const char *kind; /* NULL: none */
    const char *note; /* a part of it; "": none */
} wishes[] = {
    {"{'columns':['city','n'],'rows':[['Rome',1],['Oslo',2]]}",
     {.given = true, .kind = CHART_ARC},
     "arc",
     ""},
    {"{'columns':['city','n'],'rows':[['Rome',1],['Oslo',2]]}",
     {.given = true, .kind = CHART_LINE},
     "bar",
     "shown as bars"},
    {"{'columns':['city','n'],'rows':[['Rome',1],['Oslo',-2]]}",
     {.given = true, .kind = CHART_ARC},
     "bar",
     "A pie needs"},
    {"{'columns':['city','avg_n'],'rows':[['Rome',1],['Oslo',2]]}",
     {.given = true, .kind = CHART_ARC},
     "bar",
     "A pie needs"},
    {"{'columns':['city'],'rows':[['Rome'],['Oslo']]}",
     {.given = true, .kind = CHART_BAR},
     NULL,
     "shown as a table"},
    {"{'columns':['city'],'rows':[['Rome'],['Oslo']]}",
     {.given = true, .any = true},
     NULL,
     "No chart suits"},
    {"{'columns':['city','n'],'rows':[['Rome',1],['Oslo',2]]}",
     {.given = true, .table = true},
     "bar",
     ""},
    {"{'columns':['city','order_kind','n'],'rows':[['Rome','a',1],['Rome','b',2],"
     "['Oslo','a',3],['Oslo','b',4]]}",
     {.given = true, .kind = CHART_STACKED, .by = "city"},
     "stacked",
     ""},
    {"{'columns':['city','order_kind','n'],'rows':[['Rome','a',1],['Rome','b',2],"
     "['Oslo','a',3],['Oslo','b',4]]}",
     {.given = true, .kind = CHART_STACKED, .by = "size"},
     "stacked",
     "cannot be stacked by 'size'"},
};

static void wishes_are_met_or_refused(void **state)
{
    for (size_t i = 0; i < sizeof wishes / sizeof *wishes; i++) {
        struct rows rows;
        struct chart chart;
        char note[CHART_NOTE_SIZE];
        rows_of(*state, wishes[i].json, &rows);
        bool any = chart_wished(&rows, &wishes[i].wish, &chart, note);
        assert_string_equal(any ? chart_kind_name(chart.kind) : "none",
                            wishes[i].kind ? wishes[i].kind : "none");
        if (*wishes[i].note ? !strstr(note, wishes[i].note) : *note) {
            fail_msg("'%s' for %s", note, wishes[i].json);
        }
        if (wishes[i].wish.by && !*wishes[i].note) {
            assert_int_equal(chart.series, 0);
            assert_int_equal(chart.x, 1);
        }
        assert_int_equal(any && chart.at_once, any && !wishes[i].wish.table);
    }
}

/* A list that happens to have numbers, and a wide one, are tables first. */
static void tables_stay_tables(void **state)
{
    static const struct {
        const char *json;
        bool at_once;
    } results[] = {
        {"{'columns':['city','n'],'rows':[['Rome',1],['Oslo',2]]}", true},
        {"{'columns':['city','n'],'rows':[['Rome',1],['Rome',2]]}", false},
        {"{'columns':['a','b','c','d','e','f','n'],'rows':[['x','y','z','u','v','w',1],"
         "['q','y','z','u','v','w',2]]}",
         false},
        {"{'columns':['n'],'rows':[[4]]}", false},
        {"{'columns':['w','h'],'rows':[[1.5,2],[2.5,3],[4,1]]}", false},
        {"{'columns':['w','h'],'rows':[[1.5,2],[2.5,3],[4,1],[5,6],[7,8]]}", true},
    };
    for (size_t i = 0; i < sizeof results / sizeof *results; i++) {
        struct rows rows;
        struct chart chart;
        rows_of(*state, results[i].json, &rows);
        if (!chart_recommend(&rows, &chart)) {
            assert_false(results[i].at_once);
            continue;
        }
        assert_int_equal(chart.at_once, results[i].at_once);
    }
}

static void others_can_be_chosen(void **state)
{
    struct rows rows;
    struct chart chart;
    rows_of(*state, shapes[3].json, &rows);
    assert_true(chart_recommend(&rows, &chart));
    assert_int_equal(chart.other_count, 2);
    for (size_t i = 0; i < chart.other_count; i++) {
        struct chart other;
        assert_true(chart_as(&rows, chart.others[i], &other));
        assert_int_equal(other.kind, chart.others[i]);
    }
    assert_false(chart_as(&rows, CHART_SCATTER, &chart));
    assert_false(chart_as(&rows, CHART_FIGURE, &chart));
    enum chart_kind kind = CHART_BAR;
    assert_true(chart_kind_find("arc", &kind));
    assert_int_equal(kind, CHART_ARC);
    assert_false(chart_kind_find("pie", &kind));
    assert_false(chart_kind_find(NULL, &kind));
}

static const json_t *at(const json_t *json, const char *a, const char *b)
{
    const json_t *inner = json_object_get(json, a);
    return b ? json_object_get(inner, b) : inner;
}

static void numbers_and_times_are_such(void **state)
{
    struct rows rows;
    struct chart chart;
    rows_of(*state,
            "{'columns':['at','a','b'],'rows':[['2024-01-31 10:00:00+02',1,5],"
            "['2024-02-01 10:00',2,6],[null,3,7]]}",
            &rows);
    assert_true(chart_recommend(&rows, &chart));
    const json_t *spec = spec_of(*state, &rows, &chart, NULL);
    const json_t *values = at(spec, "data", "values");
    assert_int_equal(json_array_size(values), 6); /* two lines of three points */
    const json_t *point = json_array_get(values, 0);
    assert_string_equal(json_text_at(point, "c0"), "2024-01-31T10:00:00+02:00");
    assert_string_equal(json_text_at(point, "s"), "a");
    assert_true(json_is_number(json_object_get(point, "v")));
    assert_string_equal(json_text_at(json_array_get(values, 2), "c0"),
                        "2024-02-01T10:00Z");
    assert_string_equal(json_text_at(at(spec, "encoding", "x"), "type"), "temporal");
    rows_of(*state, shapes[17].json, &rows); /* decimals, which JSON holds as texts */
    assert_true(chart_recommend(&rows, &chart));
    point = json_array_get(at(spec_of(*state, &rows, &chart, NULL), "data", "values"), 0);
    assert_float_equal(json_real_at(point, "c1", 0), 12.5, 1e-9);
}

/* Every key and every text of the specification that is not data or a title is ours. */
static void check_own(const json_t *json, const char *parent)
{
    static const char *const keys[] = {
        "$schema", "title", "width",  "data", "values",   "mark",  "encoding",
        "x",       "y",     "color",  "type", "theta",    "text",  "field",
        "scale",   "sort",  "format", "line", "fontSize", "stack", "point",
        "tooltip", "c0",    "c1",     "c2",   "s",        "v"};
    const char *key = NULL;
    json_t *value = NULL;
    json_object_foreach((json_t *)(uintptr_t)json, key, value)
    {
        bool known = false;
        for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
            known = known || strcmp(key, keys[i]) == 0;
        }
        if (!known) {
            fail_msg("a key of its own: %s in %s", key, parent);
        }
        bool data = strcmp(key, "values") == 0;
        bool title = strcmp(key, "title") == 0;
        if (title) {
            assert_true(json_is_string(value)); /* an object could hold an expression */
        } else if (json_is_string(value)) {
            assert_null(strstr(json_string_value(value), "alert"));
        }
        for (size_t i = 0; data && i < json_array_size(value); i++) {
            const char *field = NULL;
            json_t *cell = NULL;
            json_object_foreach(json_array_get(value, i), field, cell)
            {
                assert_false(json_is_object(cell) || json_is_array(cell));
            }
        }
        if (json_is_object(value)) {
            check_own(value, key);
        }
    }
}

static void nothing_comes_alive(void **state)
{
    static const char *const hostile[] = {
        "{'columns':['href','url'],'rows':[['javascript:alert(1)',1],"
        "['<img src=x onerror=alert(2)>',2]]}",
        "{'columns':['image','n'],'rows':[['https://x.example/alert.png',1],['b',2]]}",
        "{'columns':['datum.x[0]','alert(1)'],'rows':[['{\\u0022expr\\u0022:1}',1],"
        "['b',2]]}",
        "{'columns':['a','b','n'],'rows':[['x','signal: alert(1)',1],['x','b',2],"
        "['y','b',3]]}",
    };
    for (size_t i = 0; i < sizeof hostile / sizeof *hostile; i++) {
        for (int kind = 0; kind < CHART_KIND_COUNT; kind++) {
            struct rows rows;
            struct chart chart;
            rows_of(*state, hostile[i], &rows);
            if (!chart_as(&rows, (enum chart_kind)kind, &chart)) {
                continue;
            }
            const json_t *spec = spec_of(*state, &rows, &chart, "alert(1)");
            check_own(spec, "");
            const char *title = json_text_at(at(spec, "encoding", "x"), "title");
            assert_true(!title || strcmp(title, "image") != 0);
        }
    }
}

static void large_results_are_bounded(void **state)
{
    struct rows rows;
    struct chart chart;
    struct rows_column columns[] = {{"name", ""}, {"n", ""}, {"m", ""}};
    rows_init(&rows, *state);
    rows_set_columns(&rows, columns, 3);
    char text[24] = "";
    for (int i = 0; i < 20000; i++) {
        (void)snprintf(text, sizeof text, "row %d", i);
        struct value cells[3] = {
            {.kind = VALUE_TEXT}, {.kind = VALUE_INT}, {.kind = VALUE_REAL}};
        cells[0].text.data = text;
        cells[0].text.size = strlen(text);
        cells[1].integer = i;
        cells[2].real = i * 0.5;
        rows_add(&rows, cells);
    }
    assert_true(chart_recommend(&rows, &chart)); /* too many for bars */
    assert_int_equal(chart.kind, CHART_SCATTER);
    assert_int_equal(
        json_array_size(at(spec_of(*state, &rows, &chart, ""), "data", "values")),
        CHART_POINTS_MOST);
    assert_true(chart_as(&rows, CHART_BAR, &chart));
    assert_int_equal(
        json_array_size(at(spec_of(*state, &rows, &chart, ""), "data", "values")),
        CHART_BARS_MOST);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(the_shape_decides),          TEST(others_can_be_chosen),
        TEST(numbers_and_times_are_such), TEST(nothing_comes_alive),
        TEST(large_results_are_bounded),  TEST(wishes_are_met_or_refused),
        TEST(tables_stay_tables),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
