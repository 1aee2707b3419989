/* Reads and writes aggregates that count the rows for which something holds. */
#include "sql/counting/indicator.h"

#include <stdlib.h>

#include "base/arena.h"
#include "base/str.h"
#include "sql/counting/build.h"

static bool is_zero(const struct sql_node *node)
{
    double number = 1;
    return sql_is(node, SQL_NUMBER) && str_to_real(node->text, &number) && number == 0;
}

static bool is_null(const struct sql_node *node)
{
    return sql_is(node, SQL_CONSTANT) && str_equal_nocase(node->text, "null");
}

/* Is it true or false for each row? */
static bool is_condition(const struct sql_node *node)
{
    static const char *const signs[] = {"=",  "==", "<>", "!=",  "<",
                                        "<=", ">",  ">=", "and", "or"};
    switch ((int)node->kind) {
    case SQL_IS:
    case SQL_IN:
    case SQL_LIKE:
    case SQL_BETWEEN:
    case SQL_EXISTS:
        return true;
    case SQL_BINARY:
        for (size_t i = 0; i < sizeof signs / sizeof *signs; i++) {
            if (str_equal_nocase(node->text, signs[i])) {
                return true;
            }
        }
        return false;
    default:
        return false;
    }
}

/* CASE WHEN condition THEN 1 ELSE 0 END */
static bool read_case(const struct sql_node *node, bool counts, struct indicator *out)
{
    const struct sql_node *whens = node->children[CASE_WHENS];
    const struct sql_node *rest = node->children[CASE_ELSE];
    if (node->children[CASE_VALUE] || whens->count != 1) {
        return false;
    }
    const struct sql_node *value = whens->children[0]->children[PAIR_RIGHT];
    bool filled = rest && !is_null(rest);
    bool constant = sql_is(value, SQL_NUMBER) || (counts && sql_is(value, SQL_STRING));
    if (!constant || is_zero(value) || (filled && (counts || !is_zero(rest))) ||
        (out->share && !filled)) {
        return false;
    }
    double number = 1;
    bool one = counts || (str_to_real(value->text, &number) && number == 1);
    out->times = one ? NULL : value->text;
    out->condition = whens->children[0]->children[PAIR_LEFT];
    return true;
}

bool indicator_read(const struct sql_node *call, struct indicator *out)
{
    const struct sql_node *arguments = call->children[CALL_ARGUMENTS];
    struct sql_node *filter = call->children[CALL_FILTER];
    bool counts = str_equal_nocase(call->text, "count");
    bool sums =
        str_equal_nocase(call->text, "sum") || str_equal_nocase(call->text, "total");
    *out = (struct indicator){.share = str_equal_nocase(call->text, "avg")};
    if (arguments->count != 1 || (!counts && !sums && !out->share)) {
        return false;
    }
    struct sql_node *value = arguments->children[0];
    if (counts && filter && sql_is(value, SQL_STAR)) {
        out->condition = filter;
    } else if (!filter && sql_is(value, SQL_CASE) && read_case(value, counts, out)) {
        return true;
    } else if (!filter && !counts && is_condition(value)) {
        out->condition = value;
    }
    if (!out->condition) {
        *out = (struct indicator){0};
    }
    return out->condition != NULL;
}

static struct sql_node *count_of(struct arena *arena, struct sql_node *key)
{
    struct sql_node *call = sql_node(arena, SQL_CALL, "COUNT");
    call->flags = FLAG_DISTINCT;
    call->children[CALL_ARGUMENTS] = sql_node(arena, SQL_LIST, NULL);
    sql_add(arena, call->children[CALL_ARGUMENTS], key);
    return call;
}

static struct sql_node *reckon(struct arena *arena, const char *sign,
                               struct sql_node *left, struct sql_node *right)
{
    struct sql_node *node = sql_node(arena, SQL_BINARY, sign);
    node->children[PAIR_LEFT] = left;
    node->children[PAIR_RIGHT] = right;
    return node;
}

void indicator_write(struct arena *arena, struct sql_node *call,
                     const struct indicator *indicator, struct sql_node *key)
{
    struct sql_node *value =
        count_of(arena, build_case(arena, indicator->condition, sql_clone(arena, key)));
    if (indicator->times) {
        struct sql_node *times = sql_node(arena, SQL_NUMBER, indicator->times);
        value = reckon(arena, "*", times, value);
    }
    if (indicator->share) {
        value = reckon(arena, "*", sql_node(arena, SQL_NUMBER, "1.0"), value);
        value = reckon(arena, "/", value, count_of(arena, key));
    }
    *call = *value;
}
