/* The history as used by one question; see history.h. */
#include "agent/memory/history.h"

#include <string.h>

#include "agent/memory/clock_made.h"
#include "agent/memory/conversation.h"
#include "agent/run_statement.h"
#include "agent/sources/policing.h"
#include "agent/understand/solving.h"
#include "agent/sql_text.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/str.h"
#include "knowledge/answered.h"
#include "prompt/template.h"

enum { EXAMPLE_MOST = 800 }; /* longer SQL is not shown as an example */

static const double CONFIRMED = 0.95; /* the user confirmed it */

static bool looks_back(const struct run *run)
{
    return run->options->agent_recall && !run->question.fresh &&
           !run->question.allow_write && !run->request.given_sql;
}

static void add(struct run *run, struct texts *lines, const char *what,
                const struct texts *from)
{
    for (size_t i = 0; i < from->count; i++) {
        VEC_PUSH(run->scratch, lines,
                 arena_format(run->scratch, "%s %s", what, from->items[i]));
    }
}

/* Adds what the user decided besides the question. */
static void add_constraints(struct run *run, struct texts *lines)
{
    add(run, lines, "said", &run->request.details);
    add(run, lines, "use", &run->request.correction.use_tables);
    add(run, lines, "not", &run->request.correction.reject_tables);
    add(run, lines, "join", &run->request.correction.joins);
}

static void add_conversation(struct run *run, struct texts *lines)
{
    for (size_t i = 0; i < run->request.history.count; i++) {
        const struct message *message = &run->request.history.items[i];
        bool user = str_equal(message->role, "user");
        const char *text = user ? message->content : message->sql;
        if (text) {
            VEC_PUSH(run->scratch, lines, arena_format(run->scratch, "after %s", text));
        }
    }
}

static const char *joined(struct run *run, const struct texts *lines)
{
    return lines->count ? arena_text(run->arena, str_join(run->scratch, lines, "\n"))
                        : NULL;
}

static void add_name(struct run *run, const char *text, const char *taught,
                     const char *constraints)
{
    VEC_PUSH(
        run->arena, &run->memory.known,
        ((struct run_known){.text = text, .taught = taught, .constraints = constraints}));
}

/*
 * By what the question is known: as understood, and as typed. The words of a follow-up
 * mean the same only after the same conversation, and teach nobody anything: its full
 * wording does. Words that look whole may be a follow-up, too, so they are looked for both
 * ways, and kept as what they turned out to be.
 */
static void name(struct run *run, bool answered)
{
    struct texts lines = {0};
    const char *text = run->question.text;
    const char *full = run->answer.rewritten;
    const char *meant = conversation_meant(run);
    bool talks = run->request.history.count > 0;
    bool leans = talks && conversation_leans(run, text);
    add_constraints(run, &lines);
    const char *alone = joined(run, &lines);
    run->memory.known = (struct run_knowns){0};
    if (full) {
        bool whole = !talks || meant || conversation_whole(run, full);
        add_name(run, full, whole ? full : NULL, alone);
    }
    if (talks && (leans || meant || !answered)) {
        add_conversation(run, &lines);
        add_name(run, text, meant, joined(run, &lines));
    }
    if (!leans && !(answered && meant)) {
        add_name(run, text, talks && full ? NULL : text, alone);
    }
}

/* A user's rating holds whatever is learned later, so its key does not include lessons.
 * Answers from before a lesson are computed again after it. */
static struct answered_question key_of(struct run *run, const struct run_known *known,
                                       const char *lessons)
{
    const char *constraints = known->constraints;
    if (lessons) {
        constraints =
            arena_format(run->scratch, "%s\n%s", constraints ? constraints : "", lessons);
    }
    return (struct answered_question){.account = run->question.account,
                                      .datasource = run_datasource(run)->id,
                                      .schema_hash = run_schema(run)->hash,
                                      .text = known->text,
                                      .taught = known->taught,
                                      .constraints = constraints};
}

static void find_examples(struct run *run, struct err *err)
{
    struct answered_question key = key_of(run, &run->memory.known.items[0], NULL);
    struct answered_examples near = {0};
    size_t most = (size_t)run->options->agent_examples;
    run->memory.examples = (struct run_examples){0};
    if (most && policing_sends_rows(run) &&
        answered_near(run->agent->answered, run->scratch, &key,
                      datasource_dialect(run_datasource(run)),
                      most + run->request.history.count, &near, err)) {
        for (size_t i = 0; i < near.count && run->memory.examples.count < most; i++) {
            const struct answered_example *example = &near.items[i];
            if (strlen(example->sql) <= EXAMPLE_MOST &&
                !conversation_has(run, example->question, example->sql)) {
                VEC_PUSH(run->arena, &run->memory.examples,
                         ((struct run_example){arena_text(run->arena, example->question),
                                               str_squeeze(run->arena, example->sql)}));
            }
        }
    }
}

