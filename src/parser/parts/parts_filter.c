/* A condition, as JSON and as IR: {column, by, test, values}, or a figure instead of the
 * column. */
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"
#include "base/vec.h"
#include "base/writer.h"
#include "parser/parts/parts_state.h"

/* What a test compares with. */
enum values { VALUES_NONE, VALUES_ONE, VALUES_TWO, VALUES_MANY, VALUES_PERIOD };

enum types {
    FOR_TEXT = 1 << IR_TYPE_TEXT,
    FOR_NUMBER = 1 << IR_TYPE_NUMBER,
    FOR_TIME = 1 << IR_TYPE_TIME,
    FOR_BOOLEAN = 1 << IR_TYPE_BOOLEAN,
    FOR_ALL = FOR_TEXT | FOR_NUMBER | FOR_TIME | FOR_BOOLEAN | 1 << IR_TYPE_OTHER,
};

static const struct test {
    const char *word;
    enum ir_keyword keyword;
    enum ir_keyword list; /* with several values; IR_PAD: there is none */
    enum values values;
    int types;
} tests[] = {
    {"is", IR_EQUAL, IR_IN, VALUES_MANY, FOR_TEXT | FOR_NUMBER | FOR_BOOLEAN},
    {"is_not", IR_UNEQUAL, IR_NOT_IN, VALUES_MANY, FOR_TEXT | FOR_NUMBER | FOR_BOOLEAN},
    {"more", IR_GREATER, IR_PAD, VALUES_ONE, FOR_NUMBER},
    {"less", IR_LESS, IR_PAD, VALUES_ONE, FOR_NUMBER},
    {"at_least", IR_AT_LEAST, IR_PAD, VALUES_ONE, FOR_NUMBER},
    {"at_most", IR_AT_MOST, IR_PAD, VALUES_ONE, FOR_NUMBER},
    {"between", IR_BETWEEN, IR_PAD, VALUES_TWO, FOR_NUMBER},
    {"contains", IR_CONTAINS, IR_PAD, VALUES_ONE, FOR_TEXT},
    {"not_contains", IR_NOT_CONTAINS, IR_PAD, VALUES_ONE, FOR_TEXT},
    {"starts", IR_STARTS, IR_PAD, VALUES_ONE, FOR_TEXT},
    {"ends", IR_ENDS, IR_PAD, VALUES_ONE, FOR_TEXT},
    {"in", IR_DURING, IR_PAD, VALUES_PERIOD, FOR_TIME},
    {"since", IR_SINCE, IR_PAD, VALUES_PERIOD, FOR_TIME},
    {"until", IR_UNTIL, IR_PAD, VALUES_PERIOD, FOR_TIME},
    {"before", IR_BEFORE, IR_PAD, VALUES_PERIOD, FOR_TIME},
    {"after", IR_AFTER, IR_PAD, VALUES_PERIOD, FOR_TIME},
    {"empty", IR_IS_NULL, IR_PAD, VALUES_NONE, FOR_ALL},
    {"not_empty", IR_NOT_NULL, IR_PAD, VALUES_NONE, FOR_ALL},
};

enum { TESTS = sizeof tests / sizeof *tests };

static const struct test *test_of(enum ir_keyword keyword)
{
    for (size_t i = 0; i < TESTS; i++) {
        if (tests[i].keyword == keyword || tests[i].list == keyword) {
            return keyword == IR_PAD ? NULL : &tests[i];
        }
    }
    return NULL;
}

/* The type of what is compared: a column, a part of a date, a figure. */
static enum ir_type type_of(const struct parts *parts, const struct ir_node *node)
{
    int column = parts_column_of(node);
    if (column >= 0) {
        const struct ir_column *info = &parts->schema->columns[column];
        bool whole_day = info->type == IR_TYPE_NUMBER && info->flag;
        return whole_day ? IR_TYPE_BOOLEAN : info->type;
    }
    switch (node->kind == IR_NODE_CALL ? node->keyword : IR_PAD) {
    case IR_MONTH:
    case IR_QUARTER:
    case IR_WEEK:
    case IR_DAY:
        return IR_TYPE_TEXT;
    default:
        return IR_TYPE_NUMBER;
    }
}

static bool fits(const struct test *test, enum ir_type type)
{
    return test->types & 1 << type;
}

static bool add_values(const struct parts *parts, const struct test *test,
                       const struct ir_node *node, struct texts *out)
{
    for (size_t i = 1; i < node->args.count; i++) {
        const char *text = test->values == VALUES_PERIOD
                               ? parts_period_text(parts, node->args.items[i])
                               : parts_text_of(parts, node->args.items[i]);
        if (!text) {
            return false;
        }
        VEC_PUSH(parts->arena, out, text);
    }
    return true;
}

