/* Finds literals that were computed from today's date by looking at the literals, because
 * the words of the question differ by language. */
#include "agent/memory/clock_made.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "agent/understand/intent_rules.h"
#include "base/str.h"
#include "sql/statement.h"

enum { YEAR_LEAST = 1900, YEAR_MOST = 2100 };

/* The digits as a number of their own: "2024" is not in "12024". */
static bool names_digits(const char *question, const char *digits, size_t size)
{
    for (const char *at = question; (at = strstr(at, digits)) != NULL; at++) {
        bool starts = at == question || !isdigit((unsigned char)at[-1]);
        if (starts && !isdigit((unsigned char)at[size])) {
            return true;
        }
    }
    return false;
}

static bool names_year(struct arena *arena, const char *question, long year)
{
    const char *digits = arena_format(arena, "%ld", year);
    return names_digits(question, digits, strlen(digits));
}

/* Only digits and separators of dates and times. */
static bool is_figures(const char *text)
{
    return isdigit((unsigned char)*text) &&
           text[strspn(text, "0123456789-/:.T Z+")] == '\0';
}

/* A year that the question mentions, or the end of an adjacent one: "in 2024" is from
 * 2024-01-01 until before 2025-01-01. */
static bool date_is_asked_for(struct arena *arena, const char *text, const char *question)
{
    long year = strtol(text, NULL, 10);
    if (names_year(arena, question, year)) {
        return true;
    }
    return (str_starts(text + 4, "-01-01") && names_year(arena, question, year - 1)) ||
           (str_starts(text + 4, "-12-31") && names_year(arena, question, year + 1));
}

static bool year_like(const char *text, size_t digits)
{
    long year = digits == 4 ? strtol(text, NULL, 10) : 0;
    return year >= YEAR_LEAST && year <= YEAR_MOST;
}

static bool string_is_made(struct arena *arena, const char *text, const char *question,
                           const char *today)
{
    if (!is_figures(text) || strstr(question, text)) {
        return false;
    }
    size_t digits = strspn(text, "0123456789");
    if (year_like(text, digits)) {
        return strncmp(text, today, 10) == 0 || !date_is_asked_for(arena, text, question);
    }
    return true; /* '11' of strftime('%m', …), which no word of the question says */
}

/* LIMIT 10 for "the ten best" does not depend on the date. */
static bool number_is_made(struct arena *arena, const char *text, const char *question)
{
    size_t digits = strspn(text, "0123456789");
    if (text[digits] != '\0' || names_digits(question, text, digits)) {
        return false;
    }
    return year_like(text, digits) || (digits <= 2 && strtol(text, NULL, 10) > 1 &&
                                       intent_uses_clock(arena, question));
}

struct search {
    struct arena *arena;
    const char *question;
    const char *today;
    struct sql_nodes queries;
    bool found;
};

static bool is_limit(const struct search *search, const struct sql_node *node)
{
    for (size_t i = 0; i < search->queries.count; i++) {
        if (search->queries.items[i]->children[QUERY_LIMIT] == node) {
            return true;
        }
    }
    return false;
}

static bool clock_made_visit(void *context, struct sql_node *node)
{
    struct search *search = context;
    if (node->kind == SQL_STRING) {
        search->found = search->found || string_is_made(search->arena, node->text,
                                                        search->question, search->today);
    } else if (node->kind == SQL_NUMBER && !is_limit(search, node)) {
        search->found =
            search->found || number_is_made(search->arena, node->text, search->question);
    }
    return !search->found;
}

bool clock_made(struct arena *arena, const struct sql_statement *statement,
                const char *question, const char *today)
{
    struct search search = {.arena = arena, .question = question, .today = today};
    if (!statement->root) {
        return true;
    }
    sql_collect(arena, statement->root, SQL_QUERY, &search.queries);
    sql_walk(statement->root, clock_made_visit, &search);
    return search.found;
}
