/* Finds the session of a conversation that its client keeps: the same one, a copy up to an
 * earlier message, or a new one. */
#include <string.h>

#include "agent/machine.h"
#include "base/clock.h"
#include "base/json.h"
#include "base/memory.h"
#include "base/str.h"
#include "base/vec.h"
#include "service/accounts/access.h"
#include "service/questions/question.h"
#include "store/store.h"

/* Sessions that are compared, messages of each, and messages that a copy gets: only the
 * latest ones, so that a long history costs no more than this. */
enum { SESSIONS_MOST = 20, MESSAGES_MOST = 200, COPIED_MOST = 40 };

/* Where a conversation goes on: after this many messages of the session. */
struct place {
    const char *session;
    const char *datasource; /* of the session; or NULL */
    struct messages messages;
    size_t after;
};

static bool is_said_by(const struct message *message, const char *role)
{
    return str_equal(message->role, role);
}

/* After the reply of the question with this id. If it has several, because it asked back,
 * the one that follows the client's last message. */
static size_t place_of_question(const struct messages *messages,
                                const struct dgm_talk *talk)
{
    const char *last = talk->count ? talk->said[talk->count - 1] : NULL;
    size_t found = 0;
    bool exact = false;
    for (size_t i = 0; i < messages->count; i++) {
        const struct message *message = &messages->items[i];
        bool here = is_said_by(message, "assistant") &&
                    str_equal(message->query_id, talk->query_id);
        bool follows = here && i > 0 && str_equal(messages->items[i - 1].content, last);
        if (here && (follows || !exact)) {
            found = i + 1;
            exact = follows;
        }
    }
    return found;
}

/* After the replies to all that was said, if the session begins with that. */
static size_t place_of_words(const struct messages *messages, const struct dgm_talk *talk)
{
    size_t said = 0;
    for (size_t i = 0; i < messages->count; i++) {
        const struct message *message = &messages->items[i];
        bool asks = is_said_by(message, "user");
        if (asks &&
            (said == talk->count || !str_equal(message->content, talk->said[said++]))) {
            return 0;
        }
        if (is_said_by(message, "assistant") && said == talk->count) {
            return i + 1;
        }
    }
    return 0;
}

static bool is_about(const struct store_session *session, const struct dgm_talk *talk)
{
    return str_empty(talk->datasource) || str_empty(session->datasource) ||
           str_equal_nocase(talk->datasource, session->datasource);
}

/* Does the conversation go on in this session? */
static bool place_in(struct dgm *dgm, struct arena *arena,
                     const struct dgm_access *access, const struct dgm_talk *talk,
                     const struct store_session *session, struct place *out,
                     struct err *err)
{
    if (!question_may_see(session->account, access_account(access)) ||
        !access_sees_session(access, session) || !is_about(session, talk) ||
        !store_message_list(dgm->agent.store, arena, session->id, MESSAGES_MOST,
                            &out->messages, err)) {
        return false;
    }
    out->session = session->id;
    out->datasource = session->datasource;
    out->after = str_empty(talk->query_id) ? place_of_words(&out->messages, talk)
                                           : place_of_question(&out->messages, talk);
    return out->after > 0;
}

/* In the session of the question whose answer the client names. */
static bool find_by_question(struct dgm *dgm, struct arena *arena,
                             const struct dgm_access *access, const struct dgm_talk *talk,
                             struct place *out, struct err *err)
{
    struct store_question question = {0};
    struct store_session session = {0};
    return !str_empty(talk->query_id) &&
           dgm_access_question(dgm, access, talk->query_id, &(struct dgm_error){0}) &&
           store_question_get(dgm->agent.store, arena, talk->query_id, &question, err) &&
           !str_empty(question.session_id) &&
           store_session_get(dgm->agent.store, arena, question.session_id, &session,
                             err) &&
           place_in(dgm, arena, access, talk, &session, out, err);
}

/* In the newest session that has exactly this conversation, or else begins with it. */
static bool find_by_words(struct dgm *dgm, struct arena *arena,
                          const struct dgm_access *access, const struct dgm_talk *talk,
                          struct place *out, struct err *err)
{
    struct dgm_talk words = *talk;
    struct store_sessions sessions = {0};
    bool found = false;
    words.query_id = NULL;
    if (!talk->count || !store_session_list(dgm->agent.store, arena,
                                            access_account(access), &sessions, err)) {
        return false;
    }
    for (size_t i = 0; i < sessions.count && i < SESSIONS_MOST; i++) {
        struct place place = {0};
        bool fits = place_in(dgm, arena, access, &words, &sessions.items[i], &place, err);
        bool ends = fits && place.after == place.messages.count;
        if (fits && (ends || !found)) {
            *out = place;
            found = true;
        }
        if (ends) {
            break;
        }
    }
    return found;
}

