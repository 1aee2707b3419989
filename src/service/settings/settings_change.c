/* Settings that are changed at run time: stored in the store, applied above the
 * configuration, and followed by all processes with that store. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/json.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/str.h"
#include "service/accounts/access.h"
#include "service/settings/settings.h"
#include "store/store.h"

enum { VALUE_MOST = 2048 };

/* The settings that may be changed, with restrictions. Others need a restart or belong to
 * the operator. */
static const struct {
    const char *key;
    const char *choices; /* with '|' around each; or NULL */
} changeable[] = {
    {"agent.brain", "|auto|parser|llm|"},
    {"agent.approval", NULL},
    {"agent.ask_when_vague", NULL},
    {"agent.recall", NULL},
    {"agent.learn", NULL},
    {"agent.apply_memory", NULL},
    {"agent.min_confidence", NULL},
    {"agent.timeout_s", NULL},
    {"agent.time_zone", NULL},
    {"agent.week_start", "|monday|sunday|"},
    {"agent.fiscal_year_start", NULL},
    {"understanding.mode", "|auto|fused|phased|per_table|"},
    {"llm.provider", "||openai|anthropic|ollama|"},
    {"llm.url", NULL},
    {"llm.key", NULL},
    {"llm.model", NULL},
    {"llm.temperature", NULL},
    {"llm.context_tokens", NULL},
    {"llm.reply_tokens", NULL},
    {"llm.timeout_s", NULL},
    {"llm.send_rows", NULL},
    {"sql.default_rows", NULL},
    {"sql.timeout_s", NULL},
    {"export.max_rows", NULL},
    {"share.links", NULL},
    {"share.days", NULL},
    {"share.max_days", NULL},
    {"ask.ttl_s", NULL},
    {"session.history_days", NULL},
};

enum { CHANGEABLE = sizeof changeable / sizeof *changeable };

const char *settings_changeable(size_t index)
{
    return index < CHANGEABLE ? changeable[index].key : NULL;
}

static const struct store_record like = {.kind = "settings", .name = "changed"};

/* ------------------------------------------------------------------ one value */

static bool settings_change_refuse(struct err *err, const char *key, const char *why)
{
    return err_set(err, ERR_INVALID_DATA, "%.64s: %s", key, why);
}

/* A JSON value as the setting's text; NULL when it is none. */
static const char *value_text(struct arena *arena, const json_t *value)
{
    if (json_is_boolean(value)) {
        return json_is_true(value) ? "true" : "false";
    }
    if (json_is_integer(value)) {
        return arena_format(arena, "%lld", (long long)json_integer_value(value));
    }
    if (json_is_real(value)) {
        return arena_format(arena, "%.17g", json_real_value(value));
    }
    const char *text = json_string_value(value);
    return text && strlen(text) <= VALUE_MOST ? text : NULL;
}

static bool is_listed(const char *list, const char *word, size_t size)
{
    for (const char *at = list; *at;) {
        at += strspn(at, ", ");
        size_t length = strcspn(at, ", ");
        if (length == size && size && strncasecmp(at, word, size) == 0) {
            return true;
        }
        at += length;
    }
    return false;
}

/* Prompts, which may contain cells, are sent to this URL. On a server without access keys
 * only configured hosts are allowed. */
static bool url_good(struct dgm *dgm, const struct dgm_access *access, const char *url,
                     struct err *err)
{
    const char *rest = str_starts(url, "https://")  ? url + 8
                       : str_starts(url, "http://") ? url + 7
                                                    : NULL;
    const char *hosts = dgm->options->llm_hosts;
    bool open = !access || !*access->key_id;
    if (!*url) {
        return true;
    }
    size_t size = rest ? strcspn(rest, ":/?#") : 0;
    if (rest && rest[0] == '[') {
        size = strcspn(rest, "]") + 1;
    }
    if (!size || rest[size == 0 ? 0 : strcspn(rest, "/?#@")] == '@') {
        return settings_change_refuse(err, "llm.url",
                                      "http://HOST… or https://HOST…, without a name or "
                                      "password in it.");
    }
    if (!is_listed(hosts, rest, size) && (open || *hosts)) {
        (void)err_set(err, ERR_FORBIDDEN, "llm.url may not point to this host.");
        return err_hint(
            err, "The operator of the server lists the allowed hosts in llm.hosts.");
    }
    return true;
}

