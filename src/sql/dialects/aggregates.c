/* Texts of a group joined, and aggregates over some of the rows. */
#include <string.h>

#include "sql/dialects/translate.h"

/* ------------------------------------------------------------------ joined texts */

struct joining {
    struct sql_node *value;
    const char *separator;
    struct sql_node *order; /* LIST or NULL */
};

static bool is_joining(struct translation *translation, const struct sql_node *node)
{
    static const struct {
        const char *name;
        const char *letters;
    } names[] = {{"string_agg", "sdpbo"}, {"group_concat", "sdmo"}, {"listagg", "do"}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (str_equal_nocase(node->text, names[i].name) &&
            translate_from(translation, names[i].letters)) {
            return true;
        }
    }
    return false;
}

static bool joining_read(const struct sql_node *node, struct joining *out)
{
    const struct sql_node *list = node->children[CALL_ARGUMENTS];
    const struct sql_node *separator = node->children[CALL_SEPARATOR];
    separator = separator ? separator : sql_child(list, 1);
    if (list->count < 1 || list->count > 2 || node->children[CALL_LIMIT] ||
        (separator && separator->kind != SQL_STRING) ||
        (node->children[CALL_SEPARATOR] && list->count > 1)) {
        return false;
    }
    out->value = list->children[0];
    out->separator = separator                                 ? separator->text
                     : str_equal_nocase(node->text, "listagg") ? ""
                                                               : ",";
    out->order = node->children[CALL_ORDER] ? node->children[CALL_ORDER]
                                            : node->children[CALL_WITHIN];
    return true;
}

/* The same call by its other name, with what may stand inside of it there. */
static struct sql_node *joining_write(struct translation *translation,
                                      struct sql_node *node, struct joining *joining)
{
    bool distinct = sql_has(node, FLAG_DISTINCT);
    struct sql_node *separator = make_string(translation, joining->separator);
    struct sql_node *made =
        make_call(translation, "string_agg", joining->value, NULL, NULL);
    made->flags = node->flags & FLAG_DISTINCT;
    if (translate_to(translation, "s")) {
        if (joining->order) {
            return translate_refuse(translation, "SQLite joins texts in no order");
        }
        bool comma = strcmp(joining->separator, ",") == 0;
        if (distinct && !comma) {
            return translate_refuse(translation, "SQLite joins different texts by ','");
        }
        made->text = "group_concat";
        if (!comma) {
            sql_add(translation->arena, made->children[CALL_ARGUMENTS], separator);
        }
        return made;
    }
    if (translate_to(translation, "m")) {
        made->text = "GROUP_CONCAT";
        made->children[CALL_ORDER] = joining->order;
        made->children[CALL_SEPARATOR] = separator;
        return made;
    }
    if (translate_to(translation, "c")) {
        if (joining->order || distinct) {
            return translate_refuse(translation, "ClickHouse joins texts in no order");
        }
        made->text = "groupArray";
        return make_call(translation, "arrayStringConcat", made, separator, NULL);
    }
    made->text = translate_to(translation, "o") ? "LISTAGG" : "string_agg";
    sql_add(translation->arena, made->children[CALL_ARGUMENTS], separator);
    made->children[translate_to(translation, "o") ? CALL_WITHIN : CALL_ORDER] =
        joining->order;
    return made;
}

static struct sql_node *join_texts(struct translation *translation, struct sql_node *node)
{
    struct joining joining = {0};
    if (!joining_read(node, &joining)) {
        return translate_refuse(translation, "joined texts have no equivalent");
    }
    enum value_class class = class_of(translation, joining.value);
    if (class == CLASS_REAL || class == CLASS_BOOLEAN) {
        return translate_refuse(translation, "as text it may look different");
    }
    joining.value = translate_node(translation, joining.value);
    joining.order = queries_order(translation, joining.order, NULL);
    if (class != CLASS_TEXT && translate_to(translation, "pdbc")) {
        joining.value = make_cast(translation, joining.value,
                                  translate_to(translation, "p")   ? "text"
                                  : translate_to(translation, "d") ? "VARCHAR"
                                  : translate_to(translation, "c") ? "String"
                                                                   : "STRING");
    }
    struct sql_node *made = joining_write(translation, node, &joining);
    if (!made) {
        return NULL;
    }
    made->children[CALL_FILTER] =
        translate_node(translation, node->children[CALL_FILTER]);
    made->children[CALL_OVER] = translate_node(translation, node->children[CALL_OVER]);
    if (!str_equal_nocase(made->text, node->text)) {
        translate_note(translation, node->text, made->text);
    }
    return made;
}

/* ------------------------------------------------------------------ some of the rows */

/* count(*) FILTER (WHERE c) as COUNT(CASE WHEN c THEN 1 END) */
static struct sql_node *unfiltered(struct translation *translation, struct sql_node *node)
{
    struct sql_node *list = node->children[CALL_ARGUMENTS];
    struct sql_node *one = sql_child(list, 0);
    if (list->count != 1) {
        return translate_refuse(translation, "FILTER has no equivalent");
    }
    struct sql_node *then = one->kind == SQL_STAR ? make_number(translation, 1)
                                                  : translate_node(translation, one);
    struct sql_node *condition = translate_node(translation, node->children[CALL_FILTER]);
    node->children[CALL_FILTER] = NULL;
    list->children[0] = make_case(translation, condition, then, NULL);
    node->children[CALL_OVER] = translate_node(translation, node->children[CALL_OVER]);
    translate_note(translation, "FILTER", "CASE");
    return node;
}

/* countIf(c), sumIf(x, c) */
static struct sql_node *combined(struct translation *translation, struct sql_node *node)
{
    static const struct {
        const char *name;
        const char *letters;
        const char *plain;
        size_t arguments;
    } names[] = {{"countif", "cbd", "COUNT", 1}, {"count_if", "d", "COUNT", 1},
                 {"sumif", "c", "SUM", 2},       {"avgif", "c", "AVG", 2},
                 {"minif", "c", "MIN", 2},       {"maxif", "c", "MAX", 2}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (!is_call(node, names[i].name, names[i].arguments) ||
            !translate_from(translation, names[i].letters)) {
            continue;
        }
        const char *was = node->text;
        bool counts = names[i].arguments == 1;
        struct sql_node *then = counts
                                    ? make_number(translation, 1)
                                    : translate_node(translation, call_argument(node, 0));
        struct sql_node *condition =
            translate_node(translation, call_argument(node, counts ? 0 : 1));
        struct sql_node *made =
            make_call(translation, names[i].plain,
                      make_case(translation, condition, then, NULL), NULL, NULL);
        made->children[CALL_OVER] =
            translate_node(translation, node->children[CALL_OVER]);
        translate_note(translation, was, "CASE");
        return strcmp(names[i].plain, "SUM") == 0 && !made->children[CALL_OVER]
                   ? make_call(translation, "COALESCE", made, make_number(translation, 0),
                               NULL)
                   : made;
    }
    return NULL;
}

struct sql_node *aggregates_call(struct translation *translation, struct sql_node *node)
{
    bool same = translation->from == translation->to;
    if (is_joining(translation, node) &&
        (!same || (translate_to(translation, "s") &&
                   str_equal_nocase(node->text, "string_agg")))) {
        return join_texts(translation, node);
    }
    if (same) {
        return NULL;
    }
    if (node->children[CALL_FILTER] && translate_to(translation, "mbo")) {
        return unfiltered(translation, node);
    }
    return combined(translation, node);
}
