/* Headings of functions: aggregates, parts of dates, and what only changes how a value is shown. */
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "sql/describe/describe_heading.h"
#include "sql/describe/describe_words.h"

enum { LABEL_MOST = 40 };

struct naming {
    const char *name;
    const char *word; /* NULL: that of what it is applied to */
};

static const struct naming figures[] = {
    {"sum", "total"},
    {"total", "total"},
    {"avg", "average"},
    {"mean", "average"},
    {"median", "median"},
    {"min", "lowest"},
    {"max", "highest"},
    {"stddev", "deviation"},
    {"stddev_pop", "deviation"},
    {"stddev_samp", "deviation"},
    {"variance", "variance"},
    {"var_pop", "variance"},
    {"var_samp", "variance"},
    {"lag", "previous"},
    {"lead", "next"},
    {"mode", "most_frequent"},
};

static const struct naming words[] = {
    {"row_number", "rank"}, {"rank", "rank"},          {"dense_rank", "rank"},
    {"ntile", "group"},     {"percent_rank", "share"}, {"cume_dist", "share"},
    {"year", "year"},       {"quarter", "quarter"},    {"month", "month"},
    {"monthname", "month"}, {"week", "week"},          {"day", "day"},
    {"dayofmonth", "day"},  {"dayofweek", "weekday"},  {"weekday", "weekday"},
    {"dayname", "weekday"}, {"hour", "hour"},          {"date", "date"},
    {"length", "length"},   {"char_length", "length"}, {"age", "age"},
    {"concat", "text"},     {"concat_ws", "text"},     {"if", "label"},
    {"iif", "label"},
};

static const char *const formats[][2] = {
    {"%Y", "year"},        {"%m", "month"},   {"%Y-%m", "month"}, {"%d", "day"},
    {"%Y-%m-%d", "day"},   {"%H", "hour"},    {"%w", "weekday"},  {"%W", "week"},
    {"%j", "day"},         {"%Y-%W", "week"}, {"%M", "minute"},   {"YYYY", "year"},
    {"YYYY-MM", "month"},  {"MM", "month"},   {"Month", "month"}, {"Day", "weekday"},
    {"YYYY-MM-DD", "day"}, {"HH24", "hour"},  {"%A", "weekday"},  {"%B", "month"},
};

static const char *const dated[] = {"strftime",      "date_trunc",     "datetrunc",
                                    "date_part",     "datepart",       "to_char",
                                    "date_format",   "formatdatetime", "format_date",
                                    "timestampdiff", "date_diff",      "datediff"};

static const struct naming *naming_find(const struct naming *list, size_t count,
                                        const char *name)
{
    for (size_t i = 0; i < count; i++) {
        if (str_equal_nocase(list[i].name, name)) {
            return &list[i];
        }
    }
    return NULL;
}

bool heading_is_literal(const struct sql_node *node)
{
    return sql_is(node, SQL_NUMBER) || sql_is(node, SQL_STRING) ||
           sql_is(node, SQL_CONSTANT) || sql_is(node, SQL_TYPED_STRING) ||
           sql_is(node, SQL_INTERVAL);
}

static bool call_name_is_plain(const char *text)
{
    return !str_empty(text) && strlen(text) <= LABEL_MOST &&
           !strpbrk(text, "\"'`\\%\n\t");
}

static const char *literal(const struct sql_node *node)
{
    bool said = sql_is(node, SQL_STRING) || sql_is(node, SQL_NUMBER);
    return said && call_name_is_plain(node->text) ? node->text : NULL;
}

const char *heading_condition(struct heading *heading, const struct sql_node *node)
{
    if (sql_is(node, SQL_COLUMN)) {
        return heading_of(heading, node);
    }
    if (!sql_is(node, SQL_BINARY) ||
        (!str_equal(node->text, "=") && !str_equal(node->text, "=="))) {
        return NULL;
    }
    const struct sql_node *left = node->children[PAIR_LEFT];
    const struct sql_node *right = node->children[PAIR_RIGHT];
    const struct sql_node *value = heading_is_literal(right) ? right : left;
    const struct sql_node *other = value == right ? left : right;
    const char *label = literal(value);
    /* paid = 1: of a number alone nobody can tell what it says */
    return label && sql_is(value, SQL_NUMBER) && sql_is(other, SQL_COLUMN)
               ? arena_format(heading->arena, "%s_%s", heading_of(heading, other), label)
               : label;
}

/* MIN and MAX of a time are not low or high. */
static const char *figure_word(const char *word, const char *of)
{
    bool time = str_contains_nocase(of, "date") || str_contains_nocase(of, "time") ||
                str_ends(of, "_at") || str_ends(of, "_on");
    if (time && str_equal(word, "lowest")) {
        return "earliest";
    }
    return time && str_equal(word, "highest") ? "latest" : word;
}

static bool is_keyed(const char *name)
{
    return str_equal_nocase(name, "id") || str_ends(name, "_id") ||
           str_ends(name, "Id") || str_ends(name, "ID");
}

/* "customer_count" of different customer_id; rows with a key are rows. */
static const char *counted(struct heading *heading, const struct sql_node *call,
                           const struct sql_node *argument)
{
    if (!sql_is(argument, SQL_COLUMN)) {
        return "count";
    }
    const char *name = heading_of(heading, argument);
    bool keyed = is_keyed(name);
    size_t size = strlen(name) - (keyed ? 2 : 0);
    while (keyed && size && name[size - 1] == '_') {
        size--;
    }
    bool distinct =
        sql_has(call, FLAG_DISTINCT) || !str_equal_nocase(call->text, "count");
    return !size || (keyed && !distinct)
               ? "count"
               : arena_format(heading->arena, "%.*s_count", (int)size, name);
}

