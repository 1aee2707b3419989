/* Which lessons took part in an answer, and how it went for them. */
#include <string.h>

#include "agent/memory/remembering.h"
#include "agent/run_statement.h"
#include "base/log.h"
#include "base/str.h"

/* The SQL as far as lessons are about it; names as the schema has them. */
static void figures_read(struct run *run, const char *sql, struct guard_result *out)
{
    *out = (struct guard_result){0};
    if (sql) {
        run_guard(run, sql, run_schema(run), out);
    }
}

static bool has_table(const struct run *run, const struct guard_result *sql,
                      const char *name)
{
    const struct table *table = schema_table(run_schema(run), name);
    for (size_t i = 0; table && i < sql->tables.count; i++) {
        if (schema_table(run_schema(run), sql->tables.items[i]) == table) {
            return true;
        }
    }
    return false;
}

static bool has_column(const struct guard_result *sql, const char *name)
{
    for (size_t i = 0; i < sql->columns.count; i++) {
        const char *dot = strrchr(sql->columns.items[i], '.');
        if (str_equal_nocase(dot ? dot + 1 : sql->columns.items[i], name)) {
            return true;
        }
    }
    return false;
}

/* An example is followed where its tables are used. */
static bool follows(struct run *run, const struct guard_result *sql,
                    const struct lesson *lesson)
{
    struct guard_result example;
    figures_read(run, lesson->actual_name, &example);
    for (size_t i = 0; i < example.tables.count; i++) {
        if (has_table(run, sql, example.tables.items[i])) {
            return true;
        }
    }
    return false;
}

static bool shows(struct run *run, const struct guard_result *sql,
                  const struct remembered_lesson *item)
{
    if (item->table) {
        return has_table(run, sql, item->table->name) &&
               (!item->column || has_column(sql, item->column->name));
    }
    return item->lesson->kind == LESSON_QUERY ? follows(run, sql, item->lesson)
                                              : sql->statement != NULL;
}

/* What the user defined is said with every answer that rests on it. */
static void note_meaning(struct run *run, const struct remembered_lesson *item)
{
    if (item->column && item->said &&
        str_equal(item->lesson->source, "user_correction")) {
        VEC_PUSH(run->arena, &run->answer.assumptions,
                 arena_format(run->arena, "As you said, '%s' means %s of %s.", item->said,
                              item->column->name, item->table->name));
    }
}

void remembering_note(struct run *run)
{
    struct guard_result sql;
    run->answer.lessons = run->memory.used = (struct texts){0};
    if (!remembering_any(run) || run->request.given_sql) {
        return;
    }
    figures_read(run, run->answer.sql, &sql);
    for (size_t i = 0; i < run->memory.remembered->count; i++) {
        struct remembered_lesson *item = &run->memory.remembered->items[i];
        item->used = item->told && !item->failed && shows(run, &sql, item);
        if (item->used) {
            note_meaning(run, item);
            VEC_PUSH(run->arena, &run->answer.lessons, item->line);
            if (item->lesson->id) {
                VEC_PUSH(run->arena, &run->memory.used, item->lesson->id);
            }
        }
    }
}

void remembering_doubt(struct run *run)
{
    for (size_t i = 0; remembering_any(run) && i < run->memory.remembered->count; i++) {
        struct remembered_lesson *item = &run->memory.remembered->items[i];
        item->failed = item->failed || (item->told && item->lesson->kind == LESSON_QUERY);
    }
}

/* What the user said is not to be used. */
static bool is_rejected(const struct run *run, const struct table *table)
{
    const struct texts *names = &run->request.correction.reject_tables;
    for (size_t i = 0; table && i < names->count; i++) {
        if (schema_table(run_schema(run), names->items[i]) == table) {
            return true;
        }
    }
    return false;
}

/* Where the SQL that failed shows a lesson and the one that worked does not, the lesson
 * was the trouble. */
static bool has_failed(struct run *run, const struct remembered_lesson *item,
                       const struct guard_result *first, bool success)
{
    if (item->failed || (item->told && is_rejected(run, item->table))) {
        return true;
    }
    return item->told && run->query.first_failed_sql && shows(run, first, item) &&
           (!success || !item->used) && item->lesson->kind != LESSON_ERROR;
}

static void count(struct run *run, const struct lesson *lesson, bool success)
{
    struct lessons_scope scope = remembering_scope(run);
    struct err err;
    err_clear(&err);
    /* a lesson of the file has no figures */
    if (lesson->id && !lessons_used(&scope, lesson->id, success, &err)) {
        LOG(LOG_AGENT, LOG_WARN, "a lesson's use was not counted: %s", err.message);
    }
}

void remembering_rest(struct run *run)
{
    bool success = run->state == STATE_FINISHED && run->answer.has_rows;
    if (!remembering_any(run) || (!success && run->state != STATE_FAILED)) {
        return;
    }
    struct guard_result first;
    figures_read(run, run->query.first_failed_sql, &first);
    for (size_t i = 0; i < run->memory.remembered->count; i++) {
        struct remembered_lesson *item = &run->memory.remembered->items[i];
        bool again = false; /* a rule may have helped with two words */
        for (size_t k = 0; k < i; k++) {
            again = again || (run->memory.remembered->items[k].lesson == item->lesson &&
                              run->memory.remembered->items[k].used == item->used);
        }
        bool failed = has_failed(run, item, &first, success);
        if (!again && (failed || (success && item->used))) {
            count(run, item->lesson, !failed);
        }
    }
}
