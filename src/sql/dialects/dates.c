/* Dates plus and minus a span of time, in the many ways dialects write it. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "sql/dialects/translate.h"

enum { SPAN_PARTS = 3 };

/* 30 days; 1 year 2 months; n weeks */
struct span {
    struct {
        struct sql_node *amount; /* of the statement as it was read */
        const char *unit;        /* "day" */
    } parts[SPAN_PARTS];
    size_t count;
};

static const struct unit {
    const char *name;
    const char *others; /* "|days|d|" */
    const char *sqlite;
    long times; /* of SQLite's unit */
    bool months;
    bool small; /* less than a day */
} units[] = {
    {"year", "|years|yyyy|yy|sql_tsi_year|", "months", 12, true, false},
    {"quarter", "|quarters|qq|q|", "months", 3, true, false},
    {"month", "|months|mm|mon|mons|", "months", 1, true, false},
    {"week", "|weeks|wk|ww|", "days", 7, false, false},
    {"day", "|days|dd|d|", "days", 1, false, false},
    {"hour", "|hours|hh|", "hours", 1, false, true},
    {"minute", "|minutes|mi|min|mins|", "minutes", 1, false, true},
    {"second", "|seconds|ss|sec|secs|", "seconds", 1, false, true},
};

static const struct unit *unit_find(struct arena *arena, const char *word)
{
    const char *part = arena_format(arena, "|%s|", str_lower(arena, word));
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        if (str_equal_nocase(units[i].name, word) || strstr(units[i].others, part)) {
            return &units[i];
        }
    }
    return NULL;
}

/* ------------------------------------------------------------------ reading */

static bool span_add(struct translation *translation, struct span *span,
                     struct sql_node *amount, const char *word)
{
    const struct unit *unit = word ? unit_find(translation->arena, word) : NULL;
    if (!unit || span->count == SPAN_PARTS) {
        return false;
    }
    span->parts[span->count].amount = amount;
    span->parts[span->count++].unit = unit->name;
    return true;
}

/* '30 days', '1 year 2 months', '-1 month' */
static bool span_text(struct translation *translation, const char *text,
                      struct span *span)
{
    while (*text) {
        char *end;
        long number = strtol(text, &end, 10);
        if (end == text || (*end != ' ' && !isalpha((unsigned char)*end))) {
            return false;
        }
        text = end + strspn(end, " ");
        size_t size = strcspn(text, " ");
        const char *word = arena_copy(translation->arena, text, size);
        if (!span_add(translation, span, make_number(translation, number), word)) {
            return false;
        }
        text += size + strspn(text + size, " ");
    }
    return span->count > 0;
}

static bool span_read(struct translation *translation, struct sql_node *node,
                      struct span *span)
{
    if (node->kind == SQL_CAST && node->children[PAIR_LEFT]->kind == SQL_STRING &&
        str_equal_nocase(node->children[PAIR_RIGHT]->text, "interval")) {
        return span_text(translation, node->children[PAIR_LEFT]->text, span);
    }
    if (node->kind == SQL_BINARY && strcmp(node->text, "*") == 0) {
        for (size_t side = 0; side < PAIR_SLOTS; side++) {
            struct span one = {0};
            struct sql_node *other = node->children[1 - side];
            if (span_read(translation, node->children[side], &one) && one.count == 1 &&
                sql_is(one.parts[0].amount, SQL_NUMBER) &&
                strcmp(one.parts[0].amount->text, "1") == 0 &&
                class_of(translation, other) == CLASS_INTEGER) {
                return span_add(translation, span, other, one.parts[0].unit);
            }
        }
        return false;
    }
    if (node->kind != SQL_INTERVAL) {
        return false;
    }
    struct sql_node *value = node->children[SINGLE_VALUE];
    if (value->kind != SQL_STRING) {
        return node->text && span_add(translation, span, value, node->text);
    }
    if (!node->text) {
        return span_text(translation, value->text, span);
    }
    char *end;
    long number = strtol(value->text, &end, 10);
    return end != value->text && !*end &&
           span_add(translation, span, make_number(translation, number), node->text);
}

/* ------------------------------------------------------------------ writing: SQLite */

static bool number_of(const struct sql_node *node, long *number)
{
    const struct sql_node *digits = node;
    bool minus = node->kind == SQL_UNARY && strcmp(node->text, "-") == 0;
    digits = minus ? node->children[SINGLE_VALUE] : digits;
    if (digits->kind != SQL_NUMBER || strlen(digits->text) > 9 ||
        strspn(digits->text, "0123456789") != strlen(digits->text)) {
        return false;
    }
    *number = strtol(digits->text, NULL, 10) * (minus ? -1 : 1);
    return true;
}

