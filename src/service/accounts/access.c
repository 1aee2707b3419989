/* Checks which account a call belongs to and what that account may see. */
#include "service/accounts/access.h"

#include <string.h>

#include "agent/sources/reach.h"
#include "base/clock.h"
#include "base/json.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/str.h"
#include "service/accounts/accounts.h"
#include "service/questions/question.h"
#include "service/questions/resume.h"
#include "service/sign_in/sign_in.h"
#include "store/store.h"

enum { USED_EVERY_S = 60, AUDIT_EVERY_S = 60 * 60 };

const char *access_account(const struct dgm_access *access)
{
    return access && *access->actor ? access->actor : access_owner(access);
}

const char *access_owner(const struct dgm_access *access)
{
    return access && *access->account ? access->account : NULL;
}

bool access_is_admin(const struct dgm_access *access)
{
    return !access_account(access) || (access->scopes & DGM_SCOPE_ADMIN) != 0;
}

bool access_is_narrow(const struct dgm_access *access)
{
    return access && !str_empty(access->datasources);
}

bool access_sees_session(const struct dgm_access *access,
                         const struct store_session *session)
{
    return !access_is_narrow(access) ||
           reach_holds_all(access->datasources, session->datasource);
}

/*
 * Decides by what the question could see: a clarifying question may name every
 * datasource.
 */
static bool access_sees_question(const struct dgm_access *access,
                                 const struct store_question *question)
{
    if (!access_is_narrow(access)) {
        return true;
    }
    struct err err;
    struct arena *arena = arena_new();
    const char *text = str_or_empty(question->checkpoint);
    const json_t *asked =
        json_object_at(json_parse(arena, text, strlen(text), &err), "question");
    bool sees = reach_holds_all(access->datasources, json_text_at(asked, "reach")) ||
                reach_holds_all(access->datasources, json_text_at(asked, "datasource"));
    arena_free(arena);
    return sees;
}

const char *request_account(const struct dgm_request *request)
{
    return request->access ? access_account(request->access) : request->account;
}

bool request_sees_question(const struct dgm_request *request,
                           const struct store_question *question)
{
    return !request || (question_may_see(question->account, request_account(request)) &&
                        access_sees_question(request->access, question));
}

void request_bound(const struct dgm_request *request, struct run *run)
{
    if (request && request->access) {
        const struct dgm_access *access = request->access;
        run_bind_access(run, access->key_id,
                        access_is_narrow(access) ? access->datasources : NULL);
    }
}

void request_settle(struct dgm *dgm, const struct dgm_request *request, const void *begun)
{
    if (!begun && request && request->access && *request->access->key_id) {
        limits_leave(dgm, request->access->key_id, 0);
    }
}

/* ------------------------------------------------------------------ authentication */

/* Splits dgm_<id>_<secret>; texts of another form or length are no keys. */
static const char *secret_of(const char *key, char id[ACCOUNTS_ID_SIZE])
{
    static const char prefix[] = "dgm_";
    const size_t begin = sizeof prefix - 1;
    const size_t middle = begin + ACCOUNTS_ID_SIZE - 1;
    size_t size = key ? strnlen(key, middle + SECRET_SIZE + 1) : 0;
    if (size != middle + SECRET_SIZE || !str_starts(key, prefix) || key[middle] != '_') {
        return NULL;
    }
    memcpy(id, key + begin, ACCOUNTS_ID_SIZE - 1);
    id[ACCOUNTS_ID_SIZE - 1] = '\0';
    return key + middle + 1;
}

/* The same message in all cases, so that ids cannot be guessed. */
static bool access_refuse(struct err *err)
{
    return err_set(err, ERR_UNAUTHORIZED, "The key is not valid.");
}

/* A request with an access key. */
struct guest {
    char id[ACCOUNTS_ID_SIZE];
    char hash[SECRET_HASH_SIZE];
    enum dgm_scope needed;
    int64_t used;       /* time of the last use, if it should be stored; -1 */
    int64_t per_minute; /* the limit that a shared store checks; 0: none */
};

/* Checks the rate limit of a valid key. With a shared store, the store decides; this
 * process only knows whether nothing is left. */
