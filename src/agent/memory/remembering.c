/* Which lessons matter for a question, and how they stand in its prompts. */
#include "agent/memory/remembering.h"

#include "agent/memory/meaning.h"

#include <string.h>

#include "agent/sources/policing.h"
#include "agent/memory/rivals.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/str.h"
#include "base/writer.h"
#include "knowledge/words/phrase.h"
#include "model/actor.h"
#include "prompt/template.h"

enum { LINES_MOST = 20, EXAMPLES_MOST = 3, LINE_CEILING = 8192 };

static const double sure_enough = 0.3; /* below it a lesson has failed too often */
static const double alike_enough = 0.5;

struct lessons_scope remembering_scope(const struct run *run)
{
    return (struct lessons_scope){.store = run->agent->store,
                                  .account =
                                      actor_account(run->arena, run->question.account),
                                  .datasource = run_datasource(run)->id,
                                  .dialect = datasource_dialect(run_datasource(run))};
}

bool remembering_any(const struct run *run)
{
    return run->memory.remembered && run->memory.remembered->count > 0;
}

bool remembering_trusts(const struct run *run, const struct lesson *lesson)
{
    return lesson_standing(lesson, clock_wall_s(),
                           run->options->knowledge_lesson_half_life_days) >= sure_enough;
}

struct remembered_lesson *remembering_add(struct run *run, const struct lesson *lesson,
                                          const char *line)
{
    struct remembered *memory = run->memory.remembered;
    for (size_t i = 0; i < memory->count; i++) {
        if (str_equal(memory->items[i].line, line)) {
            return &memory->items[i];
        }
    }
    if (memory->count >= LINES_MOST || !line) {
        return NULL;
    }
    struct remembered_lesson *item = VEC_ADD(run->arena, memory);
    *item = (struct remembered_lesson){.lesson = lesson, .line = line};
    VEC_PUSH(run->arena, &run->memory.lessons, line);
    return item;
}

static const char *line_of(struct run *run, const char *first, const char *a,
                           const char *between, const char *b)
{
    struct buf line;
    buf_init(&line, LINE_CEILING);
    (void)buf_text(&line, first);
    writer_quote(&line, a, strlen(a));
    (void)buf_text(&line, between);
    writer_quote(&line, b, strlen(b));
    const char *text = line.full ? NULL : buf_clone(&line, run->arena);
    buf_release(&line);
    return text;
}

static void add_name(struct run *run, const struct lesson *lesson, const char *said,
                     const struct table *table, const struct column *column)
{
    const char *meant = column
                            ? arena_format(run->arena, "%s.%s", table->name, column->name)
                            : table->name;
    struct remembered_lesson *item = remembering_add(
        run, lesson,
        line_of(run, "", said, column ? " means the column " : " means the table ",
                meant));
    if (item) {
        item->said = said;
        item->table = table;
        item->column = column;
    }
}

static bool says(struct run *run, const struct phrase_words *question, const char *name)
{
    struct phrase_words phrase;
    size_t first = 0;
    phrase_split(run->scratch, name, &phrase);
    return phrase_find(question, &phrase, &first);
}

/* Many lessons show the same prefix: it is looked at once. */
static bool rule_is_new(const struct run *run, const struct lesson *lesson)
{
    for (const struct lesson *other = run->memory.remembered->all.items; other < lesson;
         other++) {
        if (str_equal_nocase(other->transformation_rule, lesson->transformation_rule) &&
            remembering_trusts(run, other)) {
            return false;
        }
    }
    return true;
}

/* A rule holds for the other tables too: "orders" is PROD_orders when that is there and
 * orders is not. */
static void use_rule(struct run *run, const struct lesson *lesson,
                     const struct phrase_words *question)
{
    const struct schema *schema = run_schema(run);
    for (size_t i = 0; i < schema->tables.count; i++) {
        const struct table *table = &schema->tables.items[i];
        const char *said = lesson_untransform(run->scratch, lesson->transformation_rule,
                                              table->bare_name);
        if (said && !schema_table(schema, said) &&
            !str_equal_nocase(said, lesson->schema_name) && says(run, question, said) &&
            !rivals_table(run, question, said, table)) {
            add_name(run, lesson, arena_text(run->arena, said), table, NULL);
        }
    }
}