/* '+30 days', or n || ' days' */
static struct sql_node *modifier(struct translation *translation, struct sql_node *amount,
                                 const struct unit *unit, bool minus, long more)
{
    long number;
    if (number_of(amount, &number)) {
        number = (minus ? -number : number) * unit->times + more;
        const char *one = number == 1 || number == -1 ? "" : "s";
        return make_string(
            translation, arena_format(translation->arena, "%+ld %.*s%s", number,
                                      (int)strlen(unit->sqlite) - 1, unit->sqlite, one));
    }
    struct sql_node *value = sql_clone(translation->arena, amount);
    if (unit->times != 1) {
        value = make_pair(translation, "*", value, make_number(translation, unit->times));
    }
    if (minus) {
        value = make_pair(translation, "-", make_number(translation, more), value);
    } else if (more) {
        value = make_pair(translation, "+", value, make_number(translation, more));
    }
    return make_pair(
        translation, "||", value,
        make_string(translation, arena_format(translation->arena, " %s", unit->sqlite)));
}

/* date(x, 'a', 'b') of a call that was made here already, one modifier longer */
static struct sql_node *extended(struct translation *translation, const char *name,
                                 struct sql_node *base, struct sql_node *more)
{
    struct sql_node *call = NULL;
    if (sql_is(base, SQL_CONSTANT)) {
        call = make_call(translation, name, make_string(translation, "now"), NULL, NULL);
    } else if (sql_is(base, SQL_CALL) && (str_equal_nocase(base->text, "date") ||
                                          str_equal_nocase(base->text, "datetime"))) {
        bool whole =
            str_equal_nocase(base->text, "date") && !str_equal_nocase(name, base->text);
        call = whole ? NULL : sql_clone(translation->arena, base);
    }
    if (!call) {
        call =
            make_call(translation, name, sql_clone(translation->arena, base), NULL, NULL);
    }
    call->text = name;
    sql_add(translation->arena, call->children[CALL_ARGUMENTS], more);
    return call;
}

/* Does it stand on the first of a month? Then no month is too short for it. */
static bool is_first(const struct sql_node *base)
{
    if (!sql_is(base, SQL_CALL)) {
        return false;
    }
    bool first = false;
    for (size_t i = 1; i < base->children[CALL_ARGUMENTS]->count; i++) {
        const struct sql_node *one = base->children[CALL_ARGUMENTS]->children[i];
        bool start = sql_is(one, SQL_STRING) && (str_equal(one->text, "start of month") ||
                                                 str_equal(one->text, "start of year"));
        bool months = (sql_is(one, SQL_STRING) && (strstr(one->text, "month"))) ||
                      sql_is(one, SQL_BINARY);
        first = start || (first && months);
    }
    return first;
}

/* SQLite makes March 3rd of January 31st plus a month; other engines the last of
 * February. The earlier of both is what they say. */
static struct sql_node *add_months(struct translation *translation, struct sql_node *base,
                                   struct sql_node *amount, const struct unit *unit,
                                   bool minus, const char *name)
{
    struct sql_node *plain =
        extended(translation, name, base, modifier(translation, amount, unit, minus, 0));
    if (is_first(base)) {
        return plain;
    }
    struct sql_node *last =
        extended(translation, "date", base, make_string(translation, "start of month"));
    struct sql_node *list = last->children[CALL_ARGUMENTS];
    sql_add(translation->arena, list, modifier(translation, amount, unit, minus, 1));
    sql_add(translation->arena, list, make_string(translation, "-1 day"));
    if (str_equal(name, "datetime")) {
        struct sql_node *now = sql_is(base, SQL_CONSTANT)
                                   ? make_string(translation, "now")
                                   : sql_clone(translation->arena, base);
        last =
            make_pair(translation, "||",
                      make_pair(translation, "||", last, make_string(translation, " ")),
                      make_call(translation, "time", now, NULL, NULL));
    }
    return make_call(translation, "min", plain, last, NULL);
}

static struct sql_node *add_sqlite(struct translation *translation, struct sql_node *base,
                                   struct sql_node *amount, const struct unit *unit,
                                   bool minus, enum value_class class)
{
    if (class != CLASS_DATE && class != CLASS_TIMESTAMP) {
        return translate_refuse(translation,
                                "it is not known whether it is a date or a timestamp");
    }
    const char *name = class == CLASS_DATE && !unit->small ? "date" : "datetime";
    return unit->months ? add_months(translation, base, amount, unit, minus, name)
                        : extended(translation, name, base,
                                   modifier(translation, amount, unit, minus, 0));
}