static bool may_request(struct guest *guest, struct account_key *key, bool shared,
                        struct err *err)
{
    if (!shared) {
        return limits_request(key, err);
    }
    guest->per_minute = key->rate_per_minute;
    int64_t wait_ms = key->rate_per_minute > 0 ? key->empty_until_ms - clock_ms() : 0;
    return wait_ms <= 0 || limits_too_many(wait_ms, key->rate_per_minute, err);
}

/* Call it with the lock held. */
static bool admit(struct guest *guest, struct account_key *key, bool shared,
                  struct dgm_access *access, struct err *err)
{
    if (!secret_equal(key->hash, guest->hash)) {
        return access_refuse(err);
    }
    int64_t now = clock_wall_s();
    if (key->expires_at && key->expires_at <= now) {
        (void)err_set(err, ERR_UNAUTHORIZED, "The key has expired.");
        return err_hint(err, "Ask for a new one.");
    }
    *access = key->access;
    unsigned needed = (unsigned)guest->needed;
    if ((needed & access->scopes) != needed) {
        return err_set(err, ERR_FORBIDDEN, "The key may not do this: it needs '%s'.",
                       accounts_scope_name(guest->needed));
    }
    if (!may_request(guest, key, shared, err)) {
        return false;
    }
    if (now - key->last_used_at >= USED_EVERY_S) {
        guest->used = key->last_used_at;
        key->last_used_at = now;
    }
    return true;
}

static void note_use(struct dgm *dgm, const struct dgm_access *access, int64_t before)
{
    struct err err;
    int64_t now = clock_wall_s();
    err_clear(&err);
    if (!store_key_used(dgm->agent.store, access->key_id, now, &err) ||
        (now - before >= AUDIT_EVERY_S &&
         !store_audit(dgm->agent.store, access->account, "key used", access->key_id,
                      &err))) {
        LOG(LOG_SERVICE, LOG_WARN, "the use of a key was not noted: %s", err.message);
    }
}

static bool guest_read(struct dgm *dgm, const char *key, struct guest *guest,
                       struct err *err)
{
    const char *secret = secret_of(key, guest->id);
    return secret ? instance_store(dgm, err) &&
                        secret_hash(secret, SECRET_SIZE - 1, guest->hash, err)
                  : access_refuse(err);
}

/* Must the store be asked or updated before the request is allowed? */
static bool needs_store(const struct account_key *key, bool shared)
{
    return (shared && key->rate_per_minute > 0 && clock_ms() >= key->empty_until_ms) ||
           clock_wall_s() - key->last_used_at >= USED_EVERY_S;
}

/* later NULL: may access the store. Otherwise it does not block, and *later says whether
 * the store must be accessed. */
static bool come_in(struct dgm *dgm, struct guest *guest, bool *later,
                    struct dgm_access *access, struct err *err)
{
    struct accounts *accounts = dgm->accounts;
    struct store *store = dgm->agent.store;
    bool shared = store_shared(store);
    (void)pthread_mutex_lock(&accounts->lock);
    bool asks = !later;
    struct account_key *key = asks ? accounts_key(accounts, store, guest->id, err)
                                   : accounts_known(accounts, guest->id);
    if (!asks && key && needs_store(key, shared)) {
        key = NULL;
    }
    bool ok = key && admit(guest, key, shared, access, err);
    if (ok && key->identity) {
        sources_introduce(dgm->agent.sources, access->actor, key->identity);
    }
    (void)pthread_mutex_unlock(&accounts->lock);
    if (!key && !asks) {
        *later = true;
    } else if (!key && err->code == ERR_KEY_NOT_FOUND) {
        (void)access_refuse(err);
    }
    return ok;
}

bool dgm_access_open(struct dgm *dgm, const char *key, enum dgm_scope needed,
                     struct dgm_access *access, struct dgm_error *error)
{
    struct err err;
    struct guest guest = {.needed = needed, .used = -1};
    err_clear(&err);
    instance_no_error(error);
    *access = (struct dgm_access){0};
    if (sign_in_is_token(dgm, key)) {
        return sign_in_enter(dgm, key, needed, NULL, access, &err) ||
               instance_fail(error, &err);
    }
    bool ok = guest_read(dgm, key, &guest, &err) &&
              come_in(dgm, &guest, NULL, access, &err) &&
              limits_request_shared(dgm->accounts, dgm->agent.store, guest.id,
                                    guest.per_minute, &err);
    if (guest.used >= 0) {
        note_use(dgm, access, guest.used);
    }
    return ok || instance_fail(error, &err);
}