static void use_table(struct run *run, const struct lesson *lesson,
                      const struct phrase_words *question)
{
    const struct table *table = schema_table(run_schema(run), lesson->actual_name);
    if (table && says(run, question, lesson->schema_name) &&
        !rivals_table(run, question, lesson->schema_name, table)) {
        add_name(run, lesson, lesson->schema_name, table, NULL);
    }
    if (lesson->transformation_rule && rule_is_new(run, lesson)) {
        use_rule(run, lesson, question);
    }
}

static void use_column(struct run *run, const struct lesson *lesson,
                       const struct phrase_words *question)
{
    const char *dot = strrchr(lesson->actual_name, '.');
    if (!dot || !says(run, question, lesson->schema_name)) {
        return;
    }
    const char *name = arena_copy(run->scratch, lesson->actual_name,
                                  (size_t)(dot - lesson->actual_name));
    const struct table *table = schema_table(run_schema(run), name);
    const struct column *column = table ? table_column(table, dot + 1) : NULL;
    if (column && !rivals_column(run, question, lesson->schema_name, table)) {
        add_name(run, lesson, lesson->schema_name, table, column);
    }
}

static void use_nothing(struct run *run, const struct lesson *lesson,
                        const struct phrase_words *question)
{
    (void)run;
    (void)lesson;
    (void)question;
}

/* Its tables and columns must still be there. */
static bool fits_schema(struct run *run, const struct lesson *lesson)
{
    struct guard_result result = {0};
    guard_check(run->scratch, datasource_dialect(run_datasource(run)),
                lesson->actual_name, strlen(lesson->actual_name), run_schema(run),
                &result);
    return result.verdict == GUARD_READ && !result.unknown.count;
}

/* Question and SQL as examples: those whose question is most like this one. */
static void use_examples(struct run *run, const struct phrase_words *question)
{
    const struct lessons *all = &run->memory.remembered->all;
    double *likeness = arena_array(run->scratch, all->count + 1, sizeof *likeness);
    for (size_t i = 0; i < all->count; i++) {
        struct phrase_words other;
        likeness[i] = 0;
        if (all->items[i].kind == LESSON_QUERY &&
            remembering_trusts(run, &all->items[i])) {
            phrase_split(run->scratch, all->items[i].schema_name, &other);
            bool same = lesson_same_question(run->scratch, all->items[i].schema_name,
                                             run->question.text);
            likeness[i] = same ? 2 : phrase_likeness(question, &other);
        }
    }
    for (int shown = 0; shown < EXAMPLES_MOST;) {
        size_t best = 0;
        for (size_t i = 1; i < all->count; i++) {
            best = likeness[i] > likeness[best] ? i : best;
        }
        if (all->count == 0 || likeness[best] < alike_enough) {
            return;
        }
        likeness[best] = 0;
        const struct lesson *lesson = &all->items[best];
        if (fits_schema(run, lesson)) {
            (void)remembering_add(run, lesson,
                                  line_of(run, "SQL that answered ", lesson->schema_name,
                                          " before: ", lesson->actual_name));
            shown++;
        }
    }
}

static bool wanted(const struct run *run)
{
    return !run->question.skip_memory && run->options->agent_apply_memory &&
           run->agent->store && run->sources.count && run_schema(run);
}

/* Adds the lessons of the configured file (loaded at startup). What the user taught comes
 * before them, what was learned automatically after them. */
static void load_file(struct run *run)
{
    const char *path = run->options->knowledge_lessons;
    struct lessons lessons = {0};
    struct err err;
    size_t size = 0;
    err_clear(&err);
    if (str_empty(path)) {
        return;
    }
    const char *text = file_read(run->arena, path, LESSONS_FILE_MOST, &size, &err);
    if (!text || !lessons_read(run->arena, remembering_scope(run).dialect, text, size,
                               &lessons, &err)) {
        run_warn(run, "The file of knowledge.lessons was left out: %s",
                 text ? err.message : "it cannot be read.");
        return;
    }
    if (!lessons.datasource || str_equal(lessons.datasource, run_datasource(run)->id)) {
        lessons_merge(run->arena, &run->memory.remembered->all, &lessons);
    }
}

