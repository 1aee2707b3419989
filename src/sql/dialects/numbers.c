/* Division, truth values among numbers, and chance. */
#include <string.h>

#include "sql/dialects/translate.h"

/* Where 7 / 2 is 3. */
static const char drops[] = "spo";

/* Will it still have a fraction when it is written for the other database? */
static bool stays_real(const struct sql_node *node)
{
    return node->kind == SQL_NUMBER || node->kind == SQL_COLUMN ||
           node->kind == SQL_CAST ||
           (node->kind == SQL_CALL &&
            (str_equal_nocase(node->text, "avg") || str_equal_nocase(node->text, "sum") ||
             str_equal_nocase(node->text, "round"))) ||
           (node->kind == SQL_BINARY && (stays_real(node->children[PAIR_LEFT]) ||
                                         stays_real(node->children[PAIR_RIGHT])));
}

static const char *real_type(const struct translation *translation)
{
    return translate_to(translation, "s")    ? "REAL"
           : translate_to(translation, "p")  ? "double precision"
           : translate_to(translation, "dm") ? "DOUBLE"
           : translate_to(translation, "c")  ? "Float64"
           : translate_to(translation, "b")  ? "FLOAT64"
                                             : "DOUBLE PRECISION";
}

static struct sql_node *divide(struct translation *translation, struct sql_node *node)
{
    struct sql_node *left = node->children[PAIR_LEFT];
    struct sql_node *right = node->children[PAIR_RIGHT];
    enum value_class a = class_of(translation, left);
    enum value_class b = class_of(translation, right);
    bool whole = a == CLASS_INTEGER && b == CLASS_INTEGER;
    bool real = a == CLASS_REAL || b == CLASS_REAL;
    bool plain =
        (a == CLASS_REAL && stays_real(left)) || (b == CLASS_REAL && stays_real(right));
    bool dropped = translate_from(translation, drops);
    bool drop = translate_to(translation, drops);
    bool decimal = translate_from(translation, "m") || translate_to(translation, "m");
    if (!whole && !real && (dropped != drop || decimal)) {
        return translate_refuse(translation,
                                "it is not known whether a division drops the fraction");
    }
    left = translate_node(translation, left);
    right = translate_node(translation, right);
    if (whole && dropped && !drop) {
        translate_tell(translation, "A division of whole numbers drops the fraction, as "
                                    "where it was written.");
        return forms_make(translation, "whole division", left, right);
    }
    bool widen = (whole && !dropped && (drop || translate_to(translation, "m"))) ||
                 (real && !plain && drop);
    node->children[PAIR_LEFT] =
        widen ? make_cast(translation, left, real_type(translation)) : left;
    node->children[PAIR_RIGHT] = right;
    if (widen) {
        translate_tell(translation,
                       "A division keeps the fraction, as where it was written.");
    }
    return whole && translate_from(translation, "m")
               ? forms_make(translation, "rounded", node, make_number(translation, 4))
               : node;
}

/* active = 1 where active is a truth value */
static struct sql_node *truth(struct translation *translation, struct sql_node *node)
{
    bool equal = strcmp(node->text, "=") == 0 || strcmp(node->text, "<>") == 0;
    for (size_t side = 0; equal && side < PAIR_SLOTS; side++) {
        struct sql_node *number = node->children[side];
        struct sql_node *other = node->children[1 - side];
        bool one = sql_is(number, SQL_NUMBER) && strcmp(number->text, "1") == 0;
        bool zero = sql_is(number, SQL_NUMBER) && strcmp(number->text, "0") == 0;
        if ((one || zero) && sql_is(other, SQL_COLUMN) &&
            class_of(translation, other) == CLASS_BOOLEAN) {
            node->children[side] =
                sql_node(translation->arena, SQL_CONSTANT, one ? "TRUE" : "FALSE");
            translate_tell(translation, "A truth value is compared with TRUE or FALSE "
                                        "instead of a number.");
            return node;
        }
    }
    return NULL;
}

struct sql_node *numbers_binary(struct translation *translation, struct sql_node *node)
{
    if (translate_to(translation, "pb") && truth(translation, node)) {
        for (size_t i = 0; i < node->count; i++) {
            node->children[i] = translate_node(translation, node->children[i]);
        }
        return node;
    }
    return strcmp(node->text, "/") == 0 && translation->from != translation->to
               ? divide(translation, node)
               : NULL;
}

/* sum(a = b): how many are true */
static struct sql_node *sum_truths(struct translation *translation, struct sql_node *node)
{
    struct sql_node *one = call_argument(node, 0);
    if (!translate_to(translation, "pb") || !one ||
        class_of(translation, one) != CLASS_BOOLEAN) {
        return NULL;
    }
    node->children[CALL_ARGUMENTS]->children[0] =
        make_cast(translation, translate_node(translation, one),
                  translate_to(translation, "p") ? "integer" : "INT64");
    translate_tell(translation, "Truth values are counted as 1 and 0.");
    return node;
}

static struct sql_node *chance(struct translation *translation, struct sql_node *node)
{
    if (translation->from == translation->to) {
        return NULL;
    }
    bool odd = translate_from(translation, "sc") || translate_to(translation, "sc");
    if (odd && !translation->ordering) {
        return translate_refuse(translation, "random numbers have another range");
    }
    const char *name = translate_to(translation, "sdp") ? "random" : "rand";
    if (!str_equal_nocase(name, node->text)) {
        translate_note(translation, node->text, name);
    }
    return make_call(translation, name, NULL, NULL, NULL);
}

struct sql_node *numbers_call(struct translation *translation, struct sql_node *node)
{
    if (is_call(node, "rand", 0) || is_call(node, "random", 0)) {
        return chance(translation, node);
    }
    return is_call(node, "sum", 1) || is_call(node, "avg", 1)
               ? sum_truths(translation, node)
               : NULL;
}