/* ------------------------------------------------------------------ writing: the
 * others */

static struct sql_node *make_interval(struct translation *translation,
                                      struct sql_node *amount, const struct unit *unit)
{
    struct sql_node *node = sql_node(translation->arena, SQL_INTERVAL, NULL);
    long number;
    bool literal = number_of(amount, &number);
    if (translate_to(translation, "p")) {
        const char *text =
            literal ? arena_format(translation->arena, "%ld %s%s", number, unit->name,
                                   number == 1 || number == -1 ? "" : "s")
                    : arena_format(translation->arena, "1 %s", unit->name);
        node->children[SINGLE_VALUE] = make_string(translation, text);
        return literal ? node : make_pair(translation, "*", amount, node);
    }
    char *word = arena_text(translation->arena, unit->name);
    for (char *c = word; *c; c++) {
        *c = (char)toupper((unsigned char)*c);
    }
    node->text = word;
    node->children[SINGLE_VALUE] = amount;
    return node;
}

/* dates.c: date + n units; n negative: minus */
static struct sql_node *dates_add(struct translation *translation, struct sql_node *base,
                                  struct sql_node *amount, const char *word, bool minus,
                                  enum value_class class)
{
    const struct unit *unit = unit_find(translation->arena, word);
    if (!unit) {
        return translate_refuse(translation, "the unit of time is not known");
    }
    if (translate_to(translation, "s")) {
        return add_sqlite(translation, base, amount, unit, minus, class);
    }
    if (translate_to(translation, "o")) {
        struct sql_node *number = amount;
        if (minus) {
            long digits;
            number =
                number_of(amount, &digits)
                    ? make_number(translation, -digits)
                    : make_pair(translation, "-", make_number(translation, 0), amount);
        }
        return make_call(translation, "DATEADD", make_column(translation, unit->name),
                         number, base);
    }
    struct sql_node *interval = make_interval(translation, amount, unit);
    if (translate_to(translation, "b")) {
        bool stamp = class == CLASS_TIMESTAMP;
        return make_call(translation,
                         stamp ? (minus ? "TIMESTAMP_SUB" : "TIMESTAMP_ADD")
                               : (minus ? "DATE_SUB" : "DATE_ADD"),
                         base, interval, NULL);
    }
    return make_pair(translation, minus ? "-" : "+", base, interval);
}

static struct sql_node *add_span(struct translation *translation, struct sql_node *base,
                                 struct span *span, bool minus)
{
    enum value_class class = class_of(translation, base);
    if (sql_is(base, SQL_STRING) && class_is_date(translation, base)) {
        class = strlen(base->text) > 10 ? CLASS_TIMESTAMP : CLASS_DATE;
    }
    struct sql_node *made = translate_node(translation, base);
    for (size_t i = 0; i < span->count && made && !translation->impossible; i++) {
        made = dates_add(translation, made,
                         translate_node(translation, span->parts[i].amount),
                         span->parts[i].unit, minus, class);
    }
    if (translate_to(translation, "sbo") || translate_from(translation, "sbo")) {
        translate_note(translation, "INTERVAL",
                       made ? node_title(translation, made) : "");
    }
    return made;
}

/* ------------------------------------------------------------------ the statement's
 * ways */

/* SQLite knows neither day plus number nor day minus day. */
static struct sql_node *days_binary(struct translation *translation,
                                    struct sql_node *node, bool minus)
{
    struct sql_node *left = node->children[PAIR_LEFT];
    struct sql_node *right = node->children[PAIR_RIGHT];
    enum value_class class = class_of(translation, left);
    enum value_class other = class_of(translation, right);
    if (minus && !translate_to(translation, "pd") &&
        (class == CLASS_TIMESTAMP || other == CLASS_TIMESTAMP)) {
        return translate_refuse(translation, "the time between two times is no number");
    }
    if (!translate_from(translation, "pd") || class != CLASS_DATE) {
        return NULL;
    }
    if (other == CLASS_INTEGER) {
        struct sql_node *made =
            dates_add(translation, translate_node(translation, left),
                      translate_node(translation, right), "day", minus, CLASS_DATE);
        if (!translate_to(translation, "pd")) {
            translate_tell(translation,
                           "A number of days was added to a date by a function.");
        }
        return made;
    }
    if (minus && other == CLASS_DATE && !translate_to(translation, "pd")) {
        translate_tell(translation, "Days between two dates were counted by a function.");
        return forms_make(translation, "days between", translate_node(translation, left),
                          translate_node(translation, right));
    }
    return NULL;
}