/* "${OPENAI_API_KEY}": only a reference is stored, never the key. */
static bool key_good(const char *text, struct err *err)
{
    size_t size = strlen(text);
    bool good = size == 0;
    if (size > 3 && str_starts(text, "${") && text[size - 1] == '}') {
        size_t name = strspn(text + 2, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");
        good = name == size - 3 && (str_ends_nocase(text, "_API_KEY}") ||
                                    str_equal(text, "${DRAGOMAN_LLM_KEY}"));
    }
    return good ||
           settings_change_refuse(err, "llm.key",
                                  "name the environment variable that holds it, as "
                                  "${OPENAI_API_KEY}; its name ends in _API_KEY.");
}

static const char *expand(const char *key, const char *text)
{
    if (!str_equal(key, "llm.key") || !*text) {
        return text;
    }
    char name[VALUE_MOST];
    size_t size = strlen(text) - 3;
    memcpy(name, text + 2, size);
    name[size] = '\0';
    const char *value = getenv(name);
    return value ? value : "";
}

static bool check_one(struct dgm *dgm, const struct dgm_access *access, const char *key,
                      const char *text, struct err *err)
{
    for (size_t i = 0; i < CHANGEABLE; i++) {
        if (!str_equal(changeable[i].key, key)) {
            continue;
        }
        char choice[64];
        if (!text) {
            return settings_change_refuse(err, key, "a text, a number, true or false.");
        }
        (void)snprintf(choice, sizeof choice, "|%.32s|", text);
        if (changeable[i].choices &&
            (strchr(text, '|') || !strstr(changeable[i].choices, choice))) {
            return settings_change_refuse(err, key, "there is no such choice.");
        }
        return (!str_equal(key, "llm.url") || url_good(dgm, access, text, err)) &&
               (!str_equal(key, "llm.key") || key_good(text, err));
    }
    (void)err_set(err, ERR_INVALID_DATA, "'%.64s' cannot be changed here.", key);
    return err_hint(err, "GET /api/v1/settings lists those that can.");
}

/* ------------------------------------------------------------------ all of them */

/* The configuration with the changes applied. */
static struct options *apply(struct dgm *dgm, json_t *changed, struct err *err)
{
    struct options *next = options_clone(dgm->configured);
    const char *key = NULL;
    json_t *value = NULL;
    bool ok = true;
    json_object_foreach(changed, key, value)
    {
        ok = ok && options_set(next, key, expand(key, json_string_value(value)), err);
    }
    if (ok) {
        return next;
    }
    options_free(next);
    return NULL;
}

static json_t *load(struct dgm *dgm, struct arena *arena, struct err *err)
{
    struct store_record record = {0};
    json_t *changed = NULL;
    if (store_record_get(dgm->agent.store, arena, &like, &record, err)) {
        changed = json_parse(arena, record.json, strlen(record.json), err);
    }
    return json_is_object(changed) ? changed : json_keep(arena, json_object());
}

static bool merge(struct dgm *dgm, const struct dgm_access *access, struct arena *arena,
                  json_t *changed, json_t *given, struct err *err)
{
    const char *key = NULL;
    json_t *value = NULL;
    bool ok =
        json_is_object(given) || settings_change_refuse(err, "settings", "an object.");
    json_object_foreach(given, key, value)
    {
        const char *text = json_is_null(value) ? "" : value_text(arena, value);
        if (!ok || (json_is_null(value) && json_object_del(changed, key) == 0)) {
            continue;
        }
        ok = check_one(dgm, access, key, text, err);
        if (ok && !json_is_null(value)) {
            (void)json_object_set_new(changed, key, json_string(text));
        }
    }
    /* A key is sent only to the address that it was configured for. */
    if (ok && json_object_get(changed, "llm.url") &&
        !json_object_get(changed, "llm.key")) {
        ok = settings_change_refuse(err, "llm.url",
                                    "say llm.key with it (\"\": none is sent there).");
    }
    return ok;
}

static bool settings_change_keep(struct dgm *dgm, json_t *changed, struct err *err)
{
    char id[ID_SIZE];
    char *text = json_dumps(changed, JSON_COMPACT | JSON_SORT_KEYS);
    struct store_record record = like;
    record.json = text;
    bool ok = store_record_put(dgm->agent.store, &record, true, 2, id, err);
    if (ok) {
        memory_free(dgm->settings_seen);
        dgm->settings_seen = memory_text(text);
    }
    free(text);
    return ok || (err->code == ERR_OK &&
                  err_set(err, ERR_STORE, "The settings could not be saved."));
}

/* Reports an invalid value as the client's error, not the operator's. */
static void blame_sender(struct err *err)
{
    if (err->code == ERR_CONFIG) {
        struct err why = *err;
        (void)err_set(err, ERR_INVALID_DATA, "%s", why.message);
        (void)err_hint(err, "%s", why.hint);
    }
}

bool dgm_settings_change(struct dgm *dgm, const struct dgm_access *access,
                         const char *json, struct dgm_error *error)
{
    struct err err;
    err_clear(&err);
    instance_no_error(error);
    if (access_is_narrow(access)) {
        (void)err_set(&err, ERR_FORBIDDEN,
                      "A key for certain datasources does not change settings.");
        return instance_fail(error, &err);
    }
    struct arena *arena = arena_new();
    json_t *given =
        json_parse(arena, str_or_empty(json), strlen(str_or_empty(json)), &err);
    bool ok = given && instance_store(dgm, &err) && dgm_settings_recall(dgm, error);
    (void)pthread_mutex_lock(&dgm->settings_lock); /* none of two changes is lost */
    json_t *changed = ok ? load(dgm, arena, &err) : NULL;
    struct options *next = NULL;
    err_clear(&err);
    ok = ok && merge(dgm, access, arena, changed, given, &err) &&
         (next = apply(dgm, changed, &err)) && instance_take_over(dgm, next, &err);
    if (ok && !settings_change_keep(dgm, changed, &err)) {
        struct err ignored; /* store the change first; if that fails, it is not applied */
        json_t *before = load(dgm, arena, &ignored);
        err_clear(&ignored);
        next = apply(dgm, before, &ignored);
        (void)(next && instance_take_over(dgm, next, &ignored));
        ok = false;
    }
    (void)pthread_mutex_unlock(&dgm->settings_lock);
    arena_free(arena);
    blame_sender(&err);
    return ok || (err.code == ERR_OK ? false : instance_fail(error, &err));
}

void settings_follow(struct dgm *dgm)
{
    struct err err;
    struct store_record record = {0};
    err_clear(&err);
    struct arena *arena = arena_new();
    (void)pthread_mutex_lock(&dgm->settings_lock);
    if (dgm->configured &&
        store_record_get(dgm->agent.store, arena, &like, &record, &err) &&
        !str_equal(record.json, dgm->settings_seen)) {
        json_t *changed = json_parse(arena, record.json, strlen(record.json), &err);
        struct options *next = changed ? apply(dgm, changed, &err) : NULL;
        if (!next || !instance_take_over(dgm, next, &err)) {
            LOG(LOG_SERVICE, LOG_WARN, "the changed settings are left out: %s",
                err.message);
        }
        memory_free(dgm->settings_seen); /* also an invalid one: it is logged once */
        dgm->settings_seen = memory_text(record.json);
    }
    (void)pthread_mutex_unlock(&dgm->settings_lock);
    arena_free(arena);
}

bool dgm_settings_recall(struct dgm *dgm, struct dgm_error *error)
{
    struct err err;
    err_clear(&err);
    instance_no_error(error);
    if (!instance_store(dgm, &err)) {
        return instance_fail(error, &err);
    }
    (void)pthread_mutex_lock(&dgm->settings_lock);
    bool first = !dgm->configured;
    if (first) {
        dgm->configured = options_clone(dgm->options);
    }
    (void)pthread_mutex_unlock(&dgm->settings_lock);
    if (first) {
        settings_follow(dgm);
    }
    return true;
}

struct options *settings_reloaded(struct dgm *dgm, const struct options *configured,
                                  struct err *err)
{
    (void)pthread_mutex_lock(&dgm->settings_lock);
    struct options *next = NULL;
    if (!dgm->configured) {
        next = options_clone(configured);
    } else {
        struct options *before = dgm->configured;
        struct arena *arena = arena_new();
        const char *text = dgm->settings_seen ? dgm->settings_seen : "{}";
        dgm->configured = options_clone(configured);
        next = apply(dgm, json_parse(arena, text, strlen(text), err), err);
        options_free(next ? before : dgm->configured);
        dgm->configured = next ? dgm->configured : before;
        arena_free(arena);
    }
    (void)pthread_mutex_unlock(&dgm->settings_lock);
    return next;
}