/* Looks up one key; true if the SQL is known. */
static bool look_up(struct run *run, const struct run_known *known, const char *lessons,
                    struct err *err)
{
    struct answered_question key = key_of(run, known, lessons);
    struct answered_pair pair = {0};
    if (!answered_get(run->agent->answered, run->arena, &key, &pair, err) ||
        history_is_wrong(run, pair.sql)) {
        return false;
    }
    if (pair.verdict == STORE_VERDICT_WRONG) {
        VEC_PUSH(run->arena, &run->memory.wrong_sql, pair.sql);
        return false;
    }
    bool counts =
        pair.verdict == STORE_VERDICT_GOOD || str_equal(lessons, run->memory.asked_with);
    if (counts) {
        run->memory.recalled =
            pair.verdict == STORE_VERDICT_GOOD ? CONFIRMED : pair.score;
        run->answer.sql = pair.sql;
        run->answer.explanation = pair.explanation;
    }
    return counts;
}

bool history_recall(struct run *run, struct err *err)
{
    run->memory.asked_with =
        run->memory.lessons.count
            ? arena_text(run->arena, str_join(run->scratch, &run->memory.lessons, "\n"))
            : NULL;
    name(run, false);
    if (!looks_back(run)) {
        return false;
    }
    bool hit = false;
    for (size_t i = 0; i < run->memory.known.count && !hit; i++) {
        const struct run_known *known = &run->memory.known.items[i];
        hit =
            look_up(run, known, NULL, err) ||
            (run->memory.asked_with && look_up(run, known, run->memory.asked_with, err));
    }
    if (!hit && err->code == ERR_OK && !solving_alone(run)) {
        find_examples(run, err);
    }
    return hit;
}

void history_forget(struct run *run)
{
    for (size_t i = 0; i < run->memory.known.count; i++) {
        const char *const lessons[] = {NULL, run->memory.asked_with};
        for (size_t k = 0; k < 2; k++) {
            struct answered_question key =
                key_of(run, &run->memory.known.items[i], lessons[k]);
            struct err trouble;
            err_clear(&trouble);
            (void)answered_drop(run->agent->answered, &key, &trouble);
        }
    }
}

bool history_is_wrong(const struct run *run, const char *sql)
{
    return sql_text_listed(run, &run->memory.wrong_sql, sql);
}

void history_put(struct run *run, struct slot *values)
{
    if (!policing_sends_rows(run)) {
        return; /* the SQL may contain cells */
    }
    for (size_t i = 0; i < run->memory.examples.count; i++) {
        struct slot *item = slot_item(run->scratch, values, "examples");
        slot_text(run->scratch, item, "question",
                  str_squeeze(run->scratch, run->memory.examples.items[i].question));
        slot_text(run->scratch, item, "sql", run->memory.examples.items[i].sql);
    }
    slot_flag(run->scratch, values, "has_examples", run->memory.examples.count > 0);
    for (size_t i = 0; i < run->memory.wrong_sql.count; i++) {
        slot_item_text(run->scratch, values, "wrong_sql", run->memory.wrong_sql.items[i]);
    }
    slot_flag(run->scratch, values, "has_wrong_sql", run->memory.wrong_sql.count > 0);
}

/* The words that can explain a date in the SQL: only the user's, because a model turns
 * "this year" into a number. */
static const char *words_of(struct run *run, const struct run_known *known)
{
    if (known->text != run->question.text) {
        return known->text;
    }
    struct texts words = {0};
    VEC_PUSH(run->scratch, &words, known->text);
    add(run, &words, "", &run->request.details);
    for (size_t i = 0; i < run->request.history.count; i++) {
        if (str_equal(run->request.history.items[i].role, "user")) {
            VEC_PUSH(run->scratch, &words, run->request.history.items[i].content);
        }
    }
    return str_join(run->scratch, &words, " ");
}

/* The SQL without a LIMIT that we added. */
static const char *sql_of(const struct run *run)
{
    return run->query.unlimited ? run->query.unlimited : run->answer.sql;
}

void history_note(struct run *run)
{
    const char *today =
        clock_date(run->scratch, clock_wall_s(), run->options->agent_time_zone);
    name(run, true);
    for (size_t i = 0; i < run->memory.known.count; i++) {
        struct run_known *known = &run->memory.known.items[i];
        struct answered_question key = key_of(run, known, NULL);
        answered_key(&key, known->key);
        known->clock_made = clock_made(run->scratch, run_statement(run, sql_of(run)),
                                       words_of(run, known), today);
    }
}

/* Only checked SQL may be returned again without a model. The parser's SQL is not stored:
 * it reads the question again just as fast, and newer weights may read it better. */
static bool worth_keeping(const struct run *run)
{
    return run->state == STATE_FINISHED && run->answer.has_rows && run->answer.sql &&
           !run->query.hit && run->answer.brain != BRAIN_PARSER &&
           !run->request.given_sql && !run->query.is_write &&
           run->options->agent_recall && run->memory.known.count &&
           (run->memory.asked_with || !run->memory.lessons.count) &&
           !history_is_wrong(run, sql_of(run));
}

void history_keep(struct run *run)
{
    if (!worth_keeping(run)) {
        return;
    }
    struct answered_pair pair = {.sql = sql_of(run),
                                 .explanation = run->answer.explanation,
                                 .score = run->memory.sure};
    for (size_t i = 0; i < run->memory.known.count; i++) {
        struct answered_question key =
            key_of(run, &run->memory.known.items[i], run->memory.asked_with);
        struct err err;
        err_clear(&err);
        if (!answered_put(run->agent->answered, &key, &pair,
                          run->memory.known.items[i].clock_made, &err)) {
            LOG(LOG_AGENT, LOG_WARN, "the answer could not be remembered: %s",
                err.message);
        }
    }
}
