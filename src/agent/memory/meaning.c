/* What a user says that a word means. */
#include "agent/memory/meaning.h"

#include <string.h>

#include "agent/memory/learning.h"
#include "agent/run_statement.h"
#include "agent/understand/solving.h"
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

/* "By revenue I mean net", "when I say revenue I mean net", "revenue means net". */
static bool parse(struct arena *arena, const char *text, const char **word,
                  const char **column)
{
    static const char *const verbs[] = {" i mean ",    " i meant ", " we mean ",
                                        " is meant ",  " means ",   " should mean ",
                                        " stands for "};
    static const char *const openings[] = {"by ", "with ", "when i say ", "when we say ",
                                           "if i say "};
    enum { WITH_OPENING = 4 };
    const char *begin = text + strspn(text, " ");
    bool by = false;
    for (size_t i = 0; i < sizeof openings / sizeof *openings && !by; i++) {
        by = str_starts_nocase(begin, openings[i]);
        begin += by ? strlen(openings[i]) : 0;
    }
    for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++) {
        const char *verb = str_find_nocase(begin, verbs[i]);
        if (verb && by == (i < WITH_OPENING)) {
            *word = bare(arena, begin, (size_t)(verb - begin));
            const char *rest = verb + strlen(verbs[i]);
            *column = bare(arena, rest, strlen(rest));
            return **word && **column && strlen(*word) <= WORD_MOST &&
                   strlen(*column) <= COLUMN_MOST;
        }
    }
    return false;
}

