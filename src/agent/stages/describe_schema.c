/* DESCRIBE_SCHEMA: answers questions about the schema. */
#include <string.h>

#include "agent/sources/reach.h"
#include "agent/understand/intent_rules.h"
#include "agent/understand/intent_words.h"
#include "agent/stages/stages.h"
#include "agent/suggest/suggest.h"
#include "base/str.h"

/* What people call a source of the run. */
static const char *source_name(const struct run *run, size_t index)
{
    const char *id = run->sources.items[index].source->id;
    const struct datasource_setting *setting = reach_find(run, id);
    return setting ? reach_name(setting) : id;
}

static struct value text_value(const char *text)
{
    return (struct value){.kind = VALUE_TEXT, .text = {text, strlen(text)}};
}

/* A table that the question names, if it names just one. */
static const struct table *table_asked_for(struct run *run)
{
    const struct table *found = NULL;
    const char *question = run_question_text(run);
    for (size_t i = 0; i < run->sources.count; i++) {
        const struct schema *schema = run->sources.items[i].schema;
        struct texts named = {0};
        intent_tables(run->scratch, question, schema, &named);
        if (named.count > 1 || (named.count && found)) {
            return NULL;
        }
        if (named.count) {
            found = schema_table(schema, named.items[0]);
            run->answer.datasource = run->sources.items[i].source->id;
        }
    }
    return found;
}

/* "describe table custmers", "the columns of custmers": a name that is none. */
static const char *unknown_table(struct run *run)
{
    static const char *const before[] = {"describe", "desc", "table", NULL};
    struct texts words = {0};
    intent_words(run->scratch, run_question_text(run), &words);
    for (size_t i = 1; i < words.count; i++) {
        bool named = intent_in_list(words.items[i - 1], before) &&
                     !intent_in_list(words.items[i], before) &&
                     !intent_is_schema_word(words.items[i]);
        if (named) {
            return words.items[i];
        }
    }
    return NULL;
}

static void note_unknown(struct run *run, const char *name)
{
    struct texts names = {0};
    for (size_t s = 0; s < run->sources.count; s++) {
        const struct schema *schema = run->sources.items[s].schema;
        for (size_t i = 0; i < schema->tables.count; i++) {
            const struct table *table = &schema->tables.items[i];
            VEC_PUSH(run->scratch, &names, table->bare_name);
            for (size_t k = 0; k < table->synonyms.count; k++) {
                VEC_PUSH(run->scratch, &names, table->synonyms.items[k]);
            }
        }
    }
    const char *near = str_nearest(name, names.items, names.count);
    if (near) {
        run_warn(run, "There is no table '%s'. Did you mean '%s'?", name, near);
    } else {
        run_warn(run, "There is no table '%s'.", name);
    }
}

/* "which tables have a column email?" */
static bool describe_column(struct run *run)
{
    static const struct rows_column columns[] = {
        {"datasource", ""}, {"table", ""}, {"column", ""}, {"type", ""}};
    static const char *const tables[] = {"tables", NULL};
    static const char *const parts[] = {"column", "field", "columns", "fields", NULL};
    struct texts words = {0};
    intent_words(run->scratch, run_question_text(run), &words);
    if (!intent_any_in_list(&words, tables) || !intent_any_in_list(&words, parts)) {
        return false;
    }
    struct rows *rows = &run->answer.rows;
    size_t first = run->sources.count > 1 ? 0 : 1;
    rows_set_columns(rows, columns + first, 4 - first);
    for (size_t s = 0; s < run->sources.count; s++) {
        const struct schema *schema = run->sources.items[s].schema;
        for (size_t t = 0; t < schema->tables.count; t++) {
            const struct table *table = &schema->tables.items[t];
            for (size_t w = 0; w < words.count; w++) {
                const struct column *column = table_column(table, words.items[w]);
                if (column) {
                    struct value cells[4] = {
                        text_value(source_name(run, s)), text_value(table->name),
                        text_value(column->name), text_value(column->type)};
                    rows_add(rows, cells + first);
                }
            }
        }
    }
    run->answer.explanation =
        arena_format(run->arena, "%zu table%s such a column.", rows->count,
                     rows->count == 1 ? " has" : "s have");
    return rows->count > 0;
}