static bool runs(const struct sql_node *call)
{
    const struct sql_node *over = call->children[CALL_OVER];
    const struct sql_node *order =
        sql_is(over, SQL_WINDOW) ? over->children[WINDOW_ORDER] : NULL;
    return order && order->count;
}

/* An aggregate: its word, what it is of, and the condition on its rows. */
static const char *figure(struct heading *heading, const struct sql_node *call,
                          const struct naming *naming)
{
    bool zero = false;
    const struct sql_node *list = call->children[CALL_ARGUMENTS];
    const struct sql_node *argument = list && list->count ? list->children[0] : NULL;
    const struct sql_node *when = argument ? describe_case_single(argument, &zero) : NULL;
    const struct sql_node *filter = call->children[CALL_FILTER];
    const struct sql_node *condition = when                           ? when->children[0]
                                       : sql_is(argument, SQL_BINARY) ? argument
                                                                      : filter;
    const char *label = condition ? heading_condition(heading, condition) : NULL;
    const struct sql_node *of = when ? when->children[PAIR_RIGHT] : argument;
    if (!naming || heading_is_literal(of) || (label && condition == of)) {
        if (when && naming &&
            str_equal(naming->word, "average")) { /* of ones and zeros */
            return label ? arena_format(heading->arena, "%s_share", label) : "share";
        }
        const char *count = naming && heading_is_literal(of) && !when
                                ? naming->word
                                : counted(heading, call, of);
        return label ? label : count;
    }
    const char *inner = of ? heading_of(heading, of) : "value";
    const char *word = runs(call) && str_equal(naming->word, "total")
                           ? "running_total"
                           : figure_word(naming->word, inner);
    const char *name = str_equal(inner, "value") || str_starts_nocase(inner, word)
                           ? (str_equal(inner, "value") ? word : inner)
                           : arena_format(heading->arena, "%s_%s", word, inner);
    return label ? arena_format(heading->arena, "%s_%s", name, label) : name;
}

static bool is_dated(const char *name)
{
    for (size_t i = 0; i < sizeof dated / sizeof *dated; i++) {
        if (str_equal_nocase(dated[i], name)) {
            return true;
        }
    }
    return false;
}

/* strftime('%Y', x), date_trunc('month', x), to_char(x, 'YYYY-MM'), datediff(a, b) */
static const char *part_of_date(struct heading *heading, const struct sql_node *call)
{
    static const char *const units[] = {"year", "quarter", "month",  "week", "day",
                                        "hour", "minute",  "second", "dow",  "doy"};
    const struct sql_node *list = call->children[CALL_ARGUMENTS];
    bool between = str_ends(str_lower(heading->arena, call->text), "diff");
    for (size_t i = 0; list && i < list->count; i++) {
        const struct sql_node *argument = list->children[i];
        bool word = sql_is(argument, SQL_COLUMN) && argument->count == 1;
        const char *text = sql_is(argument, SQL_STRING) ? argument->text
                           : word                       ? argument->children[0]->text
                                                        : "";
        for (size_t j = 0; j < sizeof formats / sizeof *formats; j++) {
            if (str_equal(text, formats[j][0])) {
                return formats[j][1];
            }
        }
        for (size_t j = 0; j < sizeof units / sizeof *units; j++) {
            if (str_equal_nocase(text, units[j])) {
                return between ? arena_format(heading->arena, "%ss", units[j])
                       : str_equal(units[j], "dow") ? "weekday"
                       : str_equal(units[j], "doy") ? "day"
                                                    : units[j];
            }
        }
    }
    return between ? "days" : "date";
}

/* What it is applied to: round(x, 2), coalesce(x, 0). Of a person's names: "name". */
static const char *applied(struct heading *heading, const struct sql_node *call)
{
    const struct sql_node *list = call->children[CALL_ARGUMENTS];
    for (size_t i = 0; list && i < list->count; i++) {
        if (!heading_is_literal(list->children[i])) {
            return heading_of(heading, list->children[i]);
        }
    }
    return "value";
}

static bool is_counting(const char *name)
{
    return str_equal_nocase(name, "count") ||
           str_equal_nocase(name, "approx_count_distinct") ||
           str_equal_nocase(name, "uniq") || str_equal_nocase(name, "uniqExact") ||
           str_equal_nocase(name, "count_if") || str_equal_nocase(name, "countIf");
}

const char *heading_call(struct heading *heading, const struct sql_node *call)
{
    const char *name = str_or_empty(call->text);
    const struct naming *naming =
        naming_find(figures, sizeof figures / sizeof *figures, name);
    if (naming || is_counting(name)) {
        return figure(heading, call, naming);
    }
    if (is_dated(name)) {
        return part_of_date(heading, call);
    }
    naming = naming_find(words, sizeof words / sizeof *words, name);
    if (naming && str_equal(naming->word, "text")) {
        const char *of = applied(heading, call);
        return str_contains_nocase(of, "name") ? "name" : naming->word;
    }
    return naming ? naming->word : applied(heading, call);
}