bool meaning_is_said(struct arena *arena, const char *text)
{
    const char *word;
    const char *name;
    return parse(arena, text, &word, &name);
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

static bool is_key(const struct table *table, const struct column *column)
{
    for (size_t i = 0; i < table->foreign_keys.count; i++) {
        const struct texts *columns = &table->foreign_keys.items[i].columns;
        for (size_t k = 0; k < columns->count; k++) {
            if (str_equal_nocase(columns->items[k], column->name)) {
                return true;
            }
        }
    }
    return column->primary || str_ends(column->name, "_id") ||
           str_ends(column->name, "Id");
}

static bool is_amount(const struct column *column)
{
    static const char *const words[] = {"amount", "total", "price", "revenue", "cost",
                                        "value",  "fee",   "fare",  "sum",     NULL};
    bool named = false;
    for (size_t i = 0; words[i]; i++) {
        named = named || str_contains_nocase(column->name, words[i]);
    }
    return named;
}

static bool is_number(const struct column *column)
{
    static const char *const types[] = {"int",  "real", "num",   "dec",
                                        "floa", "doub", "money", NULL};
    bool number = false;
    for (size_t i = 0; types[i] && column->type; i++) {
        number = number || str_contains_nocase(column->type, types[i]);
    }
    return number && !column->is_text;
}

/* What is added up of a table that is named instead of a column: its one amount, else its one number. */
static const struct column *amount_of(const struct table *table)
{
    const struct column *found[2] = {NULL, NULL};
    size_t count[2] = {0, 0};
    for (size_t i = 0; i < table->columns.count; i++) {
        const struct column *column = &table->columns.items[i];
        if (!is_number(column) || is_key(table, column)) {
            continue;
        }
        for (size_t k = is_amount(column) ? 0 : 1; k < 2; k++) {
            count[k]++;
            found[k] = column;
        }
    }
    return count[0] == 1 ? found[0] : count[0] == 0 && count[1] == 1 ? found[1] : NULL;
}

static const struct table *table_called(struct run *run, const char *name)
{
    struct phrase_words wanted;
    phrase_split(run->scratch, name, &wanted);
    for (size_t i = 0; i < run_schema(run)->tables.count; i++) {
        const struct table *table = &run_schema(run)->tables.items[i];
        struct phrase_words own;
        size_t first = 0;
        phrase_split(run->scratch, table->bare_name, &own);
        if (own.count == wanted.count && phrase_find(&own, &wanted, &first)) {
            return table;
        }
    }
    return NULL;
}

/* The columns that a name may mean, views only where no table has it: of tables of the last answer, and of all. */
struct found {
    struct texts here;
    struct texts all;
    struct texts views;
    struct texts parts; /* "distance" for distance_km */
};

static void add_parts(struct run *run, const struct table *table, const char *name,
                      struct texts *out)
{
    struct phrase_words wanted;
    phrase_split(run->scratch, name, &wanted);
    for (size_t i = 0; i < table->columns.count && !table->is_view; i++) {
        struct phrase_words own;
        size_t first = 0;
        const struct column *column = &table->columns.items[i];
        phrase_split(run->scratch, column->name, &own);
        if (!is_key(table, column) && phrase_find(&own, &wanted, &first)) {
            VEC_PUSH(run->arena, out,
                     arena_format(run->arena, "%s.%s", table->name, column->name));
        }
    }
}

static void look_up(struct run *run, const char *last, const char *name,
                    struct found *out)
{
    struct guard_result used = {0};
    const struct schema *schema = run_schema(run);
    *out = (struct found){0};
    if (last) {
        run_guard(run, last, schema, &used);
    }
    for (size_t i = 0; i < schema->tables.count; i++) {
        const struct table *table = &schema->tables.items[i];
        const struct column *column = column_called(run, table, name);
        if (!column) {
            add_parts(run, table, name, &out->parts);
            continue;
        }
        const char *full = arena_format(run->arena, "%s.%s", table->name, column->name);
        VEC_PUSH(run->arena, table->is_view ? &out->views : &out->all, full);
        for (size_t k = 0; k < used.tables.count; k++) {
            if (schema_table(schema, used.tables.items[k]) == table) {
                VEC_PUSH(run->arena, &out->here, full);
            }
        }
    }
}

/* Of one table of the last answer alone, or else of one table of all. NULL: of none, or of
 * several, which are in `found`. */
static const char *full_name(struct run *run, const char *last, const char *name,
                             struct found *found)
{
    look_up(run, last, name, found);
    if (found->here.count) {
        return found->here.count == 1 ? found->here.items[0] : NULL;
    }
    if (found->all.count) {
        return found->all.count == 1 ? found->all.items[0] : NULL;
    }
    const struct table *table = table_called(run, name);
    const struct column *column = table ? amount_of(table) : NULL;
    if (column) {
        return arena_format(run->arena, "%s.%s", table->name, column->name);
    }
    return found->parts.count == 1   ? found->parts.items[0]
           : found->views.count == 1 ? found->views.items[0]
                                     : NULL;
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

/* The last question of the conversation with the word; NULL: there is none. */
static const char *question_with(struct run *run, const char *word)
{
    const struct messages *history = &run->request.history;
    for (size_t i = history->count; i-- > 0;) {
        const struct message *message = &history->items[i];
        if (str_equal(message->role, "user") &&
            !meaning_is_said(run->scratch, message->content) &&
            says(run, message->content, word)) {
            return message->content;
        }
    }
    return NULL;
}

/* What nothing can be learned from: the name is not there, or is that of several columns. */
static const char *unknown(struct run *run, const char *name, const struct found *found)
{
    const struct texts *several = found->here.count  ? &found->here
                                  : found->all.count ? &found->all
                                                     : &found->parts;
    if (!several->count) {
        return arena_format(run->arena,
                            "There is no column '%.80s', and no table of that name with "
                            "exactly one amount. Please name a column.",
                            name);
    }
    return arena_format(run->arena, "'%.80s' may be %s. Please use one of these names.",
                        name, str_join(run->arena, several, " or "));
}

bool meaning_follow(struct run *run)
{
    const struct messages *history = &run->request.history;
    const char *word;
    const char *name;
    const char *sql = NULL;
    struct found found = {0};
    for (size_t i = history->count; i-- > 0 && !sql;) {
        sql = history->items[i].sql;
    }
    if (run->request.given_sql || !run_schema(run) ||
        !parse(run->scratch, run->question.text, &word, &name)) {
        return false;
    }
    const char *question = question_with(run, word);
    const char *column = full_name(run, sql, name, &found);
    bool told = column || question || str_starts_nocase(run->question.text, "by ");
    if (!told) {
        return false; /* "a higher score means what?" */
    }
    if (!column) { /* "those with one order": a model may know how to say it */
        if (solving_alone(run)) {
            run->exchange.reply = unknown(run, name, &found);
        }
        return false;
    }
    run->request.meant_column = column;
    run->request.meant_word = arena_text(run->arena, word);
    run->answer.rewritten = question ? arena_text(run->arena, question) : NULL;
    if (!question) {
        run->exchange.reply =
            arena_format(run->arena, "From now on '%.80s' means %s.", word, column);
    }
    learning_keep_meaning(run);
    return true;
}

bool meaning_replies(struct run *run)
{
    const char *word;
    const char *name;
    return run->exchange.reply && !run->answer.rewritten &&
           parse(run->scratch, run->question.text, &word, &name);
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
