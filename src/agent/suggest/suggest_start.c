/*
 * Questions to begin with: how a figure developed, who leads, two years against each
 * other, a figure for each kind. They are made from named figures, dates and keys, of the
 * tables that record what happened. Where a database has none of these, the questions of
 * suggest_questions() follow.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "agent/suggest/suggest.h"
#include "agent/suggest/suggest_columns.h"
#include "base/arena.h"
#include "base/str.h"

enum {
    FACTS_MOST = 3,
    YEAR = 4,  /* letters of "2025-06-30" */
    MONTH = 7, /* and with its month */
    LEADERS_LEAST = 6,
    LEVELS_MOST = 6, /* 10, 100, … rows: more of them tell no more */
};

/* A table that records what happened, and what can be asked of it. */
struct fact {
    const struct table *table;
    const char *things;           /* "orders"; "rows" of the only table */
    const char *figure;           /* "revenue", "total amount of orders"; NULL: none */
    const struct column *date;    /* or NULL, like the next ones */
    const struct column *kind;    /* a category */
    const struct table *referred; /* with a name to show */
    int score;
};

static const struct column *column_where(const struct table *table,
                                         bool (*fits)(const struct table *table,
                                                      const struct column *column))
{
    for (size_t i = 0; i < table->columns.count; i++) {
        const struct column *column = &table->columns.items[i];
        if (!suggest_is_key(table, column) && fits(table, column)) {
            return column;
        }
    }
    return NULL;
}

/* Its least and greatest value begin like "2024-05". */
static bool is_dated(const struct table *table, const struct column *column)
{
    const char *ends[] = {column->least, column->greatest};
    for (size_t i = 0; i < 2; i++) {
        for (size_t at = 0; at < MONTH; at++) {
            char c = ends[i] ? ends[i][at] : '\0';
            if (at == YEAR ? c != '-' : !isdigit((unsigned char)c)) {
                return false;
            }
        }
    }
    return suggest_is_date(table, column) && strncmp(ends[0], ends[1], MONTH) != 0;
}

static bool is_name(const struct table *table, const struct column *column)
{
    (void)table;
    return column->is_text && (str_contains_nocase(column->name, "name") ||
                               str_contains_nocase(column->name, "title"));
}

/* A few kinds, and no remarks that happen to repeat. */
static bool is_kind(const struct table *table, const struct column *column)
{
    static const char *const remarks[] = {"comment", "note", "description", "remark",
                                          "text",    "body", "message"};
    for (size_t i = 0; i < sizeof remarks / sizeof *remarks; i++) {
        if (str_contains_nocase(column->name, remarks[i])) {
            return false;
        }
    }
    return suggest_is_category(table, column);
}

/* Amounts are added up; prices, ages and ratings are averaged. */
static const char *function_for(const struct column *measure)
{
    static const char *const sums[] = {"amount",  "quantity", "revenue", "units",
                                       "sales",   "total",    "sum",     "turnover",
                                       "minutes", "hours",    "count"};
    for (size_t i = 0; i < sizeof sums / sizeof *sums; i++) {
        if (str_contains_nocase(measure->name, sums[i])) {
            return str_contains_nocase(measure->name, "total") ? "" : "total ";
        }
    }
    return "average ";
}

/* A figure that somebody named comes first. */
static const char *figure_of(struct arena *arena, const struct table *table,
                             const char *things, bool alone)
{
    for (size_t i = 0; i < table->metrics.count; i++) {
        if (!table->metrics.items[i].derived) {
            return suggest_words(arena, table->metrics.items[i].name);
        }
    }
    const struct column *measure = column_where(table, suggest_is_measure);
    if (!measure) {
        return NULL;
    }
    const char *words = suggest_words(arena, measure->name);
    return alone
               ? arena_format(arena, "%s%s", function_for(measure), words)
               : arena_format(arena, "%s%s of %s", function_for(measure), words, things);
}

/* The table that it refers to most usefully: with names, and enough rows to rank. */
static const struct table *referred_by(const struct schema *schema,
                                       const struct table *table)
{
    const struct table *best = NULL;
    for (size_t i = 0; i < table->foreign_keys.count; i++) {
        const struct foreign_key *key = &table->foreign_keys.items[i];
        const struct table *other = schema_table(schema, key->table);
        bool fits = other && other != table && key->columns.count == 1 &&
                    key->confidence >= 1 && !other->is_view &&
                    other->row_count >= LEADERS_LEAST && column_where(other, is_name);
        if (fits && (!best || other->row_count > best->row_count)) {
            best = other;
        }
    }
    return best;
}

static int levels(int64_t rows)
{
    int level = 0;
    for (; rows >= 10 && level < LEVELS_MOST; rows /= 10) {
        level++;
    }
    return level;
}

