/* Creates, lists and revokes access keys. */
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/memory.h"
#include "base/str.h"
#include "base/utf8.h"
#include "base/vec.h"
#include "base/writer.h"
#include "datasource/files/dataset.h"
#include "service/accounts/accounts.h"
#include "service/instance.h"
#include "service/links/link_maker.h"
#include "store/store.h"

enum {
    TEXT_MOST = 64 * 1024 * 1024,
    LABEL_MOST = 200,
    NUMBER_MOST = 1000000000,
};

static const struct scope_row {
    const char *name;
    unsigned bits; /* including the scopes it implies */
} scope_rows[] = {
    {"read", DGM_SCOPE_READ},
    {"ask", DGM_SCOPE_READ | DGM_SCOPE_ASK},
    {"admin", DGM_SCOPE_READ | DGM_SCOPE_ASK | DGM_SCOPE_ADMIN},
};

enum { SCOPE_COUNT = sizeof scope_rows / sizeof *scope_rows };

unsigned accounts_scope_bits(const char *name)
{
    for (size_t row = 0; row < SCOPE_COUNT; row++) {
        if (str_equal(scope_rows[row].name, name)) {
            return scope_rows[row].bits;
        }
    }
    return 0;
}

const char *accounts_scope_name(enum dgm_scope scope)
{
    return scope == DGM_SCOPE_ADMIN ? "admin" : scope == DGM_SCOPE_ASK ? "ask" : "read";
}

/* ------------------------------------------------------------------ checks */

static bool scopes_read(struct arena *arena, const char *text, int64_t *out,
                        struct err *err)
{
    struct texts names = {0};
    str_split(arena, str_empty(text) ? "ask" : text, ',', &names);
    *out = 0;
    for (size_t i = 0; i < names.count; i++) {
        const char *name = str_trim(arena, names.items[i]);
        size_t row = 0;
        while (row < SCOPE_COUNT && !str_equal(scope_rows[row].name, name)) {
            row++;
        }
        if (row == SCOPE_COUNT) {
            (void)err_set(err, ERR_USAGE, "A key cannot have the scope '%.40s'.", name);
            return err_hint(err, "Scopes are read, ask and admin.");
        }
        *out |= (int64_t)scope_rows[row].bits;
    }
    return true;
}

/* In the stored form, without blanks; all datasources must exist. */
static bool sources_read(struct dgm *dgm, struct arena *arena, const char *text,
                         const char **out, struct err *err)
{
    struct texts ids = {0};
    *out = NULL;
    if (str_empty(text)) {
        return true;
    }
    str_split(arena, text, ',', &ids);
    for (size_t i = 0; i < ids.count; i++) {
        const char *id = str_trim(arena, ids.items[i]);
        const struct datasource_setting *setting = sources_find(dgm->agent.sources, id);
        if (!setting) {
            (void)err_set(err, ERR_DATASOURCE_NOT_FOUND,
                          "There is no datasource '%.64s'.", id);
            return err_hint(err, "'dragoman source list' names them.");
        }
        ids.items[i] = setting->id;
    }
    *out = str_join(arena, &ids, ",");
    return strlen(*out) < sizeof((struct dgm_access *)0)->datasources ||
           err_set(err, ERR_USAGE, "A key cannot be for so many datasources.");
}

static bool account_check(const char *account, struct err *err)
{
    struct err name;
    if (!dataset_name_check(str_or_empty(account), &name) ||
        str_starts(account,
                   /* it looks like an access key, which must not be shown as a name */
                   "dgm_")) {
        (void)err_set(err, ERR_USAGE, "'%.80s' cannot be the name of an account.",
                      str_or_empty(account));
        return err_hint(err, "Names have letters, digits, '_' and '-', at most 64 of "
                             "them: dragoman keys add NAME.");
    }
    return !str_equal_nocase(account, "local") ||
           err_set(err, ERR_USAGE,
                   "'local' is reserved for the command line; choose another name.");
}

