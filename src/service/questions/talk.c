/* Finds the session of a conversation that its client keeps: the same one, a copy up to an
 * earlier message, or a new one. */
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/str.h"
#include "service/accounts/access.h"
#include "service/questions/question.h"
#include "store/store.h"

/* Sessions that are compared, messages of each, and messages that a copy gets: only the
 * latest ones, so that a long history costs no more than this. */
enum { SESSIONS_MOST = 20, MESSAGES_MOST = 200, COPIED_MOST = 40 };

/* Where a conversation goes on: after this many messages of the session. */
struct place {
    const char *session;
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
                 find_by_words(dgm, arena, access, talk, &place, &err);
    char *id = NULL;
    if (found && place.after == place.messages.count) {
        id = memory_text(place.session);
    } else {
        id = dgm_session_new_for(dgm, access, talk->datasource, error);
    }
    if (id && found && place.after < place.messages.count &&
        !copy(dgm, &place, id, &err)) {
        (void)instance_fail(error, &err);
        memory_free(id);
        id = NULL;
    }
    arena_free(arena);
    return id;
}
