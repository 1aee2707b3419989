/* A user's rating of an answer, and its effect on the history and the lessons. */
#include "service/answers/feedback.h"

#include <string.h>

#include "agent/memory/judging.h"
#include "base/json.h"
#include "base/log.h"
#include "base/str.h"
#include "knowledge/answered.h"
#include "knowledge/lessons/lessons.h"
#include "model/actor.h"
#include "model/brain.h"
#include "model/question.h"
#include "service/questions/question.h"
#include "store/store.h"

enum { KEY_SIZE = 32 };

static bool load(struct dgm *dgm, struct arena *arena, const char *account,
                 const char *query_id, struct store_question *out, struct err *err)
{
    struct store_question *last = NULL;
    size_t count = 0;
    if (!query_id) {
        if (!store_question_list(dgm->agent.store, arena, account, 1, &last, &count,
                                 err)) {
            return false;
        }
        query_id = count ? last[0].id : "";
    }
    if (!store_question_get(dgm->agent.store, arena, query_id, out, err)) {
        return false;
    }
    return question_may_see(out->account, account) ||
           err_set(err, ERR_QUERY_NOT_FOUND, "There is no question with this id.");
}

static bool judge_history(struct dgm *dgm, const json_t *checkpoint,
                          const struct feedback *feedback, const char *account,
                          struct err *err)
{
    size_t index = 0;
    const json_t *item = NULL;
    bool ok = true;
    json_array_foreach(json_array_at(checkpoint, "known"), index, item)
    {
        const char *key = json_text_at(item, "key");
        const char *question = json_text_at(item, "question");
        bool clock_made = json_bool_at(item, "clock_made", true);
        if (!key || strlen(key) != KEY_SIZE || !question ||
            (feedback->good && clock_made)) {
            continue; /* correct only today, so it is not stored */
        }
        struct store_answered row = {
            .key = key,
            .account = account,
            .datasource = feedback->datasource,
            .schema_hash = json_text_at(checkpoint, "schema_hash"),
            .question = question,
            .sql = feedback->sql,
            .explanation =
                json_text_at(json_object_at(checkpoint, "answer"), "explanation"),
            .verdict = feedback->good ? STORE_VERDICT_GOOD : STORE_VERDICT_WRONG,
            .score = -1, /* the user's rating counts more */
        };
        ok = ok && row.schema_hash && answered_judge(dgm->agent.answered, &row, err);
    }
    return ok;
}

/* A follow-up cannot be a query pattern without its conversation. */
static bool judge_lessons(struct dgm *dgm, struct arena *arena, const json_t *checkpoint,
                          const struct feedback *feedback, const char *account,
                          struct err *err)
{
    const json_t *first = json_array_get(json_array_at(checkpoint, "known"), 0);
    const char *question = json_text_at(first, "question");
    struct datasource *source =
        instance_datasource_for(dgm, arena, account, feedback->datasource, err);
    struct texts used = {0};
    struct texts corrected = {0};
    if (!source && feedback->good) {
        return false; /* its dialect is needed to check the SQL */
    }
    json_texts_at(arena, checkpoint, "lessons_used", &used);
    struct lessons_scope scope = {
        .store = dgm->agent.store,
        .account = str_empty(account) ? NULL : actor_account(arena, account),
        .datasource = feedback->datasource,
        .dialect = source ? datasource_dialect(source) : DIALECT_SQLITE};
    struct lessons_feedback word = {
        .good = feedback->good,
        .question = str_empty(question) ? NULL : question,
        .sql = feedback->sql,
        .clock_made = json_bool_at(first, "clock_made", true),
        .lessons = &used,
    };
    /* Nothing is learned from a correction whose answer was wrong, too. */
    json_texts_at(arena, checkpoint, "use_tables", &corrected);
    return (feedback->good || lessons_take_back(&scope, &corrected, err)) &&
           lessons_feedback(&scope, &word, err);
}

static bool feedback_judge(struct dgm *dgm, struct arena *arena,
                           const struct store_question *stored, struct feedback *out,
                           struct err *err)
{
    const json_t *checkpoint =
        json_parse(arena, stored->checkpoint, strlen(stored->checkpoint), err);
    const json_t *source = json_array_get(json_array_at(checkpoint, "sources"), 0);
    const char *sql = json_text_at(checkpoint, "unlimited");
    out->query_id = stored->id;
    /* As rewritten by a model, the question is complete in itself. */
    enum brain_kind brain =
        brain_kind_find(json_text_at(json_object_at(checkpoint, "answer"), "brain"));
    const char *rewritten = json_text_at(checkpoint, "rewritten");
    out->question = rewritten && brain != BRAIN_PARSER ? rewritten : stored->text;
    out->datasource = json_text_at(source, "id");
    out->sql = sql ? sql : json_text_at(checkpoint, "sql");
    if (!str_equal(stored->state, state_name(STATE_FINISHED)) || !out->sql ||
        !out->datasource || json_array_size(json_array_at(checkpoint, "known")) == 0) {
        (void)err_set(err, ERR_USAGE, "The question has no answer that can be rated.");
        return err_hint(err, "Only an answer that came with SQL can be right or wrong.");
    }
    if (!judge_history(dgm, checkpoint, out, stored->account, err)) {
        return false;
    }
    struct err trouble; /* update the history, even if the lessons fail */
    err_clear(&trouble);
    if (!judge_lessons(dgm, arena, checkpoint, out, stored->account, &trouble)) {
        LOG(LOG_SERVICE, LOG_INFO, "lessons did not follow: %s", trouble.message);
    }
    (void)store_audit(dgm->agent.store, stored->account,
                      out->good ? "answer called good" : "answer called wrong",
                      stored->id, &trouble);
    return true;
}

/* query_id NULL: the account's last question. The result lives in the arena. */
static bool feedback_give(struct dgm *dgm, struct arena *arena, const char *account,
                          const char *query_id, bool good, struct feedback *out,
                          struct err *err)
{
    struct store_question stored = {0};
    *out = (struct feedback){.good = good};
    return instance_store(dgm, err) &&
           load(dgm, arena, account, str_empty(query_id) ? NULL : query_id, &stored,
                err) &&
           feedback_judge(dgm, arena, &stored, out, err);
}

bool feedback_message(struct dgm *dgm, struct arena *arena,
                      const struct question *question, struct feedback *out,
                      const char **rest)
{
    struct err err;
    err_clear(&err);
    enum judging judging = judging_of(arena, question->text, rest);
    struct messages last = {0};
    if (judging == JUDGING_NONE || str_empty(question->session_id) ||
        !store_message_list(dgm->agent.store, arena, question->session_id, 1, &last,
                            &err) ||
        last.count == 0 || !last.items[0].query_id) {
        return false;
    }
    return feedback_give(dgm, arena, question->account, last.items[0].query_id,
                         judging == JUDGING_GOOD, out, &err);
}

bool dgm_feedback(struct dgm *dgm, const char *account, const char *query_id, bool good,
                  struct dgm_error *error)
{
    struct err err;
    struct feedback feedback;
    err_clear(&err);
    instance_no_error(error);
    struct arena *arena = arena_new();
    bool ok = feedback_give(dgm, arena, account, query_id, good, &feedback, &err) ||
              instance_fail(error, &err);
    arena_free(arena);
    return ok;
}