static bool numbers_check(const struct dgm_key *key, struct err *err)
{
    const int64_t numbers[] = {key->rate_per_minute, key->concurrent, key->daily_tokens,
                               key->expires_in_s};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        if (numbers[i] < 0 || numbers[i] > NUMBER_MOST) {
            return err_set(err, ERR_USAGE,
                           "A limit of a key is a number from 0 (none) to %d.",
                           (int)NUMBER_MOST);
        }
    }
    size_t size = strlen(str_or_empty(key->label));
    return (size <= LABEL_MOST && utf8_valid(str_or_empty(key->label), size, NULL)) ||
           err_set(err, ERR_USAGE, "A key's label is text of %d bytes at most.",
                   (int)LABEL_MOST);
}

/* ------------------------------------------------------------------ writing */

static void write_time(struct arena *arena, struct writer *writer, const char *name,
                       int64_t at)
{
    if (at) {
        writer_key_text(writer, name, clock_iso(arena, at));
    }
}

static void write_key(struct dgm *dgm, struct arena *arena, struct writer *writer,
                      const struct store_key *key, const char *secret)
{
    struct err err;
    int64_t spent = 0;
    (void)store_key_spent(dgm->agent.store, key->id, limits_day(), &spent, &err);
    writer_object(writer);
    writer_key_text(writer, "id", key->id);
    writer_key_text(writer, "key", secret);
    writer_key_text(writer, "account", key->account);
    writer_key_text(writer, "label", key->label);
    writer_key(writer, "scopes");
    writer_array(writer);
    for (size_t i = 0; i < SCOPE_COUNT; i++) {
        if ((scope_rows[i].bits & ~(unsigned)key->scopes) == 0) {
            writer_text(writer, scope_rows[i].name);
        }
    }
    writer_array_end(writer);
    if (key->datasources) {
        struct texts ids = {0};
        str_split(arena, key->datasources, ',', &ids);
        writer_key_texts(writer, "datasources", &ids);
    }
    writer_key_int(writer, "rate_per_minute", key->rate_per_minute);
    writer_key_int(writer, "concurrent", key->concurrent);
    writer_key_int(writer, "daily_tokens", key->daily_tokens);
    writer_key_int(writer, "tokens_today", spent);
    write_time(arena, writer, "created_at", key->created_at);
    write_time(arena, writer, "expires_at", key->expires_at);
    writer_key_bool(writer, "expired",
                    key->expires_at && key->expires_at <= clock_wall_s());
    write_time(arena, writer, "last_used_at", key->last_used_at);
    writer_object_end(writer);
}

static char *one_key(struct dgm *dgm, struct arena *arena, const struct store_key *key,
                     const char *secret)
{
    struct buf buf;
    struct writer writer;
    buf_init(&buf, TEXT_MOST);
    writer_init(&writer, &buf);
    write_key(dgm, arena, &writer, key, secret);
    return buf_take(&buf);
}

/* ------------------------------------------------------------------ the functions */

bool accounts_make_key(struct dgm *dgm, struct arena *arena, const struct dgm_key *key,
                       struct store_key *out, char secret[SECRET_SIZE], struct err *err)
{
    char id[SECRET_SIZE];
    char hash[SECRET_HASH_SIZE];
    if (!secret_new(id, err) || !secret_new(secret, err) ||
        !secret_hash(secret, SECRET_SIZE - 1, hash, err)) {
        return false;
    }
    id[ACCOUNTS_ID_SIZE - 1] = '\0';
    out->id = arena_text(arena, id);
    out->hash = arena_text(arena, hash);
    out->account = key->account;
    out->label = str_empty(key->label) ? NULL : key->label;
    out->rate_per_minute = key->rate_per_minute;
    out->concurrent = key->concurrent;
    out->daily_tokens = key->daily_tokens;
    out->created_at = clock_wall_s();
    out->expires_at = key->expires_in_s ? out->created_at + key->expires_in_s : 0;
    return store_key_put(dgm->agent.store, out, ACCOUNTS_KEYS_MOST, err) &&
           store_audit(dgm->agent.store, key->account,
                       out->identity ? "signed in" : "key added", out->id, err);
}