static struct fact fact_of(struct arena *arena, const struct schema *schema,
                           const struct table *table)
{
    bool alone = schema->tables.count == 1;
    struct fact fact = {.table = table};
    if (table->is_view || table->parent || table->row_count == 0) {
        return fact;
    }
    fact.things = suggest_things_in(arena, schema, table);
    fact.figure = figure_of(arena, table, fact.things, alone);
    fact.date = column_where(table, is_dated);
    fact.kind = column_where(table, is_kind);
    fact.referred = referred_by(schema, table);
    fact.score = (fact.date ? 4 : 0) + (fact.figure ? 4 : 0) + (fact.kind ? 2 : 0) +
                 (fact.referred ? 3 : 0) + (table->metrics.count ? 2 : 0);
    fact.score += fact.score ? levels(table->row_count) : 0;
    return fact;
}

/* The tables with the most to tell, best first; returns how many. */
static size_t best_facts(struct arena *arena, const struct schema *schema,
                         struct fact out[FACTS_MOST])
{
    size_t count = 0;
    for (size_t i = 0; i < schema->tables.count; i++) {
        struct fact fact = fact_of(arena, schema, &schema->tables.items[i]);
        size_t at = count;
        for (; at > 0 && out[at - 1].score < fact.score; at--) {
            if (at < FACTS_MOST) {
                out[at] = out[at - 1];
            }
        }
        if (fact.score > 0 && at < FACTS_MOST) {
            out[at] = fact;
            count += count < FACTS_MOST;
        }
    }
    return count;
}

/* --------------------------------------------------------------------- the rules */

/* How it developed in the last year of the data. */
static const char *trend(struct arena *arena, const struct fact *fact)
{
    if (!fact->date) {
        return NULL;
    }
    const char *year = fact->date->greatest;
    return fact->figure ? arena_format(arena, "What is the %s per month in %.4s?",
                                       fact->figure, year)
                        : arena_format(arena, "How many %s were there per month in %.4s?",
                                       fact->things, year);
}

static const char *leaders(struct arena *arena, const struct fact *fact)
{
    return fact->referred
               ? arena_format(arena, "Top 5 %s by number of %s",
                              suggest_things(arena, fact->referred), fact->things)
               : NULL;
}

/* The last two years against each other. */
static const char *years(struct arena *arena, const struct fact *fact)
{
    if (!fact->date || !fact->kind ||
        strncmp(fact->date->least, fact->date->greatest, YEAR) == 0) {
        return NULL;
    }
    int64_t last = strtoll(arena_format(arena, "%.4s", fact->date->greatest), NULL, 10);
    return arena_format(arena, "How many %s were there per %s in %lld and %lld?",
                        fact->things, suggest_words(arena, fact->kind->name),
                        (long long)last - 1, (long long)last);
}

static const char *kinds(struct arena *arena, const struct fact *fact)
{
    return fact->figure && fact->kind
               ? arena_format(arena, "What is the %s for each %s?", fact->figure,
                              suggest_words(arena, fact->kind->name))
               : NULL;
}

static const char *counts(struct arena *arena, const struct fact *fact)
{
    return fact->kind ? arena_format(arena, "How many %s are there for each %s?",
                                     fact->things, suggest_words(arena, fact->kind->name))
                      : NULL;
}

typedef const char *rule(struct arena *arena, const struct fact *fact);

/* Which rule for which fact, in the order in which they are shown. */
static const struct {
    rule *rule;
    size_t fact;
} shown[] = {
    {trend, 0}, {leaders, 0}, {years, 0},  {kinds, 1},  {kinds, 0}, {trend, 1},
    {kinds, 2}, {leaders, 1}, {counts, 0}, {counts, 1}, {trend, 2},
};

static bool has(const struct texts *texts, const char *text)
{
    for (size_t i = 0; i < texts->count; i++) {
        if (str_equal(texts->items[i], text)) {
            return true;
        }
    }
    return false;
}

void suggest_beginnings(struct arena *arena, const struct schema *schema, size_t most,
                        struct texts *out)
{
    struct fact facts[FACTS_MOST];
    struct texts others = {0};
    size_t count = best_facts(arena, schema, facts);
    for (size_t i = 0; i < sizeof shown / sizeof *shown && out->count < most; i++) {
        const char *question =
            shown[i].fact < count ? shown[i].rule(arena, &facts[shown[i].fact]) : NULL;
        if (question && !has(out, question)) {
            VEC_PUSH(arena, out, question);
        }
    }
    if (out->count >= most / 2) {
        return;
    }
    suggest_questions(arena, schema, most, &others);
    for (size_t i = 0; i < others.count && out->count < most; i++) {
        if (!has(out, others.items[i])) {
            VEC_PUSH(arena, out, others.items[i]);
        }
    }
}
