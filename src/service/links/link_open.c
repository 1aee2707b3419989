/* Opens links: does the link still work, and its page. */
#include <string.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/json.h"
#include "base/log.h"
#include "base/str.h"
#include "model/actor.h"
#include "service/documents/document.h"
#include "service/documents/style.h"
#include "service/links/link_maker.h"
#include "store/secrets/secret.h"
#include "store/store.h"

enum { PAGE_MOST = 256 * 1024 * 1024, AUDIT_EVERY_S = 60 };

static bool find(struct dgm *dgm, struct arena *arena, const char *token,
                 struct store_share *share, struct err *err)
{
    char hash[SECRET_HASH_SIZE];
    size_t size = token ? strnlen(token, SECRET_SIZE) : 0;
    return dgm->options->share_links && size == SECRET_SIZE - 1 &&
           instance_store(dgm, err) && secret_hash(token, size, hash, err) &&
           store_share_get(dgm->agent.store, arena, hash, NULL, share, err) &&
           link_maker_holds(dgm, arena, share);
}

/* Each opening is counted; the audit log gets a line per link and minute. */
static void note(struct dgm *dgm, struct arena *arena, const struct store_share *share)
{
    struct err err;
    int64_t now = clock_wall_s();
    err_clear(&err);
    if (!store_share_opened(dgm->agent.store, share->id, now, &err) ||
        (now - share->last_opened_at >= AUDIT_EVERY_S &&
         !store_audit(dgm->agent.store, actor_account(arena, share->account),
                      "link opened",
                      arena_format(arena, "%s after %lld times", share->id,
                                   (long long)share->opens),
                      &err))) {
        LOG(LOG_SERVICE, LOG_WARN, "the use of a link was not noted: %s", err.message);
    }
}

char *dgm_share_open(struct dgm *dgm, const char *token, struct dgm_error *error)
{
    struct err err;
    struct store_share share = {0};
    struct buf page;
    err_clear(&err);
    instance_no_error(error);
    buf_init(&page, PAGE_MOST);
    struct arena *arena = arena_new();
    const json_t *document = NULL;
    if (find(dgm, arena, token, &share, &err)) {
        document = json_quick(arena, share.json, strlen(share.json));
    }
    bool ok = document != NULL;
    if (ok) {
        document_write(document, arena, &page);
        ok = !page.full;
    }
    if (ok) {
        note(dgm, arena, &share);
    }
    arena_free(arena);
    if (!ok) {
        buf_release(&page);
        /* the same for all reasons but a store that does not answer */
        if (err.code == ERR_OK || err_http_status(err.code) < 500) {
            (void)err_set(&err, ERR_NOT_FOUND, "This link does not work.");
        }
        (void)instance_fail(error, &err);
        return NULL;
    }
    return buf_take(&page);
}

char *dgm_share_gone(void)
{
    struct buf page;
    buf_init(&page, PAGE_MOST);
    document_write_notice(
        "This link does not work",
        "It has expired or was revoked, or its address is not complete. "
        "Ask the person who sent it for a new one.",
        &page);
    return buf_take(&page);
}

char *dgm_share_policy(void)
{
    char hash[STYLE_HASH_SIZE];
    struct buf policy;
    style_hash(hash);
    buf_init(&policy, 1024);
    (void)buf_format(&policy,
                     "default-src 'none'; style-src '%s'; base-uri 'none'; form-action "
                     "'none'; frame-ancestors 'none'; sandbox",
                     hash);
    return buf_take(&policy);
}