char *dgm_key_add(struct dgm *dgm, const struct dgm_key *key, struct dgm_error *error)
{
    struct err err;
    char secret[SECRET_SIZE];
    char whole[ACCOUNTS_ID_SIZE + SECRET_SIZE + 8];
    struct store_key made = {0};
    err_clear(&err);
    instance_no_error(error);
    struct arena *arena = arena_new();
    char *text = NULL;
    if (account_check(key->account, &err) && numbers_check(key, &err) &&
        scopes_read(arena, key->scopes, &made.scopes, &err) &&
        sources_read(dgm, arena, key->datasources, &made.datasources, &err) &&
        instance_store(dgm, &err) &&
        accounts_make_key(dgm, arena, key, &made, secret, &err)) {
        (void)snprintf(whole, sizeof whole, "dgm_%s_%s", made.id, secret);
        text = one_key(dgm, arena, &made, whole);
        secret_forget(secret, sizeof secret);
        secret_forget(whole, sizeof whole);
    } else {
        (void)instance_fail(error, &err);
    }
    arena_free(arena);
    return text;
}

char *dgm_key_list(struct dgm *dgm, struct dgm_error *error)
{
    struct err err;
    struct store_keys keys = {0};
    struct buf buf;
    struct writer writer;
    err_clear(&err);
    instance_no_error(error);
    struct arena *arena = arena_new();
    if (!instance_store(dgm, &err) ||
        !store_key_list(dgm->agent.store, arena, &keys, &err)) {
        (void)instance_fail(error, &err);
        arena_free(arena);
        return NULL;
    }
    buf_init(&buf, TEXT_MOST);
    writer_init(&writer, &buf);
    writer_array(&writer);
    for (size_t i = 0; i < keys.count; i++) {
        write_key(dgm, arena, &writer, &keys.items[i], NULL);
    }
    writer_array_end(&writer);
    arena_free(arena);
    return buf_take(&buf);
}

char *dgm_key_get(struct dgm *dgm, const char *id, struct dgm_error *error)
{
    struct err err;
    struct store_key key = {0};
    err_clear(&err);
    instance_no_error(error);
    struct arena *arena = arena_new();
    char *text = NULL;
    if (instance_store(dgm, &err) &&
        store_key_get(dgm->agent.store, arena, id, &key, &err)) {
        text = one_key(dgm, arena, &key, NULL);
    } else {
        (void)instance_fail(error, &err);
    }
    arena_free(arena);
    return text;
}

static bool end_key(struct dgm *dgm, const char *id, bool and_links,
                    struct dgm_error *error)
{
    struct err err;
    struct store_key key = {0};
    err_clear(&err);
    instance_no_error(error);
    struct arena *arena = arena_new();
    bool ok = instance_store(dgm, &err) &&
              store_key_get(dgm->agent.store, arena, id, &key, &err) &&
              store_key_delete(dgm->agent.store, key.id, &err) &&
              (!and_links || link_end_key(dgm, key.id, key.identity != NULL, &err)) &&
              store_audit(dgm->agent.store, key.account,
                          key.identity ? "signed out" : "key revoked", key.id, &err);
    if (ok) {
        accounts_forget(dgm->accounts, key.id);
        (void)accounts_stop(dgm, key.id);
    }
    arena_free(arena);
    return ok || instance_fail(error, &err);
}

bool dgm_key_revoke(struct dgm *dgm, const char *id, struct dgm_error *error)
{
    return end_key(dgm, id, true, error);
}

bool dgm_sign_out(struct dgm *dgm, const char *key_id, struct dgm_error *error)
{
    return end_key(dgm, key_id, false, error);
}

int64_t dgm_key_count(struct dgm *dgm, struct dgm_error *error)
{
    struct err err;
    struct store_keys keys = {0};
    err_clear(&err);
    instance_no_error(error);
    struct arena *arena = arena_new();
    int64_t count = -1;
    if (instance_store(dgm, &err) &&
        store_key_list(dgm->agent.store, arena, &keys, &err)) {
        count = (int64_t)keys.count;
    } else {
        (void)instance_fail(error, &err);
    }
    arena_free(arena);
    return count;
}

bool dgm_audit(struct dgm *dgm, const char *account, const char *action,
               const char *detail, struct dgm_error *error)
{
    struct err err;
    err_clear(&err);
    instance_no_error(error);
    return (instance_store(dgm, &err) &&
            store_audit(dgm->agent.store, str_or_empty(account), str_or_empty(action),
                        detail, &err)) ||
           instance_fail(error, &err);
}
