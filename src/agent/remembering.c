/* Which lessons matter for a question, and how they stand in its prompts. */
#include "agent/remembering.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "base/buf.h"
#include "base/log.h"
#include "base/str.h"
#include "base/writer.h"
#include "knowledge/lessons.h"
#include "prompt/template.h"
#include "sql/guard.h"

enum { LINES_MOST = 20, LINE_CEILING = 8192, WORD_MOST = 128 };

static const double sure_enough = 0.3; /* below it a lesson has failed too often */

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_' || (c & 0x80);
}

/* The phrase stands in the text as whole words. */
static bool says(const char *text, const char *phrase)
{
    size_t size = strlen(phrase);
    for (const char *at = text; size && *at; at++) {
        if (strncasecmp(at, phrase, size) == 0 && (at == text || !is_word(at[-1])) &&
            !is_word(at[size])) {
            return true;
        }
    }
    return false;
}

static struct lessons_scope scope_of(const struct run *run)
{
    return (struct lessons_scope){.store = run->agent->store,
                                  .account = run->question.account,
                                  .datasource = run_datasource(run)->id,
                                  .dialect = run_datasource(run)->driver->dialect};
}

static void add_line(struct run *run, const struct lesson *lesson, struct buf *line)
{
    if (run->lessons.count < LINES_MOST && !line->full) {
        VEC_PUSH(run->arena, &run->lessons, buf_clone(line, run->arena));
        VEC_PUSH(run->arena, &run->lessons_used, lesson->id);
    }
}

static void add_name(struct run *run, const struct lesson *lesson, const char *said,
                     const char *what, const char *meant)
{
    struct buf line;
    buf_init(&line, LINE_CEILING);
    writer_quote(&line, said, strlen(said));
    (void)buf_format(&line, " means the %s ", what);
    writer_quote(&line, meant, strlen(meant));
    add_line(run, lesson, &line);
    buf_release(&line);
}

static void add_pair(struct run *run, const struct lesson *lesson, const char *first,
                     const char *second)
{
    struct buf line;
    buf_init(&line, LINE_CEILING);
    (void)buf_text(&line, first);
    writer_quote(&line, lesson->schema_name, strlen(lesson->schema_name));
    (void)buf_text(&line, second);
    writer_quote(&line, lesson->actual_name, strlen(lesson->actual_name));
    add_line(run, lesson, &line);
    buf_release(&line);
}

/* A rule holds for the other tables too: "orders" is PROD_orders when that is there. */
static void use_rule(struct run *run, const struct lesson *lesson, const char *question)
{
    for (const char *at = question; *at;) {
        size_t size = 0;
        while (at[size] && is_word(at[size])) {
            size++;
        }
        if (size && size < WORD_MOST) {
            const char *word = arena_copy(run->scratch, at, size);
            const char *made =
                lesson_transform(run->scratch, lesson->transformation_rule, word);
            const struct table *table = made ? schema_table(run_schema(run), made) : NULL;
            if (table && !schema_table(run_schema(run), word) &&
                !str_equal_nocase(word, lesson->schema_name)) {
                add_name(run, lesson, word, "table", table->name);
            }
        }
        at += size ? size : 1;
    }
}

static void use_table(struct run *run, const struct lesson *lesson, const char *question)
{
    const struct table *table = schema_table(run_schema(run), lesson->actual_name);
    if (table && says(question, lesson->schema_name)) {
        add_name(run, lesson, lesson->schema_name, "table", table->name);
    }
    if (lesson->transformation_rule) {
        use_rule(run, lesson, question);
    }
}

static void use_column(struct run *run, const struct lesson *lesson, const char *question)
{
    const char *dot = strrchr(lesson->actual_name, '.');
    if (!dot || !says(question, lesson->schema_name)) {
        return;
    }
    const char *name = arena_copy(run->scratch, lesson->actual_name,
                                  (size_t)(dot - lesson->actual_name));
    const struct table *table = schema_table(run_schema(run), name);
    const struct column *column = table ? table_column(table, dot + 1) : NULL;
    if (column) {
        add_name(run, lesson, lesson->schema_name, "column",
                 arena_format(run->scratch, "%s.%s", table->name, column->name));
    }
}