bool parts_filter_write(const struct parts *parts, const struct ir_node *node,
                        struct writer *writer)
{
    const struct test *test = node->kind == IR_NODE_CALL ? test_of(node->keyword) : NULL;
    struct texts values = {0};
    if (!test || !fits(test, type_of(parts, node->args.items[0])) ||
        !add_values(parts, test, node, &values) ||
        !parts_item_write(parts, node->args.items[0], writer)) {
        return false;
    }
    writer_key_text(writer, "test", test->word);
    writer_key(writer, "values");
    writer_array(writer);
    for (size_t i = 0; i < values.count; i++) {
        writer_text(writer, values.items[i]);
    }
    writer_array_end(writer);
    return true;
}

void parts_filter_tests(const struct ir_column *column, struct texts *out,
                        struct arena *arena)
{
    enum ir_type type =
        column->type == IR_TYPE_NUMBER && column->flag ? IR_TYPE_BOOLEAN : column->type;
    for (size_t i = 0; i < TESTS; i++) {
        if (fits(&tests[i], type)) {
            VEC_PUSH(arena, out, tests[i].word);
        }
    }
}

/* ------------------------------------------------------------------ reading */

static struct ir_node *fail(struct parts_making *making, const char *where,
                            const char *why, const char *what)
{
    (void)err_set(making->err, ERR_INVALID_DATA, "%s: %s '%.80s'.", where, why, what);
    return NULL;
}

static bool is_number(const char *text)
{
    size_t digits = 0;
    text += *text == '-';
    for (; (*text >= '0' && *text <= '9') || *text == '.'; text++) {
        digits += *text != '.';
        if (*text == '.' && strchr(text + 1, '.')) {
            return false;
        }
    }
    return digits > 0 && digits <= 30 && *text == '\0';
}

static struct ir_node *read_value(struct parts_making *making, enum ir_type type,
                                  const struct test *test, const json_t *item,
                                  const char *where)
{
    struct parts *parts = making->parts;
    const char *text = json_string_value(item);
    bool yes = false;
    if (!text || strlen(text) > PARTS_TEXT) {
        return fail(making, where,
                    "a value is not a text, or too long:", str_or_empty(text));
    }
    if (test->values == VALUES_PERIOD) {
        struct ir_node *period = parts_period_read(parts, text);
        return period ? period : fail(making, where, "this is not a period:", text);
    }
    if (type == IR_TYPE_NUMBER && !is_number(text)) {
        return fail(making, where, "this is not a number:", text);
    }
    if (type == IR_TYPE_BOOLEAN && !str_to_bool(text, &yes) && strlen(text) != 1) {
        return fail(making, where, "this is neither true nor false:", text);
    }
    return parts_value(parts, text, type != IR_TYPE_NUMBER && !is_number(text));
}

static bool check_count(struct parts_making *making, const struct test *test,
                        size_t count, const char *where)
{
    static const size_t wanted[][2] = {[VALUES_NONE] = {0, 0},
                                       [VALUES_ONE] = {1, 1},
                                       [VALUES_TWO] = {2, 2},
                                       [VALUES_MANY] = {1, PARTS_VALUES},
                                       [VALUES_PERIOD] = {1, 1}};
    if (count < wanted[test->values][0] || count > wanted[test->values][1]) {
        (void)fail(making, where, "the number of values is wrong for the test",
                   test->word);
        return false;
    }
    return true;
}

static const struct test *test_named(const char *word)
{
    for (size_t i = 0; i < TESTS; i++) {
        if (str_equal(tests[i].word, word)) {
            return &tests[i];
        }
    }
    return NULL;
}

struct ir_node *parts_filter_read(struct parts_making *making, const json_t *item,
                                  const char *where)
{
    struct parts *parts = making->parts;
    if (json_is_object(item) && json_object_get(item, "kept")) {
        return parts_item_read(making, item, &parts->conditions, where);
    }
    struct ir_node *left = parts_item_read(making, item, NULL, where);
    const char *word = left ? json_text_at(item, "test") : NULL;
    const struct test *test = test_named(word);
    const json_t *values = json_array_at(item, "values");
    size_t count = json_array_size(values);
    if (!left) {
        return NULL;
    }
    enum ir_type type = type_of(parts, left);
    if (!test || !fits(test, type)) {
        return fail(making, where, "there is no such test for this column or figure:",
                    str_or_empty(word));
    }
    if (!check_count(making, test, count, where)) {
        return NULL;
    }
    struct ir_node *node = ir_node_call(
        parts->arena, count > 1 && test->list != IR_PAD ? test->list : test->keyword,
        left, NULL);
    for (size_t i = 0; i < count; i++) {
        struct ir_node *value =
            read_value(making, type, test, json_array_get(values, i), where);
        if (!value) {
            return NULL;
        }
        VEC_PUSH(parts->arena, &node->args, value);
    }
    return node;
}
