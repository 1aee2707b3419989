/* Casts, typed texts and constants. */
#include <stdlib.h>
#include <string.h>

#include "sql/dialects/translate.h"

/* What a class of types is called in each dialect: s d p m c b o. */
static const struct {
    enum value_class class;
    const char *names[DIALECT_COUNT];
} type_names[] = {
    {CLASS_INTEGER,
     {"INTEGER", "BIGINT", "bigint", "SIGNED", "Int64", "INT64", "INTEGER"}},
    {CLASS_REAL,
     {"REAL", "DOUBLE", "numeric", "DOUBLE", "Float64", "FLOAT64", "DOUBLE PRECISION"}},
    {CLASS_TEXT,
     {"TEXT", "VARCHAR", "text", "CHAR", "String", "STRING", "VARCHAR(4000)"}},
    {CLASS_DATE, {NULL, "DATE", "date", "DATE", "Date", "DATE", "DATE"}},
    {CLASS_TIMESTAMP,
     {NULL, "TIMESTAMP", "timestamp", "DATETIME", "DateTime", "DATETIME", "TIMESTAMP"}},
    {CLASS_BOOLEAN, {NULL, "BOOLEAN", "boolean", NULL, "Bool", "BOOL", NULL}},
};

static const char *type_name(enum dialect dialect, enum value_class class)
{
    for (size_t i = 0; i < sizeof type_names / sizeof *type_names; i++) {
        if (type_names[i].class == class) {
            return type_names[i].names[dialect];
        }
    }
    return NULL;
}

/* Where a cast to a whole number rounds, instead of dropping the fraction. */
static const char rounds[] = "dpmb";

/* Floats are rounded to the even neighbour by some engines, decimals by none. */
static bool is_float(struct translation *translation, const struct sql_node *node)
{
    if (sql_is(node, SQL_CALL)) {
        const char *name = node->text;
        bool whole = str_equal_nocase(name, "round") || str_equal_nocase(name, "floor") ||
                     str_equal_nocase(name, "ceil") ||
                     str_equal_nocase(name, "ceiling") || str_equal_nocase(name, "trunc");
        bool decimal = str_equal_nocase(name, "avg") &&
                       class_of(translation, call_argument(node, 0)) == CLASS_INTEGER;
        return !whole && !decimal;
    }
    return node->kind != SQL_NUMBER && node->kind != SQL_EXTRACT;
}

static struct sql_node *to_integer(struct translation *translation,
                                   struct sql_node *value, enum value_class class)
{
    bool rounded = translate_from(translation, rounds);
    bool round = translate_to(translation, rounds);
    bool fraction =
        class != CLASS_INTEGER && class != CLASS_TEXT && class != CLASS_BOOLEAN;
    if (fraction && rounded && is_float(translation, value)) {
        return translate_refuse(translation, "halves may be rounded differently");
    }
    value = translate_node(translation, value);
    if (fraction && rounded != round) {
        value = rounded ? make_call(translation, "ROUND", value, NULL, NULL)
                        : forms_make(translation, "whole part", value, NULL);
        if (!value) {
            return translate_refuse(translation, "a cast drops the fraction");
        }
    }
    return make_cast(translation, value, type_name(translation->to, CLASS_INTEGER));
}

/* numeric(10, 2): so many digits behind the point; -1: it does not say */
static long scale_of(const struct sql_node *type)
{
    const struct sql_node *list = type->children[TYPE_ARGUMENTS];
    return list && list->count == 2 && list->children[1]->kind == SQL_NUMBER
               ? strtol(list->children[1]->text, NULL, 10)
               : -1;
}

static struct sql_node *to_real(struct translation *translation, struct sql_node *value,
                                const struct sql_node *type)
{
    long scale = scale_of(type);
    if (scale >= 0 && translate_to(translation, "s")) {
        return make_call(translation, "ROUND", make_cast(translation, value, "REAL"),
                         make_number(translation, scale), NULL);
    }
    struct sql_node *cast =
        make_cast(translation, value, type_name(translation->to, CLASS_REAL));
    if (scale >= 0) {
        cast->children[PAIR_RIGHT]->text =
            translate_to(translation, "b") ? "NUMERIC" : "DECIMAL";
        cast->children[PAIR_RIGHT]->children[TYPE_ARGUMENTS] =
            translate_to(translation, "b") ? NULL : type->children[TYPE_ARGUMENTS];
    }
    return cast;
}

static struct sql_node *to_text(struct translation *translation, struct sql_node *value,
                                enum value_class class, const struct sql_node *type)
{
    if (type->children[TYPE_ARGUMENTS] || class == CLASS_REAL || class == CLASS_OTHER ||
        class == CLASS_BOOLEAN) {
        return translate_refuse(translation, "as text it may look different");
    }
    return make_cast(translation, value, type_name(translation->to, CLASS_TEXT));
}

