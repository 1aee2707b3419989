/*
 * Questions that a schema offers by itself, by four rules: count, aggregate a number,
 * group by a category, filter by a sample value. Each is complete in itself, so that the
 * parser or a model can answer it outside of a conversation.
 */
#include <ctype.h>
#include <string.h>

#include "agent/suggest/suggest.h"
#include "agent/suggest/suggest_columns.h"
#include "agent/suggest/suggest_facts.h"
#include "base/arena.h"
#include "base/memory.h"
#include "base/str.h"
#include "knowledge/words/words.h"

enum { TABLES_MOST = 8, TEXT_MOST = 512 };

/* Who takes the questions of a table one by one; false: no more of them. */
struct taker {
    bool (*take)(const struct taker *taker, enum suggest_rule rule, const char *question);
    struct arena *arena;
    const struct suggest_answer *about;
    size_t most;
    void *out;
};

/* Amounts are added up; prices, ages and shares are averaged. */
static const char *function_for(const struct column *measure)
{
    static const char *const sums[] = {"amount", "quantity", "revenue", "units", "sales"};
    for (size_t i = 0; i < sizeof sums / sizeof *sums; i++) {
        if (str_contains_nocase(measure->name, sums[i]) &&
            !str_contains_nocase(measure->name, "total")) {
            return "total";
        }
    }
    return "average";
}

/* The pieces in a row; the last one is NULL. Quicker than a format. */
static const char *say(struct arena *arena, const char *const *pieces)
{
    size_t size = 0;
    for (const char *const *piece = pieces; *piece; piece++) {
        size += strlen(*piece);
    }
    char *text = arena_alloc(arena, size + 1);
    char *at = text;
    for (const char *const *piece = pieces; *piece; piece++) {
        size_t length = strlen(*piece);
        memcpy(at, *piece, length);
        at += length;
    }
    *at = '\0';
    return text;
}

#define SAY(arena, ...) say(arena, (const char *const[]){__VA_ARGS__, NULL})

static const char *count_text(struct suggest_facts *facts)
{
    return SAY(facts->arena, "How many ", suggest_facts_things(facts), " are there?");
}

static const char *aggregate_text(struct suggest_facts *facts,
                                  const struct column *measure)
{
    return SAY(facts->arena, "What is the ", function_for(measure), " ",
               suggest_facts_words(facts, measure), " of all ",
               suggest_facts_things(facts), "?");
}

/* measure NULL: the rows are counted */
static const char *group_text(struct suggest_facts *facts, const struct column *category,
                              const struct column *measure)
{
    const char *things = suggest_facts_things(facts);
    const char *kind = suggest_facts_words(facts, category);
    return measure ? SAY(facts->arena, "What is the ", function_for(measure), " ",
                         suggest_facts_words(facts, measure), " of ", things,
                         " for each ", kind, "?")
                   : SAY(facts->arena, "How many ", things, " are there for each ", kind,
                         "?");
}

/* A value that could be read as a word of the sentence ("NO", "all") is quoted. */
static bool reads_as_word(const char *cell)
{
    struct words words;
    struct word word;
    words_init(&words, cell);
    return strlen(cell) < 4 || (words_next(&words, &word) && word_is_common(word.folded));
}

static const char *filter_text(struct suggest_facts *facts, const struct column *category,
                               const char *cell)
{
    const char *quote = reads_as_word(cell) ? "\"" : "";
    return SAY(facts->arena, "Show all ", suggest_facts_things(facts), " whose ",
               suggest_facts_words(facts, category), " is ", quote, cell, quote);
}

static bool category_texts(const struct taker *taker, struct suggest_facts *facts,
                           const struct column *column, const struct column *measure)
{
    return (!measure ||
            taker->take(taker, SUGGEST_GROUP, group_text(facts, column, measure))) &&
           taker->take(taker, SUGGEST_GROUP, group_text(facts, column, NULL)) &&
           (!suggest_is_sayable(column->samples.items[0]) ||
            taker->take(taker, SUGGEST_FILTER,
                        filter_text(facts, column, column->samples.items[0])));
}

/* All questions that the rules give for one table, until the taker has enough. */
static void table_texts(const struct taker *taker, struct suggest_facts *facts)
{
    const struct table *table = facts->table;
    bool more = taker->take(taker, SUGGEST_COUNT, count_text(facts));
    if (table->row_count == 0) {
        return; /* the rest would find nothing */
    }
    for (size_t i = 0; more && i < table->columns.count; i++) {
        const struct column *column = &table->columns.items[i];
        more = !suggest_facts_is_measure(facts, column) ||
               taker->take(taker, SUGGEST_AGGREGATE, aggregate_text(facts, column));
    }
    const struct column *measure = more ? suggest_facts_measure(facts) : NULL;
    for (size_t i = 0; more && i < table->columns.count; i++) {
        const struct column *column = &table->columns.items[i];
        more = !suggest_facts_is_category(facts, column) ||
               category_texts(taker, facts, column, measure);
    }
}