struct sql_node *dates_binary(struct translation *translation, struct sql_node *node)
{
    bool minus = strcmp(node->text, "-") == 0;
    struct span span = {0};
    if (!minus && strcmp(node->text, "+") != 0) {
        return NULL;
    }
    if (translation->from == translation->to) {
        return NULL;
    }
    if (span_read(translation, node->children[PAIR_RIGHT], &span)) {
        return add_span(translation, node->children[PAIR_LEFT], &span, minus);
    }
    span.count = 0;
    if (!minus && span_read(translation, node->children[PAIR_LEFT], &span)) {
        return add_span(translation, node->children[PAIR_RIGHT], &span, false);
    }
    return days_binary(translation, node, minus);
}

/* date(x, 'start of month', '-1 month') of SQLite, read from left to right */
static struct sql_node *from_sqlite(struct translation *translation,
                                    struct sql_node *call)
{
    struct sql_node *list = call->children[CALL_ARGUMENTS];
    bool day = str_equal_nocase(call->text, "date");
    if (list->count < 1 || (!day && !str_equal_nocase(call->text, "datetime"))) {
        return NULL;
    }
    bool now = sql_is(list->children[0], SQL_STRING) &&
               str_equal_nocase(list->children[0]->text, "now");
    if (list->count == 1) {
        return NULL; /* a form */
    }
    struct sql_node *made =
        now ? forms_make(translation, day ? "today" : "now", NULL, NULL)
            : translate_node(translation, list->children[0]);
    enum value_class class = day ? CLASS_DATE : CLASS_TIMESTAMP;
    if (!now && day) {
        made = forms_make(translation, "trunc day", made, NULL);
    }
    bool first = false;
    for (size_t i = 1; i < list->count && !translation->impossible; i++) {
        const struct sql_node *one = list->children[i];
        struct span span = {0};
        if (!sql_is(one, SQL_STRING)) {
            return translate_refuse(translation, "a modifier is computed");
        }
        if (str_starts(one->text, "start of ")) {
            made = forms_make(translation,
                              arena_format(translation->arena, "trunc %s", one->text + 9),
                              made, NULL);
            first = first || !str_equal(one->text, "start of day");
        } else if (span_text(translation, one->text + (one->text[0] == '+'), &span) &&
                   span.count == 1) {
            const struct unit *unit = unit_find(translation->arena, span.parts[0].unit);
            if (unit->months && !first) {
                return translate_refuse(
                    translation, "months that are too short are counted otherwise");
            }
            first = first && unit->months;
            made = dates_add(translation, made, span.parts[0].amount, unit->name, false,
                             class);
        } else {
            return translate_refuse(translation, "a modifier has no equivalent");
        }
        if (!made) {
            return translate_refuse(translation, "a modifier has no equivalent");
        }
    }
    translate_note(translation, call->text, "date arithmetic");
    return made;
}

/* DATEADD(day, 5, x): unit, amount, date */
static struct sql_node *from_parts(struct translation *translation, struct sql_node *call)
{
    struct sql_node *unit = call_argument(call, 0);
    const char *word = sql_is(unit, SQL_COLUMN)   ? unit->children[0]->text
                       : sql_is(unit, SQL_STRING) ? unit->text
                                                  : NULL;
    struct span span = {0};
    if (!word || !span_add(translation, &span, call_argument(call, 1), word)) {
        return translate_refuse(translation, "the unit of time is not known");
    }
    translate_note(translation, call->text, "date arithmetic");
    return add_span(translation, call_argument(call, 2), &span, false);
}

struct sql_node *dates_call(struct translation *translation, struct sql_node *node)
{
    if (translation->from == translation->to) {
        return NULL;
    }
    if (translate_from(translation, "s")) {
        return from_sqlite(translation, node);
    }
    if (is_call(node, "dateadd", 3) ||
        (is_call(node, "date_add", 3) && translate_from(translation, "co"))) {
        return from_parts(translation, node);
    }
    static const struct {
        const char *name;
        bool minus;
    } names[] = {{"date_add", false},      {"date_sub", true},
                 {"adddate", false},       {"subdate", true},
                 {"timestamp_add", false}, {"timestamp_sub", true},
                 {"datetime_add", false},  {"datetime_sub", true}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct span span = {0};
        if (is_call(node, names[i].name, 2) &&
            span_read(translation, call_argument(node, 1), &span)) {
            const char *was = node->text;
            struct sql_node *made =
                add_span(translation, call_argument(node, 0), &span, names[i].minus);
            if (made && !translate_to(translation, "b")) {
                translate_note(translation, was, node_title(translation, made));
            }
            return made;
        }
    }
    return NULL;
}