static void describe_table(struct run *run, const struct table *table)
{
    static const struct rows_column columns[] = {
        {"column", ""}, {"type", ""}, {"key", ""}, {"samples", ""}};
    struct rows *rows = &run->answer.rows;
    rows_set_columns(rows, columns, 4);
    for (size_t i = 0; i < table->columns.count; i++) {
        const struct column *column = &table->columns.items[i];
        const char *key = column->primary ? "primary" : "";
        for (size_t k = 0; k < table->foreign_keys.count; k++) {
            const struct foreign_key *foreign = &table->foreign_keys.items[k];
            if (foreign->columns.count == 1 &&
                str_equal_nocase(foreign->columns.items[0], column->name)) {
                key = arena_format(run->arena, "-> %s", foreign->table);
            }
        }
        struct value cells[4] = {
            text_value(column->name), text_value(column->type), text_value(key),
            text_value(str_join(run->arena, &column->samples, ", "))};
        rows_add(rows, cells);
    }
    run->answer.explanation = arena_format(run->arena, "The table %s has %zu columns.",
                                           table->name, table->columns.count);
}

static void describe_all(struct run *run)
{
    static const struct rows_column columns[] = {{"datasource", ""},
                                                 {"table", ""},
                                                 {"columns", ""},
                                                 {"rows", ""},
                                                 {"description", ""}};
    bool many = run->sources.count > 1;
    size_t first = many ? 0 : 1;
    struct rows *rows = &run->answer.rows;
    rows_set_columns(rows, columns + first, 5 - first);
    for (size_t s = 0; s < run->sources.count; s++) {
        const struct schema *schema = run->sources.items[s].schema;
        for (size_t i = 0; i < schema->tables.count; i++) {
            const struct table *table = &schema->tables.items[i];
            struct value cells[5] = {
                text_value(source_name(run, s)),
                text_value(table->name),
                {.kind = VALUE_INT, .integer = (int64_t)table->columns.count},
                {.kind = table->row_count < 0 ? VALUE_NULL : VALUE_INT,
                 .integer = table->row_count},
                text_value(table->comment   ? table->comment
                           : table->is_view ? "view"
                                            : "")};
            rows_add(rows, cells + first);
        }
    }
    run->answer.explanation =
        arena_format(run->arena, "There %s %zu table%s.", rows->count == 1 ? "is" : "are",
                     rows->count, rows->count == 1 ? "" : "s");
}

/* What the schema leads on to: questions about the table, or about the best of them. */
static void note_follow_ups(struct run *run, const struct table *table)
{
    enum { MOST = 3 };
    struct texts *out = &run->answer.follow_ups;
    *out = (struct texts){0};
    if (!table) {
        suggest_questions(run->arena, run_schema(run), MOST, out);
        return;
    }
    struct suggestions all = {0};
    suggest_table(run->scratch, table, &all);
    for (size_t i = 0; i < all.count && out->count < MOST; i++) {
        VEC_PUSH(run->arena, out, arena_text(run->arena, all.items[i].question));
    }
}

static enum event describe_schema_work(struct run *run, struct err *err)
{
    (void)err;
    const struct table *table = table_asked_for(run);
    if (table) {
        describe_table(run, table);
    } else if (!describe_column(run)) {
        const char *unknown = unknown_table(run);
        if (unknown) {
            note_unknown(run, unknown);
        }
        describe_all(run);
    }
    if (run->answer.stale) {
        run->answer.explanation = arena_format(
            run->arena, "%s %s", run->answer.explanation,
            run->sources.count > 1
                ? "A database did not answer; its last known schema is shown."
                : "The database did not answer; this is its last known schema.");
    }
    run->answer.has_rows = true;
    run->answer.type = "schema";
    note_follow_ups(run, table);
    return EVENT_DONE;
}

const struct stage stage_describe_schema = {.state = STATE_DESCRIBE_SCHEMA,
                                            .work = describe_schema_work};