static bool load(struct run *run)
{
    struct err err;
    err_clear(&err);
    struct lessons_scope scope = remembering_scope(run);
    run->memory.remembered = ARENA_NEW(run->arena, struct remembered);
    run->memory.remembered->schema = run_schema(run);
    run->memory.lessons = (struct texts){0};
    if (!lessons_list(&scope, run->arena, &run->memory.remembered->all, &err)) {
        run_warn_system(run, "Lessons could not be looked up: %s", err.message);
        return false;
    }
    load_file(run);
    lessons_drop_disabled(&run->memory.remembered->all);
    meaning_put(run, &run->memory.remembered->all);
    return true;
}

void remembering_find(struct run *run)
{
    static void (*const uses[LESSON_KINDS])(struct run *, const struct lesson *,
                                            const struct phrase_words *) = {
        [LESSON_TABLE] = use_table,
        [LESSON_COLUMN] = use_column,
        [LESSON_ERROR] = use_nothing, /* matters once there is an error */
        [LESSON_QUERY] = use_nothing, /* together, below */
    };
    const char *text = run_question_text(run);
    if (run->memory.remembered && run->sources.count &&
        run->memory.remembered->schema != run_schema(run)) {
        run->memory.remembered = NULL; /* it was read again, or is of another database */
    }
    if (!wanted(run) ||
        (run->memory.remembered && str_equal(run->memory.remembered->question, text))) {
        return;
    }
    if (!run->memory.remembered && !load(run)) {
        run->memory.remembered->question = arena_text(run->arena, text);
        return;
    }
    struct phrase_words question;
    run->memory.remembered->question = arena_text(run->arena, text);
    phrase_split(run->scratch, text, &question);
    for (size_t i = 0; i < run->memory.remembered->all.count; i++) {
        const struct lesson *lesson = &run->memory.remembered->all.items[i];
        if (remembering_trusts(run, lesson)) {
            uses[lesson->kind](run, lesson, &question);
        }
    }
    use_examples(run, &question);
}

const struct lesson *remembering_answer(struct run *run)
{
    remembering_find(run);
    for (size_t i = 0; remembering_any(run) && i < run->memory.remembered->count; i++) {
        struct remembered_lesson *item = &run->memory.remembered->items[i];
        if (item->lesson->kind == LESSON_QUERY &&
            lesson_same_question(run->scratch, item->lesson->schema_name,
                                 run->question.text)) {
            item->told = true;
            return item->lesson;
        }
    }
    return NULL;
}

static void find_remedies(struct run *run)
{
    struct phrase_words message;
    struct phrase_words detail;
    if (!run->query.error || !run->memory.remembered) {
        return;
    }
    phrase_split(run->scratch, run->query.error->message, &message);
    phrase_split(run->scratch, run->query.error->detail, &detail);
    for (size_t i = 0; i < run->memory.remembered->all.count; i++) {
        const struct lesson *lesson = &run->memory.remembered->all.items[i];
        if (lesson->kind == LESSON_ERROR && remembering_trusts(run, lesson) &&
            (says(run, &message, lesson->schema_name) ||
             says(run, &detail, lesson->schema_name))) {
            (void)remembering_add(run, lesson,
                                  line_of(run, "After the error ", lesson->schema_name,
                                          " this helped: ", lesson->actual_name));
        }
    }
}

/* Texts in SQL may be cells of the database. */
static bool may_send(const struct run *run, const struct lesson *lesson)
{
    return policing_sends_rows(run) || lesson->kind != LESSON_QUERY ||
           !strchr(lesson->actual_name, '\'');
}

void remembering_put(struct run *run, struct slot *values)
{
    /* An eighth of the context is theirs, at about four bytes a token. */
    size_t room = (size_t)run->options->llm_context_tokens / 2;
    bool any = false;
    remembering_find(run);
    find_remedies(run);
    for (size_t i = 0; remembering_any(run) && i < run->memory.remembered->count; i++) {
        struct remembered_lesson *item = &run->memory.remembered->items[i];
        size_t size = strlen(item->line);
        if (!item->failed && size <= room && may_send(run, item->lesson)) {
            room -= size;
            item->told = any = true;
            slot_item_text(run->scratch, values, "lessons", item->line);
        }
    }
    slot_flag(run->scratch, values, "has_lessons", any);
}
