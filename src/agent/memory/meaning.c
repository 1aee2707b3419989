/* What a user says that a word means. */
#include "agent/memory/meaning.h"

#include <string.h>

#include "agent/run_statement.h"
#include "base/clock.h"
#include "base/str.h"
#include "knowledge/words/phrase.h"
#include "sql/guard.h"

enum { WORD_MOST = 60, COLUMN_MOST = 120 };

/* ------------------------------------------------------------------ what is said */

/* Without marks of quotation, articles and a full stop: "the column `net`." is net. */
static const char *bare(struct arena *arena, const char *text, size_t size)
{
    static const char *const openings[] = {
        "the column ", "column ", "the ", "\"", "'", "`", "\xE2\x80\x9C", NULL};
    static const char *const ends[] = {".", "!", "\"", "'", "`", "\xE2\x80\x9D",
                                       ",", NULL};
    const char *at = str_trim(arena, arena_copy(arena, text, size));
    for (size_t i = 0; openings[i]; i++) {
        at += str_starts_nocase(at, openings[i]) ? strlen(openings[i]) : 0;
    }
    char *copy = arena_text(arena, at);
    for (size_t i = 0; ends[i];) {
        bool cut = str_ends(copy, ends[i]) && strlen(copy) > strlen(ends[i]);
        if (cut) {
            copy[strlen(copy) - strlen(ends[i])] = '\0';
        }
        i = cut ? 0 : i + 1;
    }
    return copy;
}

/* "By revenue I mean net", "revenue means net". */
static bool parse(struct arena *arena, const char *text, const char **word,
                  const char **column)
{
    static const char *const verbs[] = {" i mean ", " i meant ", " means ",
                                        " should mean "};
    const char *begin = text + strspn(text, " ");
    bool by = str_starts_nocase(begin, "by ") || str_starts_nocase(begin, "with ");
    begin += by ? strcspn(begin, " ") + 1 : 0;
    for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++) {
        const char *verb = str_find_nocase(begin, verbs[i]);
        if (verb && by == (i < 2)) {
            *word = bare(arena, begin, (size_t)(verb - begin));
            const char *rest = verb + strlen(verbs[i]);
            *column = bare(arena, rest, strlen(rest));
            return **word && **column && strlen(*word) <= WORD_MOST &&
                   strlen(*column) <= COLUMN_MOST;
        }
    }
    return false;
}

/* ------------------------------------------------------------------ the column */

/* The table's column of that name, written with blanks or not; "items.net" with its table. */
static const struct column *column_called(struct run *run, const struct table *table,
                                          const char *name)
{
    const char *dot = strrchr(name, '.');
    if (dot) {
        const char *of = arena_copy(run->scratch, name, (size_t)(dot - name));
        return schema_table(run_schema(run), of) == table ? table_column(table, dot + 1)
                                                          : NULL;
    }
    char *joined = arena_text(run->scratch, name);
    for (char *at = joined; *at; at++) {
        *at = *at == ' ' ? '_' : *at;
    }
    const struct column *column = table_column(table, name);
    return column ? column : table_column(table, joined);
}

/* Of one table of the last answer alone, or else of one table of all. NULL: of none, or of several. */
static const char *full_name(struct run *run, const char *last, const char *name)
{
    struct guard_result used;
    const struct schema *schema = run_schema(run);
    const char *found[2] = {NULL, NULL};
    size_t count[2] = {0, 0};
    run_guard(run, last, schema, &used);
    for (size_t i = 0; i < schema->tables.count; i++) {
        const struct table *table = &schema->tables.items[i];
        const struct column *column = column_called(run, table, name);
        bool here = false;
        for (size_t k = 0; column && k < used.tables.count; k++) {
            here = here || schema_table(schema, used.tables.items[k]) == table;
        }
        for (size_t k = here ? 0 : 1; column && k < 2; k++) {
            count[k]++;
            found[k] = arena_format(run->arena, "%s.%s", table->name, column->name);
        }
    }
    return count[0] == 1 ? found[0] : count[0] == 0 && count[1] == 1 ? found[1] : NULL;
}

static bool says(struct run *run, const char *text, const char *word)
{
    struct phrase_words question;
    struct phrase_words phrase;
    size_t first = 0;
    phrase_split(run->scratch, text, &question);
    phrase_split(run->scratch, word, &phrase);
    return phrase_find(&question, &phrase, &first);
}

bool meaning_follow(struct run *run)
{
    const struct messages *history = &run->request.history;
    const char *word;
    const char *name;
    const char *sql = NULL;
    const char *question = NULL;
    const char *ignored;
    for (size_t i = history->count; i-- > 0 && !question;) {
        const struct message *message = &history->items[i];
        bool asked = str_equal(message->role, "user") &&
                     !parse(run->scratch, message->content, &ignored, &ignored);
        sql = sql ? sql : message->sql;
        question = asked ? message->content : NULL;
    }
    if (!question || !sql || run->request.given_sql || !run_schema(run) ||
        !parse(run->scratch, run->question.text, &word, &name) ||
        !says(run, question, word)) {
        return false;
    }
    run->request.meant_column = full_name(run, sql, name);
    if (!run->request.meant_column) {
        return false;
    }
    run->request.meant_word = arena_text(run->arena, word);
    run->answer.rewritten = arena_text(run->arena, question);
    return true;
}

/* ------------------------------------------------------------------ the lesson */

void meaning_put(struct run *run, struct lessons *lessons)
{
    struct lessons all = {0};
    const struct lesson said = {.kind = LESSON_COLUMN,
                                .schema_name = run->request.meant_word,
                                .actual_name = run->request.meant_column,
                                .source = "user_correction",
                                .confidence = 1,
                                .created_at = clock_wall_s(),
                                .updated_at = clock_wall_s()};
    if (!said.schema_name || !said.actual_name) {
        return;
    }
    VEC_PUSH(run->arena, &all, said);
    for (size_t i = 0; i < lessons->count; i++) {
        const struct lesson *other = &lessons->items[i];
        if (other->kind != LESSON_COLUMN ||
            !str_equal_nocase(other->schema_name, said.schema_name)) {
            VEC_PUSH(run->arena, &all, *other);
        }
    }
    all.datasource = lessons->datasource;
    *lessons = all;
}

bool meaning_is_used(struct run *run)
{
    const char *name = run->request.meant_column;
    struct guard_result sql;
    if (!name || !run->request.meant_word || !run->answer.sql) {
        return false;
    }
    run_guard(run, run->answer.sql, run_schema(run), &sql);
    const char *column = strrchr(name, '.') + 1;
    for (size_t i = 0; i < sql.columns.count; i++) {
        const char *dot = strrchr(sql.columns.items[i], '.');
        if (str_equal_nocase(dot ? dot + 1 : sql.columns.items[i], column)) {
            return true;
        }
    }
    return false;
}
