/* A question answered by another of its readings. */
#include <string.h>

#include "agent/machine.h"
#include "base/json.h"
#include "base/str.h"
#include "service/accounts/access.h"
#include "service/accounts/accounts.h"
#include "service/questions/question.h"
#include "service/questions/resume.h"
#include "store/store.h"

enum { LOOK_BACK = 10 };

/* The question, or the latest one of the account that came to something. */
static bool find(struct dgm *dgm, struct arena *arena, const char *query_id,
                 const struct dgm_request *request, struct store_question *out,
                 struct err *err)
{
    struct store_question *last = NULL;
    size_t count = 0;
    if (!query_id) {
        if (!store_question_list(dgm->agent.store, arena, request_account(request),
                                 LOOK_BACK, &last, &count, err)) {
            return false;
        }
        query_id = count ? last[0].id : "";
        for (size_t i = count; i-- > 0;) {
            query_id = str_equal(last[i].state, state_name(STATE_FAILED)) ? query_id
                                                                          : last[i].id;
        }
    }
    if (!resume_find(dgm, arena, query_id, out, err)) {
        return false;
    }
    return request_sees_question(request, out) ||
           err_set(err, ERR_QUERY_NOT_FOUND, "There is no question '%.60s'.", out->id);
}

static bool check_number(const struct store_question *stored, const json_t *readings,
                         int64_t number, struct err *err)
{
    size_t count = json_array_size(readings);
    if (!str_equal(stored->state, state_name(STATE_FINISHED)) || count < 2) {
        (void)err_set(err, ERR_USAGE, "The question was read in one way only.");
        return err_hint(err, "Ask it in other words, or say what is wrong: --wrong.");
    }
    if (number < 1 || (size_t)number > count) {
        return err_set(err, ERR_USAGE, "There is no reading %lld, only 1 to %zu.",
                       (long long)number, count);
    }
    return true;
}

/* A new question with the same words, decided by the reading. */
static struct run *make_run(struct dgm *dgm, struct arena *arena,
                            const struct store_question *stored,
                            const struct dgm_request *request, int64_t number,
                            struct err *err)
{
    const json_t *checkpoint =
        json_parse(arena, stored->checkpoint, strlen(stored->checkpoint), err);
    const json_t *readings = json_array_at(checkpoint, "readings");
    if (!checkpoint || !check_number(stored, readings, number, err) ||
        !ask_has_room(dgm, err)) {
        return NULL;
    }
    struct texts ids = {0};
    size_t index = 0;
    const json_t *source = NULL;
    json_array_foreach(json_array_at(checkpoint, "sources"), index, source)
    {
        VEC_PUSH(arena, &ids, str_or_empty(json_text_at(source, "id")));
    }
    struct question question = {
        .text = stored->text,
        .datasource = str_join(arena, &ids, ","),
        .session_id = stored->session_id,
        .account = request_account(request),
        .brain = "auto", /* the reading is known: nobody writes the SQL anew */
        .key_id = request && request->access ? request->access->key_id : NULL,
        .reach = request && request->access ? request->access->datasources : NULL,
    };
    struct run *run = run_new(&dgm->agent, &question, NULL);
    run_take_reading(run, checkpoint, (size_t)number);
    return run;
}

static struct dgm_question *begin(struct dgm *dgm, struct run *run,
                                  const struct dgm_request *request, struct err *err)
{
    struct dgm_request own = request ? *request : (struct dgm_request){0};
    own.question = run->question.text;
    if (!question_keep(dgm, run, &own, err)) {
        run_free(run);
        return NULL;
    }
    struct dgm_question *question = question_new(dgm, run, &own, own.question);
    machine_start(run);
    return question;
}

struct dgm_question *dgm_reading(struct dgm *dgm, const char *query_id, int64_t number,
                                 const struct dgm_request *request,
                                 struct dgm_error *error)
{
    struct err err;
    err_clear(&err);
    instance_no_error(error);
    struct arena *arena = arena_new();
    struct store_question stored = {0};
    struct dgm_question *question = NULL;
    bool entered = limits_enter(dgm, request ? request->access : NULL, &err);
    if (entered && instance_ready(dgm, &err) &&
        find(dgm, arena, query_id, request, &stored, &err)) {
        if (str_equal(stored.state, state_name(STATE_AWAIT_USER))) {
            const char *said = arena_format(arena, "%lld", (long long)number);
            question = resume_say(dgm, stored.id, said, request, &err);
        } else {
            struct run *run = make_run(dgm, arena, &stored, request, number, &err);
            question = run ? begin(dgm, run, request, &err) : NULL;
        }
    }
    if (entered) {
        request_settle(dgm, request, question);
    }
    arena_free(arena);
    if (!question) {
        (void)instance_fail(error, &err);
    }
    return question;
}
