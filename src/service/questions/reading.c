/* A question answered by another of its readings. */
#include "service/questions/reading.h"

#include <string.h>

#include "base/buf.h"
#include "base/json.h"
#include "base/str.h"
#include "base/writer.h"
#include "model/clarification.h"
#include "model/message.h"
#include "service/accounts/access.h"
#include "service/accounts/accounts.h"
#include "service/questions/question.h"
#include "service/questions/resume.h"
#include "store/store.h"

enum { LOOK_BACK = 10, FILES_MOST = 1 << 20, READINGS_MOST = 16 };

/* The latest question of the account with a result, else the latest one. */
static const char *latest(struct dgm *dgm, struct arena *arena, const char *account,
                          struct err *err)
{
    struct store_question *last = NULL;
    size_t count = 0;
    if (!store_question_list(dgm->agent.store, arena, account, LOOK_BACK, &last, &count,
                             err)) {
        return NULL;
    }
    const char *id = count ? last[0].id : "";
    for (size_t i = count; i-- > 0;) {
        id = str_equal(last[i].state, state_name(STATE_FAILED)) ? id : last[i].id;
    }
    return id;
}

static bool find(struct dgm *dgm, struct arena *arena, const char *query_id,
                 const struct dgm_request *request, struct store_question *out,
                 struct err *err)
{
    query_id = query_id ? query_id : latest(dgm, arena, request_account(request), err);
    if (!query_id || !resume_find(dgm, arena, query_id, out, err)) {
        return false;
    }
    return request_sees_question(request, out) ||
           err_set(err, ERR_QUERY_NOT_FOUND, "There is no question with this id.");
}

/* [{id, path}] as the checkpoint has them; nothing where one is no file. */
static void write_files(struct writer *writer, const json_t *checkpoint)
{
    size_t index = 0;
    const json_t *source = NULL;
    const json_t *sources = json_array_at(checkpoint, "sources");
    size_t files = 0;
    json_array_foreach(sources, index, source)
    {
        files += json_text_at(source, "file") != NULL;
    }
    writer_array(writer);
    json_array_foreach(sources, index, source)
    {
        if (files == json_array_size(sources)) {
            writer_object(writer);
            writer_key_text(writer, "id", json_text_at(source, "id"));
            writer_key_text(writer, "path", json_text_at(source, "file"));
            writer_object_end(writer);
        }
    }
    writer_array_end(writer);
}

char *dgm_question_files(struct dgm *dgm, const char *account, const char *query_id,
                         struct dgm_error *error)
{
    struct err err;
    struct buf buf;
    struct writer writer;
    struct store_question stored = {0};
    const struct dgm_request request = {.account = account};
    err_clear(&err);
    instance_no_error(error);
    struct arena *arena = arena_new();
    bool found =
        instance_ready(dgm, &err) && find(dgm, arena, query_id, &request, &stored, &err);
    const json_t *checkpoint =
        found ? json_parse(arena, stored.checkpoint, strlen(stored.checkpoint), &err)
              : NULL;
    if (checkpoint) {
        buf_init(&buf, FILES_MOST);
        writer_init(&writer, &buf);
        write_files(&writer, checkpoint);
    } else {
        (void)instance_fail(error, &err);
    }
    arena_free(arena);
    return checkpoint ? buf_take(&buf) : NULL;
}

static bool check_number(const struct store_question *stored, const json_t *readings,
                         int64_t number, struct err *err)
{
    size_t count = json_array_size(readings);
    if (!str_equal(stored->state, state_name(STATE_FINISHED)) || count < 2) {
        (void)err_set(err, ERR_USAGE, "The question has only one reading.");
        return err_hint(err, "Ask it in other words, or say what is wrong: --wrong.");
    }
    if (number < 1 || (size_t)number > count) {
        return err_set(err, ERR_USAGE, "There is no reading %lld, only 1 to %zu.",
                       (long long)number, count);
    }
    return true;
}

/* Creates a question with the same words that uses the chosen reading. */
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
        .brain = BRAIN_AUTO, /* the reading is given, so no SQL is generated */
        .key_id = request && request->access ? request->access->key_id : NULL,
        .reach = request && request->access ? request->access->datasources : NULL,
    };
    struct run *run = run_new(&dgm->agent, &question, NULL);
    run_take_reading(run, checkpoint, (size_t)number);
    return run;
}

/* "2.", "option 2", "the second one": the number of a reading; 0: it says something else. "The first one" and "the
 * last" may be rows. */
static int64_t number_said(const char *text, size_t count)
{
    struct clarification_option options[READINGS_MOST] = {0};
    const struct clarification choice = {
        .options = {.items = options,
                    .count = count < READINGS_MOST ? count : READINGS_MOST}};
    size_t number = clarification_number(&choice, text);
    bool row =
        str_contains_nocase(text, "last") ||
        (number == 1 && !strpbrk(text, "1") && !str_contains_nocase(text, "option") &&
         !str_contains_nocase(text, "reading"));
    return number <= choice.options.count && !row ? (int64_t)number : 0;
}

int64_t reading_said(struct dgm *dgm, struct arena *arena,
                     const struct dgm_request *request, struct store_question *out)
{
    struct err err;
    struct messages last = {0};
    err_clear(&err);
    if (str_empty(request->session_id) || str_empty(request->question) ||
        !number_said(request->question, SIZE_MAX) || !instance_ready(dgm, &err) ||
        !store_message_list(dgm->agent.store, arena, request->session_id, 1, &last,
                            &err) ||
        last.count == 0 || !last.items[0].query_id ||
        !find(dgm, arena, last.items[0].query_id, request, out, &err) ||
        !str_equal(out->state, state_name(STATE_FINISHED))) {
        return 0;
    }
    const json_t *checkpoint =
        json_parse(arena, out->checkpoint, strlen(out->checkpoint), &err);
    return number_said(request->question,
                       json_array_size(json_array_at(checkpoint, "readings")));
}

struct dgm_question *reading_take(struct dgm *dgm, struct arena *arena,
                                  const struct store_question *stored, int64_t number,
                                  const struct dgm_request *request, struct err *err)
{
    struct run *run = make_run(dgm, arena, stored, request, number, err);
    return run ? question_begin(dgm, run, request, err) : NULL;
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
            question = reading_take(dgm, arena, &stored, number, request, &err);
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