bool dgm_access_look(struct dgm *dgm, const char *key, enum dgm_scope needed,
                     struct dgm_access *access, bool *later, struct dgm_error *error)
{
    struct err err;
    struct guest guest = {.needed = needed, .used = -1};
    err_clear(&err);
    instance_no_error(error);
    *access = (struct dgm_access){0};
    *later = false;
    if (sign_in_is_token(dgm, key)) {
        return sign_in_enter(dgm, key, needed, later, access, &err) ||
               (!*later && instance_fail(error, &err));
    }
    bool ok =
        guest_read(dgm, key, &guest, &err) && come_in(dgm, &guest, later, access, &err);
    if (ok && guest.per_minute > 0) {
        *later = true;
    }
    return !*later && (ok || instance_fail(error, &err));
}

/* ------------------------------------------------------------------ visible objects */

/* The only datasource that the caller may see; NULL: none, or several. */
static const char *only_source(struct dgm *dgm, const struct dgm_access *access)
{
    const struct datasource_setting *setting = NULL;
    const char *only = NULL;
    for (size_t i = 0; (setting = sources_at(dgm->agent.sources, i)); i++) {
        if (!access || reach_holds(access->datasources, setting->id)) {
            if (only) {
                return NULL;
            }
            only = setting->id;
        }
    }
    return only;
}

char *dgm_access_source(struct dgm *dgm, const struct dgm_access *access, const char *id,
                        struct dgm_error *error)
{
    struct err err;
    instance_no_error(error);
    const struct datasource_setting *setting = NULL;
    const char *only = str_empty(id) ? only_source(dgm, access) : NULL;
    if (only) {
        return memory_text(only);
    }
    if (str_empty(id)) {
        (void)err_set(&err, ERR_DATASOURCE_NOT_FOUND,
                      "Specify the datasource; there is not exactly one.");
    } else if ((access && !reach_holds(access->datasources, id)) ||
               !(setting = instance_source(dgm, id, access_account(access)))) {
        (void)err_set(&err, ERR_DATASOURCE_NOT_FOUND, "There is no datasource '%.64s'.",
                      id);
    } else {
        return memory_text(setting->id);
    }
    (void)instance_fail(error, &err);
    return NULL;
}

/* A running question that the store may not know yet; *known tells whether it is. */
static bool sees_live(struct dgm *dgm, const struct dgm_access *access, const char *id,
                      bool *known)
{
    bool sees = false;
    (void)pthread_mutex_lock(&dgm->lock);
    const struct dgm_question *live = question_live(dgm, id);
    *known = live != NULL;
    if (live) {
        const struct question *asked = &live->run->question;
        sees = question_may_see(asked->account, access_account(access)) &&
               (!access_is_narrow(access) ||
                reach_holds_all(access->datasources, asked->reach) ||
                reach_holds_all(access->datasources, asked->datasource));
    }
    (void)pthread_mutex_unlock(&dgm->lock);
    return sees;
}

bool dgm_access_question(struct dgm *dgm, const struct dgm_access *access,
                         const char *query_id, struct dgm_error *error)
{
    struct err err;
    err_clear(&err);
    instance_no_error(error);
    struct arena *arena = arena_new();
    struct store_question stored = {0};
    struct dgm_request request = {.access = access};
    bool known = false;
    bool ok = sees_live(dgm, access, str_or_empty(query_id), &known);
    if (!known) {
        ok = instance_store(dgm, &err) &&
             resume_find(dgm, arena, str_or_empty(query_id), &stored, &err) &&
             request_sees_question(&request, &stored);
    }
    if (!ok && err.code == ERR_OK) {
        (void)err_set(&err, ERR_QUERY_NOT_FOUND, "There is no question with this id.");
    }
    arena_free(arena);
    return ok || instance_fail(error, &err);
}
