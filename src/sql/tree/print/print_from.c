/* Relations as SQL. */
#include "sql/tree/print/print_state.h"

static void table_sample(struct print *print, const struct sql_node *sample)
{
    if (!sample) {
        return;
    }
    const struct sql_node *value = sample->children[SINGLE_VALUE];
    if (print_dialect(print, "c")) {
        print_around(print, " SAMPLE ", value, "");
        return;
    }
    bool seeded = sample->variant && value->kind == SQL_TUPLE;
    print_text(print, " TABLESAMPLE ");
    print_text(print, sample->text);
    print_around(print, " (", seeded ? value->children[0] : value, "");
    print_text(print, print_dialect(print, "p")        ? ")"
                      : !sql_has(sample, FLAG_PERCENT) ? " ROWS)"
                      : print_dialect(print, "d")      ? "%)"
                                                       : " PERCENT)");
    print_around(print, " REPEATABLE (", seeded ? value->children[1] : NULL, ")");
}

static void alias(struct print *print, const struct sql_node *node)
{
    print_text(print, print_dialect(print, "o") && node->text ? " " : " AS ");
    if (node->text) {
        print_named(print, node);
    }
    print_around(print, node->text ? " (" : "(", node->children[SINGLE_VALUE], ")");
}

static void path(struct print *print, const struct sql_node *list)
{
    print_list(print, list, ".");
}

static void index_hints(struct print *print, const struct sql_node *hints)
{
    for (size_t i = 0; hints && i < hints->count; i++) {
        const struct sql_node *hint = hints->children[i];
        if (print_dialect(print, "s")) {
            print_text(print, sql_has(hint, FLAG_NOT) ? " NOT INDEXED" : "");
            print_around(print, " INDEXED BY ", hint->children[SINGLE_VALUE], "");
        } else {
            print_text(print, " ");
            print_text(print, hint->text);
            print_around(print, " INDEX (", hint->children[SINGLE_VALUE], ")");
        }
    }
}

static void table(struct print *print, const struct sql_node *node)
{
    print_text(print, sql_has(node, FLAG_LATERAL) ? "LATERAL " : "");
    print_text(print, sql_has(node, FLAG_ONLY) ? "ONLY " : "");
    path(print, node->children[TABLE_PATH]);
    print_around(print, " PARTITION (", node->children[TABLE_PARTITIONS], ")");
    bool late = print_dialect(print, "pdco");
    if (!late) {
        table_sample(print, node->children[TABLE_SAMPLE]);
    }
    print_around(print, "", node->children[TABLE_ALIAS], "");
    print_around(print, " WITH OFFSET AS ", node->children[TABLE_OFFSET], "");
    print_text(print, sql_has(node, FLAG_ORDINALITY) ? " WITH ORDINALITY" : "");
    print_text(print, sql_has(node, FLAG_FINAL) ? " FINAL" : "");
    if (late) {
        table_sample(print, node->children[TABLE_SAMPLE]);
    }
    index_hints(print, node->children[TABLE_HINTS]);
}

static void derived(struct print *print, const struct sql_node *node)
{
    bool parentheses = node->kind != SQL_TABLE_FUNCTION;
    print_text(print, sql_has(node, FLAG_LATERAL) ? "LATERAL " : "");
    print_around(print, parentheses ? "(" : "", node->children[DERIVED_SOURCE],
                 parentheses ? ")" : "");
    print_text(print, sql_has(node, FLAG_ORDINALITY) ? " WITH ORDINALITY" : "");
    print_around(print, "", node->children[DERIVED_ALIAS], "");
    print_around(print, " WITH OFFSET AS ", node->children[DERIVED_OFFSET], "");
    print_text(print, sql_has(node, FLAG_FINAL) ? " FINAL" : "");
    table_sample(print, node->children[DERIVED_SAMPLE]);
}

