/* After a question ends: stores the conversation, the answer's SQL and the lessons. */
#include "agent/memory/conversation.h"
#include "agent/memory/history.h"
#include "agent/memory/learning.h"
#include "agent/memory/remembering.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/str.h"
#include "service/questions/question.h"
#include "store/store.h"

static const char *spoken_answer(struct arena *arena, const struct run *run)
{
    const struct answer *answer = &run->answer;
    if (run->state == STATE_AWAIT_USER) {
        return answer->clarification.message;
    }
    if (run->state == STATE_FAILED || run->state == STATE_STOPPED) {
        return answer->error->message;
    }
    if (answer->has_rows) {
        size_t count = rows_given(&answer->rows);
        return arena_format(arena, "%s (%zu row%s)",
                            answer->explanation ? answer->explanation : "Done.", count,
                            count == 1 ? "" : "s");
    }
    return answer->explanation;
}

void learn_conversation(struct dgm *dgm, struct run *run, const char *said)
{
    struct err err;
    err_clear(&err);
    struct arena *arena = arena_new();
    struct message user = {.role = "user",
                           .content = said,
                           .gist = conversation_meant(run),
                           .query_id = run->answer.query_id,
                           .at = clock_wall_s()};
    const char *spoken = spoken_answer(arena, run);
    struct message assistant = {.role = "assistant",
                                .content = spoken ? spoken : "",
                                /* without a LIMIT that we added */
                                .sql = run->query.unlimited ? run->query.unlimited
                                                            : run->answer.sql,
                                .gist = conversation_result(run, arena),
                                .query_id = run->answer.query_id,
                                .at = clock_wall_s()};
    if (!store_message_add(dgm->agent.store, run->question.session_id, &user, &err) ||
        !store_message_add(dgm->agent.store, run->question.session_id, &assistant,
                           &err)) {
        LOG(LOG_SERVICE, LOG_WARN, "the conversation could not be kept: %s", err.message);
    }
    arena_free(arena);
}

void learn_said(struct dgm *dgm, struct run *run, const char *said)
{
    if (!run->request.delivery && run->question.session_id) {
        learn_conversation(dgm, run, said);
    }
}

bool learn_was_said(struct dgm *dgm, const struct run *run, const char *said)
{
    enum { LAST = 8 };
    struct err err;
    struct messages last = {0};
    bool found = false;
    err_clear(&err);
    struct arena *arena = arena_new();
    if (store_message_list(dgm->agent.store, arena, run->question.session_id, LAST, &last,
                           &err)) {
        for (size_t i = 0; i < last.count; i++) {
            found = found || (str_equal(last.items[i].role, "user") &&
                              str_equal(last.items[i].query_id, run->answer.query_id) &&
                              str_equal(last.items[i].content, said));
        }
    }
    arena_free(arena);
    return found;
}

void learn_rest(struct run *run)
{
    if (run->request.delivery) {
        return;
    }
    remembering_rest(run);
    history_keep(run);
    learning_rest(run);
}
