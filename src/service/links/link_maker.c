/* With what a link was made, and whether that still allows it. */
#include "service/links/link_maker.h"

#include <stdio.h>
#include <string.h>

#include "agent/sources/reach.h"
#include "base/clock.h"
#include "base/str.h"
#include "base/vec.h"
#include "model/actor.h"
#include "service/accounts/access.h"
#include "service/accounts/accounts.h"

enum { PATTERN_SIZE = 256 };

/* Of "TIME,SUB,SID JSON": the middle. */
static const char *marks_of(struct arena *arena, const char *identity)
{
    const char *marks = strchr(identity, ',');
    return marks ? arena_copy(arena, marks + 1, strcspn(marks + 1, " ")) : "-,-";
}

bool link_maker_bind(struct dgm *dgm, struct arena *arena,
                     const struct dgm_access *access, struct store_share *share,
                     struct err *err)
{
    struct store_key key = {0};
    share->account = str_or_empty(access_account(access));
    share->owner = str_or_empty(access_owner(access));
    share->key = access ? access->key_id : "";
    if (str_starts(share->key, ACCOUNTS_TOKEN)) {
        (void)err_set(err, ERR_FORBIDDEN, "A token of single sign-on cannot make links.");
        return err_hint(err, "Sign in on the page, or use an access key.");
    }
    if (!*share->key) {
        return true;
    }
    if (!store_key_get(dgm->agent.store, arena, share->key, &key, err)) {
        return false;
    }
    if (key.identity) {
        share->key = arena_format(arena, ACCOUNTS_TOKEN "%s %s", key.id,
                                  marks_of(arena, key.identity));
    }
    return true;
}

bool link_maker_remains(struct dgm *dgm, struct arena *arena,
                        const struct dgm_access *access, struct err *err)
{
    struct store_key key = {0};
    return !access || !*access->key_id ||
           store_key_get(dgm->agent.store, arena, access->key_id, &key, err);
}

/* Of a key, and its datasources (NULL: all); false: it has ended, or the store does not answer
 * (*gone is false then). */
static bool key_holds(struct dgm *dgm, struct arena *arena,
                      const struct store_share *share, const char **reach, bool *gone)
{
    struct err err;
    struct store_key key = {0};
    *reach = NULL;
    err_clear(&err);
    if (!store_key_get(dgm->agent.store, arena, share->key, &key, &err)) {
        *gone = err.code == ERR_KEY_NOT_FOUND;
        return false;
    }
    *reach = key.datasources;
    *gone = key.expires_at && key.expires_at <= clock_wall_s();
    return !*gone && str_equal(key.account, actor_account(arena, share->account));
}

static bool is_of_session(const struct store_share *share)
{
    return str_starts(share->key, ACCOUNTS_TOKEN);
}

bool link_maker_ended(struct dgm *dgm, struct arena *arena,
                      const struct store_share *share)
{
    const char *reach = NULL;
    bool gone = false;
    return *share->key && !is_of_session(share) &&
           !key_holds(dgm, arena, share, &reach, &gone) && gone;
}

static bool maker_holds(struct dgm *dgm, struct arena *arena,
                        const struct store_share *share, const char **reach)
{
    struct dgm_error error;
    bool gone = false;
    *reach = NULL;
    if (!*share->key) { /* made without a key: as long as the server needs none */
        return dgm_key_count(dgm, &error) == 0 && str_empty(dgm->options->oidc_issuer);
    }
    if (is_of_session(
            share)) { /* deleted when the session is ended; it may run out before */
        return !str_empty(dgm->options->oidc_issuer) && strchr(share->key, ' ');
    }
    return key_holds(dgm, arena, share, reach, &gone);
}

static bool sources_hold(struct dgm *dgm, struct arena *arena,
                         const struct store_share *share, const char *reach)
{
    struct texts ids = {0};
    const char *account = *share->account ? actor_account(arena, share->account) : NULL;
    str_split(arena, share->datasources, ',', &ids);
    for (size_t i = 0; i < ids.count; i++) {
        if (!str_empty(ids.items[i]) && (!reach_holds(reach, ids.items[i]) ||
                                         !instance_source(dgm, ids.items[i], account))) {
            return false;
        }
    }
    return true;
}

bool link_maker_holds(struct dgm *dgm, struct arena *arena,
                      const struct store_share *share)
{
    const char *reach = NULL;
    return maker_holds(dgm, arena, share, &reach) &&
           sources_hold(dgm, arena, share, reach);
}

bool link_end_key(struct dgm *dgm, const char *key_id, bool session, struct err *err)
{
    char pattern[PATTERN_SIZE];
    (void)snprintf(pattern, sizeof pattern, session ? ACCOUNTS_TOKEN "%s %%" : "%s",
                   key_id);
    return store_share_end(dgm->agent.store, pattern, INT64_MAX, err);
}

bool link_end_sessions(struct dgm *dgm, const char *subject, const char *session,
                       int64_t until, struct err *err)
{
    char pattern[PATTERN_SIZE];
    if (*subject == '-' && *session == '-') {
        return true;
    }
    (void)snprintf(pattern, sizeof pattern, ACCOUNTS_TOKEN "%% %s,%s",
                   *subject == '-' ? "%" : subject, *session == '-' ? "%" : session);
    return store_share_end(dgm->agent.store, pattern, until, err);
}
