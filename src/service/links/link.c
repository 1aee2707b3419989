/* Makes, lists and revokes links. */
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/memory.h"
#include "base/str.h"
#include "base/writer.h"
#include "model/actor.h"
#include "service/accounts/access.h"
#include "agent/sources/reach.h"
#include "service/accounts/accounts.h"
#include "service/links/link_maker.h"
#include "service/links/link_taking.h"
#include "store/secrets/secret.h"
#include "store/store.h"

enum { DAY_S = 24 * 60 * 60, LIST_MOST = 64 * 1024 * 1024 };

static bool is_on(struct dgm *dgm, struct err *err)
{
    if (dgm->options->share_links) {
        return true;
    }
    (void)err_set(err, ERR_FORBIDDEN, "Sharing by link is switched off.");
    return err_hint(err,
                    "An administrator can switch it on with the setting share.links.");
}

static bool lifetime(const struct options *options, int64_t asked, int64_t *out,
                     struct err *err)
{
    int64_t most = options->share_max_days * DAY_S;
    int64_t usual = options->share_days * DAY_S;
    *out = asked ? asked : usual < most ? usual : most;
    if (*out > 0 && *out <= most) {
        return true;
    }
    (void)err_set(err, ERR_INVALID_DATA, "A link works for at most %lld days.",
                  (long long)options->share_max_days);
    return err_hint(err, "Give a smaller expires_in_s; it is in seconds.");
}

static void write_time(struct arena *arena, struct writer *writer, const char *name,
                       int64_t at)
{
    if (at) {
        writer_key_text(writer, name, clock_iso(arena, at));
    }
}

static void write_share(struct arena *arena, struct writer *writer,
                        const struct store_share *share, const char *token, bool works)
{
    const char *account = actor_account(arena, share->account);
    writer_object(writer);
    writer_key_text(writer, "id", share->id);
    writer_key_text(writer, "token", token);
    writer_key_text(writer, "kind", share->kind);
    writer_key_text(writer, "subject", share->subject);
    writer_key_text(writer, "title", share->title);
    writer_key_text(writer, "account", *account ? account : NULL);
    writer_key_bool(writer, "works", works);
    write_time(arena, writer, "created_at", share->created_at);
    write_time(arena, writer, "expires_at", share->expires_at);
    writer_key_int(writer, "opens", share->opens);
    write_time(arena, writer, "last_opened_at", share->last_opened_at);
    writer_object_end(writer);
}

/* Links of keys that have ended never work again: they are not listed, and do not count. */
static bool drop_dead(struct dgm *dgm, struct arena *arena, struct store_shares *shares,
                      struct err *err)
{
    size_t left = 0;
    for (size_t i = 0; i < shares->count; i++) {
        const struct store_share *share = &shares->items[i];
        if (!link_maker_ended(dgm, arena, share)) {
            shares->items[left++] = *share;
        } else if (!store_share_delete(dgm->agent.store, share->id, err) &&
                   err->code != ERR_OK) {
            return false;
        }
    }
    shares->count = left;
    return true;
}

static bool make_room(struct dgm *dgm, struct arena *arena,
                      const struct store_share *share, struct err *err)
{
    struct store_shares shares = {0};
    return store_share_list(dgm->agent.store, arena, share->account, &shares, err) &&
           drop_dead(dgm, arena, &shares, err);
}

/* Stores the copy under a new secret. */
static bool keep(struct dgm *dgm, struct arena *arena, const struct taking *taking,
                 struct store_share *share, char token[SECRET_SIZE], struct err *err)
{
    char id[SECRET_SIZE];
    char hash[SECRET_HASH_SIZE];
    if (!secret_new(id, err) || !secret_new(token, err) ||
        !secret_hash(token, SECRET_SIZE - 1, hash, err)) {
        return false;
    }
    id[ACCOUNTS_ID_SIZE - 1] = '\0';
    share->id = arena_text(arena, id);
    share->hash = arena_text(arena, hash);
    share->kind = taking->kind;
    share->subject = taking->subject;
    share->title = taking->title;
    share->datasources = taking->datasources;
    char *json = json_dumps(taking->document, JSON_COMPACT);
    share->json = json ? json : "{}";
    bool ok =
        store_share_put(dgm->agent.store, share,
                        (size_t)dgm->options->share_account_links, err) &&
        store_audit(dgm->agent.store, share->owner, "link made",
                    arena_format(arena, "%s %s %s until %s", share->id, share->kind,
                                 share->subject, clock_iso(arena, share->expires_at)),
                    err);
    free(json);
    share->json = NULL;
    return ok;
}