/* Everything that was said up to the place, in a session of its own. */
static bool copy(struct dgm *dgm, const struct place *place, const char *id,
                 struct err *err)
{
    size_t from = place->after > COPIED_MOST ? place->after - COPIED_MOST : 0;
    for (size_t i = from; i < place->after; i++) {
        if (!store_message_add(dgm->agent.store, id, &place->messages.items[i], err)) {
            return false;
        }
    }
    return true;
}

/* A question that was asked without a session, as the beginning of one. */
static struct messages messages_of(struct arena *arena,
                                   const struct store_question *question,
                                   const json_t *checkpoint)
{
    struct err err;
    struct messages messages = {0};
    const char *text = str_or_empty(question->answer);
    const json_t *answer = json_parse(arena, text, strlen(text), &err);
    const char *explanation = json_text_at(answer, "explanation");
    const char *rewritten = json_text_at(checkpoint, "rewritten");
    const char *sql = json_text_at(checkpoint, "unlimited");
    const struct message user = {.role = "user",
                                 .content = question->text,
                                 .gist = str_equal(rewritten, question->text) ? NULL
                                                                              : rewritten,
                                 .query_id = question->id,
                                 .at = clock_wall_s()};
    const struct message reply = {.role = "assistant",
                                  .content = explanation ? explanation : "Done.",
                                  .sql = sql ? sql : json_text_at(checkpoint, "sql"),
                                  .query_id = question->id,
                                  .at = clock_wall_s()};
    VEC_PUSH(arena, &messages, user);
    VEC_PUSH(arena, &messages, reply);
    return messages;
}

/*
 * A key for several datasources has no conversation about all of them. But if the question
 * that was answered last was about one, the conversation goes on about that one.
 */
static bool find_datasource(struct dgm *dgm, struct arena *arena,
                            const struct dgm_access *access, const struct dgm_talk *talk,
                            struct place *out, struct err *err)
{
    struct store_question question = {0};
    if (!access_is_narrow(access) || talk->datasource || str_empty(talk->query_id) ||
        !dgm_access_question(dgm, access, talk->query_id, &(struct dgm_error){0}) ||
        !store_question_get(dgm->agent.store, arena, talk->query_id, &question, err) ||
        !str_equal(question.state, state_name(STATE_FINISHED)) ||
        !str_empty(question.session_id)) {
        return false;
    }
    const char *text = str_or_empty(question.checkpoint);
    const json_t *checkpoint = json_parse(arena, text, strlen(text), err);
    const json_t *sources = json_array_at(checkpoint, "sources");
    out->datasource = json_text_at(json_array_get(sources, 0), "id");
    if (json_array_size(sources) != 1 || !out->datasource) {
        return false;
    }
    out->messages = messages_of(arena, &question, checkpoint);
    out->after = out->messages.count;
    return true;
}

char *dgm_session_for(struct dgm *dgm, const struct dgm_access *access,
                      const struct dgm_talk *talk, struct dgm_error *error)
{
    struct err err;
    struct place place = {0};
    err_clear(&err);
    instance_no_error(error);
    if (!instance_store(dgm, &err)) {
        (void)instance_fail(error, &err);
        return NULL;
    }
    struct arena *arena = arena_new();
    bool found = find_by_question(dgm, arena, access, talk, &place, &err) ||
                 find_by_words(dgm, arena, access, talk, &place, &err) ||
                 find_datasource(dgm, arena, access, talk, &place, &err);
    bool same = found && place.session && place.after == place.messages.count;
    const char *about = found && access_is_narrow(access) && !talk->datasource
                            ? place.datasource
                            : talk->datasource;
    char *id = same ? memory_text(place.session)
                    : dgm_session_new_for(dgm, access, about, error);
    if (id && found && !same && !copy(dgm, &place, id, &err)) {
        (void)instance_fail(error, &err);
        memory_free(id);
        id = NULL;
    }
    arena_free(arena);
    return id;
}