static bool take_all(const struct taker *taker, enum suggest_rule rule,
                     const char *question)
{
    struct suggestions *all = taker->out;
    VEC_PUSH(taker->arena, all, ((struct suggestion){rule, question}));
    return true;
}

/* schema NULL: unknown */
static void offers_of(struct arena *arena, const struct schema *schema,
                      const struct table *table, struct suggestions *out)
{
    struct taker taker = {.take = take_all, .arena = arena, .out = out};
    struct suggest_facts facts;
    suggest_facts_init(&facts, arena, table);
    facts.things = schema ? suggest_things_in(arena, schema, table) : NULL;
    table_texts(&taker, &facts);
}

void suggest_table(struct arena *arena, const struct table *table,
                   struct suggestions *out)
{
    offers_of(arena, NULL, table, out);
}

static bool has_measure(const struct table *table)
{
    for (size_t i = 0; i < table->columns.count; i++) {
        if (suggest_is_measure(table, &table->columns.items[i])) {
            return true;
        }
    }
    return false;
}

/* People talk about tables that others refer to, and that have something to tell. */
static void score_tables(const struct schema *schema, int *scores)
{
    const struct tables *tables = &schema->tables;
    for (size_t i = 0; i < tables->count; i++) {
        const struct table *table = &tables->items[i];
        bool category = false;
        for (size_t c = 0; c < table->columns.count; c++) {
            category = category || suggest_is_category(table, &table->columns.items[c]);
        }
        scores[i] += 1 + (has_measure(table) ? 3 : 0) + (category ? 3 : 0);
        scores[i] = table->row_count == 0 ? 1 : scores[i];
        scores[i] = table->is_view ? 0 : scores[i];
        for (size_t k = 0; k < table->foreign_keys.count; k++) {
            const struct table *other =
                schema_table(schema, table->foreign_keys.items[k].table);
            if (other && !other->is_view && other->row_count != 0) {
                scores[other - tables->items]++;
            }
        }
    }
}

/* The tables with the most to tell, best first; returns how many. */
static size_t best_tables(const struct schema *schema, const struct table **out)
{
    int *scores = memory_array(schema->tables.count + 1, sizeof *scores);
    score_tables(schema, scores);
    size_t count = 0;
    while (count < TABLES_MOST) {
        size_t best = 0;
        for (size_t i = 0; i < schema->tables.count; i++) {
            best = scores[i] > scores[best] ? i : best;
        }
        if (schema->tables.count == 0 || scores[best] <= 0) {
            break;
        }
        scores[best] = 0;
        out[count++] = &schema->tables.items[best];
    }
    memory_free(scores);
    return count;
}

/* The letters and digits of both are the same. */
static bool same_question(const char *a, const char *b)
{
    for (;;) {
        while (*a && !isalnum((unsigned char)*a)) {
            a++;
        }
        while (*b && !isalnum((unsigned char)*b)) {
            b++;
        }
        if (!*a || !*b || tolower((unsigned char)*a) != tolower((unsigned char)*b)) {
            return !*a && !*b;
        }
        a++;
        b++;
    }
}

static bool has(const struct texts *texts, const char *text)
{
    for (size_t i = 0; i < texts->count; i++) {
        if (same_question(texts->items[i], text)) {
            return true;
        }
    }
    return false;
}

/* The table's first question by the rule that is not among the texts; NULL: none left. */
static const char *next_of(const struct suggestions *from, enum suggest_rule rule,
                           const struct texts *texts)
{
    for (size_t i = 0; i < from->count; i++) {
        if (from->items[i].rule == rule && !has(texts, from->items[i].question)) {
            return from->items[i].question;
        }
    }
    return NULL;
}

void suggest_questions(struct arena *arena, const struct schema *schema, size_t most,
                       struct texts *out)
{
    const struct table *tables[TABLES_MOST];
    struct suggestions offers[TABLES_MOST] = {{0}};
    size_t count = best_tables(schema, tables);
    for (size_t i = 0; i < count; i++) {
        offers_of(arena, schema, tables[i], &offers[i]);
    }
    /* Each table by another rule, so that few questions show all of them. */
    bool found = true;
    for (size_t round = 0; found && out->count < most; round++) {
        found = round < SUGGEST_RULES;
        for (size_t i = 0; i < count && out->count < most; i++) {
            enum suggest_rule rule = (enum suggest_rule)((i + round) % SUGGEST_RULES);
            const char *question = next_of(&offers[i], rule, out);
            if (question) {
                VEC_PUSH(arena, out, question);
                found = true;
            }
        }
    }
}