static void join(struct print *print, const struct sql_node *node)
{
    static const char *const kinds[] = {[JOIN_INNER] = "",
                                        [JOIN_LEFT_OUTER] = "LEFT ",
                                        [JOIN_RIGHT_OUTER] = "RIGHT ",
                                        [JOIN_FULL_OUTER] = "FULL ",
                                        [JOIN_CROSS] = "CROSS "};
    print_around(print, "", node->children[JOIN_LEFT], " ");
    print_text(print, sql_has(node, FLAG_GLOBAL) ? "GLOBAL " : "");
    print_text(print, sql_has(node, FLAG_NATURAL) ? "NATURAL " : "");
    bool words_first = node->text && print_dialect(print, "d"); /* ASOF LEFT JOIN */
    bool lateral = node->text && print_dialect(print, "o");     /* CROSS APPLY */
    bool straight = node->text && print_dialect(print, "m");    /* STRAIGHT_JOIN */
    if (words_first) {
        print_text(print, node->text);
        print_text(print, " ");
    }
    print_text(print, kinds[node->variant]);
    if (node->text && !words_first) {
        print_text(print, node->text);
        print_text(print, " ");
    }
    print_text(print, lateral || straight ? "" : "JOIN ");
    print_node(print, node->children[JOIN_RIGHT]);
    print_around(print, " ON ", node->children[JOIN_ON], "");
    print_around(print, " USING (", node->children[JOIN_USING], ")");
}

static void array_join(struct print *print, const struct sql_node *node)
{
    print_around(print, "", node->children[PAIR_LEFT],
                 node->variant == JOIN_LEFT_OUTER ? " LEFT" : "");
    print_around(print, " ARRAY JOIN ", node->children[PAIR_RIGHT], "");
}

static void pivot(struct print *print, const struct sql_node *node)
{
    static const char *const nulls[] = {"", " INCLUDE NULLS", " EXCLUDE NULLS"};
    print_around(print, "", node->children[PIVOT_SOURCE],
                 node->kind == SQL_PIVOT ? " PIVOT" : " UNPIVOT");
    print_text(print, nulls[node->variant]);
    print_around(print, " (", node->children[PIVOT_VALUES], " ");
    print_list(print, node->children[PIVOT_FORS], " ");
    print_text(print, ")");
    print_around(print, "", node->children[PIVOT_ALIAS], "");
}

static void pivot_for(struct print *print, const struct sql_node *node)
{
    print_around(print, "FOR ", node->children[PAIR_LEFT], " IN (");
    print_around(print, "", node->children[PAIR_RIGHT], ")");
}

static void json_table(struct print *print, const struct sql_node *node)
{
    print_around(print, "JSON_TABLE(", node->children[PAIR_LEFT], ", ");
    print_string(print, node->text);
    print_around(print, " COLUMNS (", node->children[PAIR_RIGHT], "))");
}

static void json_column(struct print *print, const struct sql_node *node)
{
    if (!node->text) {
        print_around(print, "NESTED PATH ", node->children[PAIR_LEFT], " COLUMNS (");
        print_around(print, "", node->children[PAIR_RIGHT], ")");
        return;
    }
    print_named(print, node);
    if (sql_has(node, FLAG_ORDINALITY)) {
        print_text(print, " FOR ORDINALITY");
        return;
    }
    print_around(print, " ", node->children[PAIR_LEFT],
                 node->variant ? " EXISTS PATH " : " PATH ");
    const struct sql_node *details = node->children[PAIR_RIGHT];
    print_node(print, details->children[0]);
    for (size_t i = 1; i < details->count; i++) {
        print_text(print, " ");
        print_text(print, details->children[i]->text);
        print_around(print, " ", details->children[i]->children[SINGLE_VALUE], "");
        print_text(print, details->children[i]->variant == 1 ? " ON EMPTY" : " ON ERROR");
    }
}

static void name(struct print *print, const struct sql_node *node)
{
    print_named(print, node);
}

static void column_definition(struct print *print, const struct sql_node *node)
{
    print_named(print, node);
    print_around(print, " ", node->children[SINGLE_VALUE], "");
}

print_function *const print_from_kinds[SQL_KIND_COUNT] = {
    [SQL_TABLE] = table,
    [SQL_DERIVED] = derived,
    [SQL_TABLE_FUNCTION] = derived,
    [SQL_JOIN_GROUP] = derived,
    [SQL_JOIN] = join,
    [SQL_ARRAY_JOIN] = array_join,
    [SQL_PIVOT] = pivot,
    [SQL_UNPIVOT] = pivot,
    [SQL_PIVOT_FOR] = pivot_for,
    [SQL_JSON_TABLE] = json_table,
    [SQL_JSON_COLUMN] = json_column,
    [SQL_ALIAS] = alias,
    [SQL_NAME] = name,
    [SQL_COLUMN_DEFINITION] = column_definition,
};