/* An example for the question itself; its tables must still be there. */
static void use_query(struct run *run, const struct lesson *lesson, const char *question)
{
    struct guard_result result = {0};
    if (!str_contains_nocase(question, lesson->schema_name)) {
        return;
    }
    guard_check(run->scratch, run_datasource(run)->driver->dialect, lesson->actual_name,
                strlen(lesson->actual_name), run_schema(run), &result);
    if (result.verdict == GUARD_READ) {
        add_pair(run, lesson, "SQL that answered ", " before: ");
    }
}

static void use_nothing(struct run *run, const struct lesson *lesson,
                        const char *question)
{
    (void)run;
    (void)lesson;
    (void)question;
}

void remembering_find(struct run *run)
{
    static void (*const uses[LESSON_KINDS])(struct run *, const struct lesson *,
                                            const char *) = {
        [LESSON_TABLE] = use_table,
        [LESSON_COLUMN] = use_column,
        [LESSON_ERROR] = use_nothing, /* matters once there is an error */
        [LESSON_QUERY] = use_query,
    };
    if (run->lessons_known || run->question.skip_memory || !run->agent->store ||
        run->sources.count == 0 || !run_schema(run)) {
        return;
    }
    struct err err;
    err_clear(&err);
    struct lessons_scope scope = scope_of(run);
    struct lessons all = {0};
    run->lessons_known = true;
    if (!lessons_list(&scope, run->arena, &all, &err)) {
        run_warn(run, "Lessons could not be looked up: %s", err.message);
        return;
    }
    run->taught = ARENA_NEW(run->arena, struct lessons);
    *run->taught = all;
    for (size_t i = 0; i < all.count; i++) {
        if (all.items[i].confidence >= sure_enough) {
            uses[all.items[i].kind](run, &all.items[i], run_question_text(run));
        }
    }
}

static bool is_used(const struct run *run, const char *id)
{
    for (size_t i = 0; i < run->lessons_used.count; i++) {
        if (str_equal(run->lessons_used.items[i], id)) {
            return true;
        }
    }
    return false;
}

static void find_remedies(struct run *run)
{
    for (size_t i = 0; run->sql_error && run->taught && i < run->taught->count; i++) {
        const struct lesson *lesson = &run->taught->items[i];
        if (lesson->kind == LESSON_ERROR && lesson->confidence >= sure_enough &&
            !is_used(run, lesson->id) &&
            (str_contains_nocase(run->sql_error->message, lesson->schema_name) ||
             str_contains_nocase(run->sql_error->detail, lesson->schema_name))) {
            add_pair(run, lesson, "After the error ", " this helped: ");
        }
    }
}

void remembering_put(struct run *run, struct slot *values)
{
    remembering_find(run);
    find_remedies(run);
    for (size_t i = 0; i < run->lessons.count; i++) {
        slot_item_text(run->scratch, values, "lessons", run->lessons.items[i]);
    }
    slot_flag(run->scratch, values, "has_lessons", run->lessons.count > 0);
    run->lessons_told = run->lessons.count > 0;
}

void remembering_rest(struct run *run)
{
    bool success = run->state == STATE_FINISHED && run->answer.has_rows;
    if (!run->lessons_told || (!success && run->state != STATE_FAILED)) {
        return;
    }
    struct lessons_scope scope = scope_of(run);
    for (size_t i = 0; i < run->lessons_used.count; i++) {
        struct err err;
        bool again = false; /* a rule may have helped with two words */
        for (size_t j = 0; j < i && !again; j++) {
            again = str_equal(run->lessons_used.items[j], run->lessons_used.items[i]);
        }
        err_clear(&err);
        if (!again && !lessons_used(&scope, run->lessons_used.items[i], success, &err)) {
            LOG(LOG_AGENT, LOG_WARN, "a lesson's use was not counted: %s", err.message);
        }
    }
}
