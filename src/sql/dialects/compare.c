/* Dates beside timestamps. SQLite compares them as texts, where '2024-01-31' is less than
 * '2024-01-31 00:00:00'; engines with real dates call them equal. */
#include <string.h>

#include "sql/dialects/translate.h"

enum { ISO_DATE = 10 };

/* Of a column, or of a value that functions made. A plain text is what it is beside. */
static enum value_class moment_of(struct translation *translation,
                                  const struct sql_node *node)
{
    enum value_class class = class_of(translation, node);
    if (sql_is(node, SQL_STRING)) {
        size_t size = strlen(node->text);
        bool date = class_is_date(translation, node);
        return !date ? CLASS_UNKNOWN : size == ISO_DATE ? CLASS_DATE : CLASS_TIMESTAMP;
    }
    return class == CLASS_DATE || class == CLASS_TIMESTAMP ? class : CLASS_UNKNOWN;
}

/* The date as midnight. */
static struct sql_node *as_moment(struct translation *translation, struct sql_node *made)
{
    if (sql_is(made, SQL_STRING)) {
        return make_string(translation,
                           arena_format(translation->arena, "%s 00:00:00", made->text));
    }
    return make_call(translation, "datetime", made, NULL, NULL);
}

static bool wanted(const struct translation *translation)
{
    return translate_to(translation, "s") && !translate_from(translation, "s");
}

struct sql_node *dates_compare(struct translation *translation, struct sql_node *node)
{
    static const char *const operators[] = {"=", "<>", "<", ">", "<=", ">="};
    bool compares = false;
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++) {
        compares = compares || strcmp(node->text, operators[i]) == 0;
    }
    if (!compares || !wanted(translation)) {
        return NULL;
    }
    struct sql_node **sides = node->children;
    enum value_class left = moment_of(translation, sides[PAIR_LEFT]);
    enum value_class right = moment_of(translation, sides[PAIR_RIGHT]);
    if (left == CLASS_UNKNOWN || right == CLASS_UNKNOWN || left == right ||
        (sql_is(sides[PAIR_LEFT], SQL_STRING) && sql_is(sides[PAIR_RIGHT], SQL_STRING))) {
        return NULL;
    }
    size_t date = left == CLASS_DATE ? PAIR_LEFT : PAIR_RIGHT;
    /* x >= '2024-01-31' and x < '2024-01-31' are right for x with a time */
    bool right_already =
        date == PAIR_RIGHT
            ? strcmp(node->text, ">=") == 0 || strcmp(node->text, "<") == 0
            : strcmp(node->text, "<=") == 0 || strcmp(node->text, ">") == 0;
    sides[PAIR_LEFT] = translate_node(translation, sides[PAIR_LEFT]);
    sides[PAIR_RIGHT] = translate_node(translation, sides[PAIR_RIGHT]);
    if (!right_already) {
        sides[date] = as_moment(translation, sides[date]);
        translate_tell(translation, "A date is compared with a time as its midnight.");
    }
    return node;
}

struct sql_node *dates_between(struct translation *translation, struct sql_node *node)
{
    if (!wanted(translation) ||
        moment_of(translation, node->children[TRIPLE_FIRST]) != CLASS_TIMESTAMP ||
        moment_of(translation, node->children[TRIPLE_THIRD]) != CLASS_DATE) {
        return NULL;
    }
    for (size_t i = 0; i < node->count; i++) {
        node->children[i] = translate_node(translation, node->children[i]);
    }
    node->children[TRIPLE_THIRD] = as_moment(translation, node->children[TRIPLE_THIRD]);
    translate_tell(translation, "A date is compared with a time as its midnight.");
    return node;
}