char *dgm_share_new(struct dgm *dgm, const struct dgm_access *access,
                    const struct dgm_share *share, struct dgm_error *error)
{
    struct err err;
    struct taking taking;
    struct store_share made = {.created_at = clock_wall_s()};
    char token[SECRET_SIZE] = "";
    int64_t lives = 0;
    err_clear(&err);
    instance_no_error(error);
    struct arena *arena = arena_new();
    struct buf buf;
    buf_init(&buf, LIST_MOST);
    bool ok =
        is_on(dgm, &err) && lifetime(dgm->options, share->expires_in_s, &lives, &err) &&
        instance_store(dgm, &err) && link_maker_bind(dgm, arena, access, &made, &err) &&
        taking_make(dgm, arena, access, share, &taking, &err) &&
        make_room(dgm, arena, &made, &err);
    if (ok) {
        made.expires_at = made.created_at + lives;
        (void)json_object_set_new(taking.document, "expires_at",
                                  json_string(clock_iso(arena, made.expires_at)));
        ok = keep(dgm, arena, &taking, &made, token, &err);
    }
    if (ok && !link_maker_remains(dgm, arena, access, &err)) {
        struct err ignored;
        err_clear(&ignored);
        (void)store_share_delete(dgm->agent.store, made.id, &ignored);
        ok = false;
    }
    if (ok) {
        struct writer writer;
        writer_init(&writer, &buf);
        write_share(arena, &writer, &made, token, true);
    }
    secret_forget(token, sizeof token);
    arena_free(arena);
    if (!ok) {
        (void)instance_fail(error, &err);
        return NULL;
    }
    return buf_take(&buf);
}

int64_t dgm_share_days(struct dgm *dgm, int64_t *most)
{
    const struct options *options = dgm->options;
    *most = options->share_links ? options->share_max_days : 0;
    return *most < options->share_days ? *most : options->share_days;
}

/* A key for certain datasources sees the links that show nothing else. */
static bool sees(const struct dgm_access *access, const struct store_share *share)
{
    return !access_is_narrow(access) ||
           reach_holds_all(access->datasources, share->datasources);
}

char *dgm_share_list(struct dgm *dgm, const struct dgm_access *access, bool all,
                     struct dgm_error *error)
{
    struct err err;
    struct store_shares shares = {0};
    struct buf buf;
    struct writer writer;
    err_clear(&err);
    instance_no_error(error);
    struct arena *arena = arena_new();
    bool every = all && access_is_admin(access) && !access_is_narrow(access);
    const char *account = every ? NULL : str_or_empty(access_account(access));
    buf_init(&buf, LIST_MOST);
    writer_init(&writer, &buf);
    bool ok = instance_store(dgm, &err) &&
              store_share_list(dgm->agent.store, arena, account, &shares, &err) &&
              drop_dead(dgm, arena, &shares, &err);
    writer_array(&writer);
    for (size_t i = 0; i < shares.count && ok; i++) {
        const struct store_share *share = &shares.items[i];
        if (sees(access, share)) {
            write_share(arena, &writer, share, NULL,
                        dgm->options->share_links && link_maker_holds(dgm, arena, share));
        }
    }
    writer_array_end(&writer);
    arena_free(arena);
    if (!ok) {
        buf_release(&buf);
        (void)instance_fail(error, &err);
        return NULL;
    }
    return buf_take(&buf);
}

static bool may_revoke(const struct dgm_access *access, const struct store_share *share)
{
    bool own = str_equal(share->account, str_or_empty(access_account(access)));
    return (own && sees(access, share)) ||
           (access_is_admin(access) && !access_is_narrow(access));
}

bool dgm_share_revoke(struct dgm *dgm, const struct dgm_access *access, const char *id,
                      struct dgm_error *error)
{
    struct err err;
    struct store_share share = {0};
    err_clear(&err);
    instance_no_error(error);
    struct arena *arena = arena_new();
    bool ok =
        instance_store(dgm, &err) &&
        store_share_get(dgm->agent.store, arena, NULL, id, &share, &err) &&
        may_revoke(access, &share) &&
        store_share_delete(dgm->agent.store, share.id, &err) &&
        store_audit(
            dgm->agent.store, access_owner(access), "link revoked",
            arena_format(arena, "%s of %s", share.id,
                         *share.account ? actor_account(arena, share.account) : "local"),
            &err);
    if (!ok && err.code == ERR_OK) {
        (void)err_set(&err, ERR_NOT_FOUND, "There is no link with this id.");
        (void)err_hint(&err, "It may have expired.");
    }
    arena_free(arena);
    return ok || instance_fail(error, &err);
}