static struct sql_node *to_moment(struct translation *translation, struct sql_node *value,
                                  enum value_class target)
{
    if (translate_to(translation, "s")) {
        return sql_is(value, SQL_STRING) &&
                       strlen(value->text) == (target == CLASS_DATE ? 10 : 19)
                   ? value
                   : make_call(translation, target == CLASS_DATE ? "date" : "datetime",
                               value, NULL, NULL);
    }
    return make_cast(translation, value, type_name(translation->to, target));
}

static struct sql_node *cast_to(struct translation *translation, struct sql_node *value,
                                enum value_class class, const struct sql_node *type)
{
    enum value_class target = class_of_type(type->text);
    if (target == CLASS_INTEGER) {
        return to_integer(translation, value, class);
    }
    struct sql_node *made = translate_node(translation, value);
    switch (target) {
    case CLASS_REAL:
        return to_real(translation, made, type);
    case CLASS_TEXT:
        return to_text(translation, made, class, type);
    case CLASS_DATE:
    case CLASS_TIMESTAMP:
        return to_moment(translation, made, target);
    default:
        return translate_refuse(translation, "a type has no equivalent");
    }
}

/* decimal without digits behind the point is a whole number in some engines */
static bool is_whole_decimal(const struct translation *translation,
                             const struct sql_node *type)
{
    const struct sql_node *list = type->children[TYPE_ARGUMENTS];
    return class_of_type(type->text) == CLASS_REAL &&
           ((list && list->count == 1) || (!list && translate_from(translation, "mo") &&
                                           (str_starts_nocase(type->text, "dec") ||
                                            str_starts_nocase(type->text, "num"))));
}

struct sql_node *casts_cast(struct translation *translation, struct sql_node *node)
{
    struct sql_node *value = node->children[PAIR_LEFT];
    const struct sql_node *type = node->children[PAIR_RIGHT];
    bool moments = type->kind == SQL_TYPE && translate_to(translation, "s") &&
                   (class_of_type(type->text) == CLASS_DATE ||
                    class_of_type(type->text) == CLASS_TIMESTAMP);
    if (translation->from == translation->to && !moments) {
        return NULL;
    }
    if (type->kind != SQL_TYPE || type->children[TYPE_DIMENSIONS] || node->text ||
        (sql_has(node, FLAG_SAFE) && !translate_to(translation, "db")) ||
        is_whole_decimal(translation, type)) {
        return translate_refuse(translation, "a cast has no equivalent");
    }
    enum value_class class = class_of(translation, value);
    if (moments && !class_is_date(translation, value)) {
        return translate_refuse(translation,
                                "the value that is cast to a date is no date");
    }
    struct sql_node *made = cast_to(translation, value, class, type);
    if (made && sql_is(made, SQL_CAST)) {
        made->flags |= node->flags & FLAG_SAFE;
    }
    const char *was = arena_format(translation->arena, "CAST(… AS %s)", type->text);
    const char *now =
        sql_is(made, SQL_CAST)   ? arena_format(translation->arena, "CAST(… AS %s)",
                                                made->children[PAIR_RIGHT]->text)
        : sql_is(made, SQL_CALL) ? arena_format(translation->arena, "%s(…)", made->text)
                                 : NULL;
    if (now && !str_equal_nocase(was, now)) {
        translate_note(translation, was, now);
    }
    return made;
}

/* DATE '2024-01-31' */
struct sql_node *casts_typed(struct translation *translation, struct sql_node *node)
{
    enum value_class class = class_of_type(node->children[PAIR_LEFT]->text);
    struct sql_node *text = node->children[PAIR_RIGHT];
    if (class != CLASS_DATE && class != CLASS_TIMESTAMP) {
        return translate_refuse(translation, "a typed text has no equivalent");
    }
    if (translate_to(translation, "s")) {
        translate_tell(translation, "A date is written as text, as SQLite stores it.");
        return class_is_date(translation, text)
                   ? text
                   : translate_refuse(translation, "a date is written in another form");
    }
    return translate_to(translation, "co") && translation->from != translation->to
               ? make_cast(translation, text, type_name(translation->to, class))
               : NULL;
}

/* TRUE and FALSE are numbers to a database without truth values. */
struct sql_node *casts_constant(struct translation *translation, struct sql_node *node)
{
    bool truth = str_equal(node->text, "TRUE") || str_equal(node->text, "FALSE");
    return truth && translate_to(translation, "o") && translation->from != translation->to
               ? make_number(translation, str_equal(node->text, "TRUE"))
               : NULL;
}
