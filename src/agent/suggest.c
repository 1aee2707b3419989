/* Questions and choices that a schema suggests by itself. */
#include "agent/suggest.h"

#include <ctype.h>
#include <string.h>

#include "base/str.h"

/* "order_items" -> "order items" */
static char *words_of(struct arena *arena, const char *name)
{
    char *words = str_lower(arena, name);
    for (char *c = words; *c; c++) {
        *c = *c == '_' ? ' ' : *c;
    }
    return words;
}

static bool looks_like_date(const struct column *column)
{
    static const char *const parts[] = {"date", "time", "_at", "created", "day"};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        if (str_contains_nocase(column->name, parts[i]) ||
            str_contains_nocase(column->type, parts[i])) {
            return true;
        }
    }
    return false;
}

static bool is_key(const struct table *table, const struct column *column)
{
    for (size_t i = 0; i < table->foreign_keys.count; i++) {
        const struct texts *columns = &table->foreign_keys.items[i].columns;
        for (size_t j = 0; j < columns->count; j++) {
            if (str_equal_nocase(columns->items[j], column->name)) {
                return true;
            }
        }
    }
    return column->primary || str_equal_nocase(column->name, "id");
}

static bool is_number(const struct column *column)
{
    static const char *const parts[] = {"int", "real", "dec", "num", "doub", "float"};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        if (str_contains_nocase(column->type, parts[i])) {
            return true;
        }
    }
    return false;
}

typedef bool column_fits(const struct table *table, const struct column *column);

static const struct column *first_column(const struct table *table, column_fits *fits)
{
    for (size_t i = 0; i < table->columns.count; i++) {
        const struct column *column = &table->columns.items[i];
        if (!is_key(table, column) && fits(table, column)) {
            return column;
        }
    }
    return NULL;
}

/* Few distinct words that come again: a status, a category, a country; not a name. */
static bool is_category(const struct table *table, const struct column *column)
{
    bool repeats = table->row_count < 0 || column->distinct < table->row_count;
    return column->is_text && column->samples.count && column->distinct > 0 &&
           column->distinct <= 30 && repeats && !looks_like_date(column);
}

static bool is_measure(const struct table *table, const struct column *column)
{
    (void)table;
    return is_number(column) && !looks_like_date(column);
}

static bool is_date(const struct table *table, const struct column *column)
{
    (void)table;
    return looks_like_date(column);
}

static void add_question(struct arena *arena, struct texts *out, size_t most,
                         const char *text)
{
    if (out->count < most) {
        VEC_PUSH(arena, out, text);
    }
}

static void questions_of(struct arena *arena, const struct table *table, size_t most,
                         struct texts *out)
{
    const char *things = words_of(arena, table->bare_name);
    const struct column *measure = first_column(table, is_measure);
    const struct column *category = first_column(table, is_category);
    const char *amount = measure ? words_of(arena, measure->name) : NULL;
    const char *kind = category ? words_of(arena, category->name) : NULL;
    add_question(arena, out, most, arena_format(arena, "How many %s are there?", things));
    if (measure && category) {
        add_question(arena, out, most,
                     arena_format(arena, "What is the average %s of %s by %s?", amount,
                                  things, kind));
    } else if (measure) {
        add_question(
            arena, out, most,
            arena_format(arena, "What is the average %s of all %s?", amount, things));
    } else if (category) {
        add_question(
            arena, out, most,
            arena_format(arena, "How many %s are there for each %s?", things, kind));
    }
}

void suggest_questions(struct arena *arena, const struct schema *schema, size_t most,
                       struct texts *out)
{
    /* Tables that others refer to are what people talk about. */
    for (int round = 0; round < 2; round++) {
        for (size_t i = 0; i < schema->tables.count && out->count < most; i++) {
            const struct table *table = &schema->tables.items[i];
            bool central = table->row_count != 0 && table->indexes.count > 0;
            if (central == (round == 0) && !table->is_view) {
                questions_of(arena, table, most, out);
            }
        }
    }
}

static void add_option(struct arena *arena, struct clarification *out, const char *value,
                       const char *label)
{
    VEC_PUSH(arena, &out->options, ((struct clarification_option){value, label}));
}

static char *capitalized(struct arena *arena, const char *text)
{
    char *copy = arena_text(arena, text);
    copy[0] = (char)toupper((unsigned char)copy[0]);
    return copy;
}

void suggest_details(struct arena *arena, const struct table *table,
                     struct clarification *out)
{
    const char *things = words_of(arena, table->bare_name);
    const char *all = arena_format(arena, "all %s", things);
    add_option(arena, out, all,
               table->row_count >= 0 ? arena_format(arena, "All %s (%lld rows)", things,
                                                    (long long)table->row_count)
                                     : capitalized(arena, all));
    const struct column *category = first_column(table, is_category);
    for (size_t i = 0; category && i < category->samples.count && i < 3; i++) {
        const char *choice =
            arena_format(arena, "%s whose %s is %s", things,
                         words_of(arena, category->name), category->samples.items[i]);
        add_option(arena, out, choice, capitalized(arena, choice));
    }
    const struct column *date = first_column(table, is_date);
    if (date) {
        const char *choice = arena_format(arena, "%s with %s in this month", things,
                                          words_of(arena, date->name));
        add_option(arena, out, choice, capitalized(arena, choice));
    }
    add_option(arena, out, arena_format(arena, "how many %s there are", things),
               arena_format(arena, "Only how many %s there are", things));
    out->tables = (struct texts){0};
    VEC_PUSH(arena, &out->tables, table->name);
    out->message = arena_format(arena, "Which %s?", things);
}

void suggest_periods(struct arena *arena, const struct table *table,
                     struct clarification *out)
{
    const struct column *date = table ? first_column(table, is_date) : NULL;
    out->message = "Which time period do you mean?";
    if (date && date->least && date->greatest) {
        out->message = arena_format(
            arena, "Which time period do you mean? %s run from %.10s to %.10s.",
            capitalized(arena, words_of(arena, table->bare_name)), date->least,
            date->greatest);
    }
    add_option(arena, out, "the last 30 days", "The last 30 days");
    add_option(arena, out, "the last 90 days", "The last 90 days");
    if (date && date->greatest) {
        add_option(arena, out,
                   arena_format(arena, "the 30 days before %.10s", date->greatest),
                   arena_format(arena, "The last 30 days of the data (up to %.10s)",
                                date->greatest));
    }
    add_option(arena, out, "the whole time", "The whole time");
}

void suggest_start(struct arena *arena, const struct schema *schema,
                   struct clarification *out)
{
    struct texts questions = {0};
    if (schema) {
        suggest_questions(arena, schema, 4, &questions);
    }
    for (size_t i = 0; i < questions.count; i++) {
        add_option(arena, out, questions.items[i], questions.items[i]);
    }
    out->message = "What would you like to know?";
}
