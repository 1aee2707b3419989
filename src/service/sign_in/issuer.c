/* Caches what is known of the issuer. */
#include "service/sign_in/issuer.h"

#include <pthread.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/str.h"
#include "base/webclient.h"
#include "model/options/options.h"

enum { OLDEST_MS = 24 * 60 * 60 * 1000 }; /* keys of an issuer that does not reply */

struct issuer {
    pthread_mutex_t lock; /* guards all fields */
    pthread_cond_t asked;
    struct issuer_facts *facts; /* or NULL */
    int64_t tried_ms;           /* when it was last asked; 0: never */
    char *tried_url;            /* oidc.issuer at that time; or NULL */
    bool asking;                /* a thread is asking it */
};

struct issuer *issuer_new(void)
{
    struct issuer *issuer = memory_alloc(sizeof *issuer);
    (void)pthread_mutex_init(&issuer->lock, NULL);
    (void)pthread_cond_init(&issuer->asked, NULL);
    return issuer;
}

void issuer_facts_unref(struct issuer_facts *facts)
{
    if (facts && atomic_fetch_sub(&facts->references, 1) == 1) {
        arena_free(facts->arena);
    }
}

void issuer_free(struct issuer *issuer)
{
    if (!issuer) {
        return;
    }
    issuer_facts_unref(issuer->facts);
    memory_free(issuer->tried_url);
    (void)pthread_cond_destroy(&issuer->asked);
    (void)pthread_mutex_destroy(&issuer->lock);
    memory_free(issuer);
}

struct issuer_facts *issuer_get(struct issuer *issuer, const struct options *options)
{
    (void)pthread_mutex_lock(&issuer->lock);
    struct issuer_facts *facts = issuer->facts;
    if (facts && (!str_equal(facts->url, options->oidc_issuer) ||
                  clock_ms() - facts->read_ms > OLDEST_MS)) {
        facts = NULL;
    }
    if (facts) {
        (void)atomic_fetch_add(&facts->references, 1);
    }
    (void)pthread_mutex_unlock(&issuer->lock);
    return facts;
}

bool issuer_is_due(struct issuer *issuer, const struct options *options,
                   const struct issuer_facts *facts, bool new_key)
{
    int64_t now = clock_ms();
    bool wanted =
        !facts || new_key || now - facts->read_ms > options->oidc_keys_ttl_s * 1000;
    (void)pthread_mutex_lock(&issuer->lock);
    bool rested = !issuer->tried_ms ||
                  now - issuer->tried_ms >= options->oidc_keys_retry_s * 1000 ||
                  !str_equal(issuer->tried_url, options->oidc_issuer);
    /* who needs its reply may wait for it */
    bool due = wanted && (rested || (issuer->asking && (!facts || new_key)));
    (void)pthread_mutex_unlock(&issuer->lock);
    return due;
}

bool issuer_ask(struct issuer *issuer, const struct options *options, struct err *err)
{
    (void)pthread_mutex_lock(&issuer->lock);
    if (issuer->asking) {
        while (issuer->asking) {
            (void)pthread_cond_wait(&issuer->asked, &issuer->lock);
        }
        (void)pthread_mutex_unlock(&issuer->lock);
        return true;
    }
    issuer->asking = true;
    issuer->tried_ms = clock_ms();
    memory_free(issuer->tried_url);
    issuer->tried_url = memory_text(options->oidc_issuer);
    (void)pthread_mutex_unlock(&issuer->lock);
    struct webclient *client = webclient_new(options->oidc_ca_file, err);
    struct issuer_facts *facts =
        client ? issuer_fetch(client, options->oidc_issuer, err) : NULL;
    webclient_free(client);
    (void)pthread_mutex_lock(&issuer->lock);
    if (facts) {
        issuer_facts_unref(issuer->facts);
        issuer->facts = facts;
    }
    issuer->asking = false;
    (void)pthread_cond_broadcast(&issuer->asked);
    (void)pthread_mutex_unlock(&issuer->lock);
    if (!facts) {
        LOG(LOG_SERVICE, LOG_WARN,
            "single sign-on: the issuer's keys were not read: %s%s%s", err->message,
            *err->detail ? " " : "", err->detail);
    }
    return facts != NULL;
}