/* Does one of the texts of the SQL end in this name: "o.status" in "status"? */
static bool names_column(const struct texts *texts, const struct column *column)
{
    for (size_t i = 0; i < texts->count; i++) {
        const char *text = texts->items[i];
        size_t size = strlen(column->name);
        for (const char *at = text; *at; at++) {
            bool begins =
                at == text || !(isalnum((unsigned char)at[-1]) || at[-1] == '_');
            if (begins && str_starts_nocase(at, column->name) &&
                !(isalnum((unsigned char)at[size]) || at[size] == '_')) {
                return true;
            }
        }
    }
    return false;
}

/* The first row's cell in the result's column of this name; NULL: none to say. */
static const char *first_cell(const struct suggest_answer *about,
                              const struct column *column)
{
    const struct rows *rows = about->rows;
    for (size_t i = 0; rows && rows->count && i < rows->column_count; i++) {
        const struct value *cell = rows_cell(rows, 0, i);
        if (str_equal_nocase(rows->columns[i].name, column->name) &&
            cell->kind == VALUE_TEXT && suggest_is_sayable(cell->text.data)) {
            return cell->text.data;
        }
    }
    return NULL;
}

/* A sample value that the SQL does not filter by already. */
static const char *other_sample(const struct suggest_answer *about,
                                const struct column *column)
{
    for (size_t i = 0; i < column->samples.count; i++) {
        bool used = false;
        for (size_t k = 0; k < about->parts->filters.count; k++) {
            used = used || str_contains_nocase(about->parts->filters.items[k],
                                               column->samples.items[i]);
        }
        if (!used && suggest_is_sayable(column->samples.items[i])) {
            return column->samples.items[i];
        }
    }
    return NULL;
}

/* What a category of the table leads on to: into a group, to another value, to groups. */
static const char *category_text(struct suggest_facts *facts,
                                 const struct suggest_answer *about,
                                 const struct column *column,
                                 const struct column *measure)
{
    const struct sql_parts *parts = about->parts;
    if (names_column(&parts->groups, column)) {
        const char *cell = first_cell(about, column);
        return cell ? filter_text(facts, column, cell) : NULL;
    }
    if (names_column(&parts->filters, column)) {
        const char *cell = other_sample(about, column);
        return cell ? filter_text(facts, column, cell) : NULL;
    }
    return group_text(facts, column, measure);
}

/* What was asked, or asks for what was just counted, leads nowhere. */
static bool take_new(const struct taker *taker, enum suggest_rule rule,
                     const char *question)
{
    struct texts *out = taker->out;
    const struct sql_parts *parts = taker->about->parts;
    bool counted =
        rule == SUGGEST_COUNT && parts->aggregations.count && !parts->filters.count;
    if (!counted && !same_question(taker->about->question, question) &&
        !has(out, question)) {
        VEC_PUSH(taker->arena, out, question);
    }
    return out->count < taker->most;
}

static void follow_table(struct arena *arena, const struct suggest_answer *about,
                         const struct table *table, size_t most, struct texts *out)
{
    struct suggest_facts facts;
    suggest_facts_init(&facts, arena, table);
    facts.things = suggest_things_in(arena, about->schema, table);
    const struct column *measure =
        about->parts->aggregations.count ? suggest_facts_measure(&facts) : NULL;
    bool measured = measure && names_column(&about->parts->aggregations, measure);
    for (size_t i = 0; i < table->columns.count && out->count + 1 < most; i++) {
        const struct column *column = &table->columns.items[i];
        const char *text =
            suggest_facts_is_category(&facts, column)
                ? category_text(&facts, about, column, measured ? measure : NULL)
                : NULL;
        if (text && !same_question(about->question, text) && !has(out, text)) {
            VEC_PUSH(arena, out, text);
        }
    }
    struct taker taker = {
        .take = take_new, .arena = arena, .about = about, .most = most, .out = out};
    if (out->count < most) {
        table_texts(&taker, &facts);
    }
}

void suggest_follow_ups(struct arena *arena, const struct suggest_answer *about,
                        size_t most, struct texts *out)
{
    for (size_t i = 0; i < about->tables->count && out->count < most; i++) {
        const struct table *table = schema_table(about->schema, about->tables->items[i]);
        if (table && table->row_count != 0) {
            follow_table(arena, about, table, most, out);
        }
    }
}
