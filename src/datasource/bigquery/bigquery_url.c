/* A BigQuery URL, and where the right to ask comes from: a token, the key of a service
 * account, or nothing for an emulator. */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/str.h"
#include "datasource/bigquery/bigquery_driver.h"
#include "datasource/server/server_pool.h"
#include "datasource/web_url.h"

enum { CREDENTIALS_MOST = 64 * 1024 };

#define SERVICE "https://bigquery.googleapis.com"
#define TOKENS  "https://oauth2.googleapis.com/token"

static const char *const known[] = {"location", "credentials", "token_env",  "token_file",
                                    "ca_file",  "datasets",    "max_billed", NULL};

static bool misunderstood(struct err *err)
{
    (void)err_set(err, ERR_DATASOURCE_NOT_FOUND,
                  "The BigQuery URL cannot be understood.");
    return err_hint(err, "It is bigquery://project/dataset?location=EU; other characters "
                         "in a part are written as %%40.");
}

static bool credentials_bad(struct err *err)
{
    (void)err_set(err, ERR_CONFIG, "The credentials for BigQuery cannot be used.");
    return err_hint(err, "They are the JSON key of a service account. Check credentials "
                         "in the URL, or GOOGLE_APPLICATION_CREDENTIALS.");
}

/* Tokens are asked for over TLS, or from this very machine. */
static bool token_url_good(const char *url)
{
    return str_starts(url, "https://") || str_starts(url, "http://127.0.0.1:") ||
           str_starts(url, "http://localhost:");
}

static bool credentials_read(struct arena *arena, const char *path,
                             struct bigquery_state *state, struct err *err)
{
    size_t size = 0;
    const char *text = file_read(arena, path, CREDENTIALS_MOST, &size, err);
    const json_t *json = text ? json_parse(arena, text, size, err) : NULL;
    const char *url = json_text_at(json, "token_uri");
    state->account = json_text_at(json, "client_email");
    state->key = json_text_at(json, "private_key");
    state->key_id = json_text_at(json, "private_key_id");
    state->token_url = url ? url : TOKENS;
    if (!str_equal(json_text_at(json, "type"), "service_account") || !state->account ||
        !state->key || !token_url_good(state->token_url)) {
        return credentials_bad(err);
    }
    return true;
}

/* Whose right it is, in this order: the URL's, an emulator's, the environment's. */
static bool rights_read(struct arena *arena, const struct web_url *url, bool emulator,
                        struct bigquery_state *state, struct err *err)
{
    const char *variable = web_url_get(url, "token_env");
    const char *file = web_url_get(url, "token_file");
    const char *credentials = web_url_get(url, "credentials");
    if (variable || file) {
        if (!server_secret_read(arena, variable, file, &state->token, err)) {
            (void)err_set(err, ERR_CONFIG, "The token for BigQuery cannot be read.");
            return err_hint(err, "Check token_env or token_file in the URL.");
        }
        return true;
    }
    if (!credentials && emulator) {
        state->anonymous = true;
        return true;
    }
    credentials = credentials ? credentials : getenv("GOOGLE_APPLICATION_CREDENTIALS");
    if (credentials && *credentials) {
        return credentials_read(arena, credentials, state, err);
    }
    (void)err_set(err, ERR_ACCESS, "BigQuery requires authentication.");
    return err_hint(err, "Name the key of a service account by credentials in the URL or "
                         "GOOGLE_APPLICATION_CREDENTIALS, or a token by token_env.");
}

static const char *address_of(struct arena *arena, bool *emulator)
{
    const char *host = getenv("BIGQUERY_EMULATOR_HOST");
    *emulator = host && *host;
    if (!*emulator) {
        return SERVICE;
    }
    char *address = strstr(host, "://") ? arena_text(arena, host)
                                        : arena_format(arena, "http://%s", host);
    size_t size = strlen(address);
    while (size > 0 && address[size - 1] == '/') {
        address[--size] = '\0';
    }
    return address;
}

/* Names of projects and datasets go into addresses and SQL. */
static bool name_good(const char *name)
{
    return name[0] && strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                   "0123456789-_:.") == strlen(name);
}

bool bigquery_url_read(struct datasource *source, struct bigquery_state *state,
                       struct err *err)
{
    struct arena *arena = source->arena;
    struct web_url url;
    if (!web_url_read(arena, source->url, &url) || !name_good(url.host) ||
        !name_good(url.path) || url.user[0] || url.port[0]) {
        return misunderstood(err);
    }
    const char *stranger = web_url_stranger(&url, known);
    if (stranger) {
        (void)misunderstood(err);
        return err_detail(err, "There is no parameter '%.40s'.", stranger);
    }
    state->project = url.host;
    state->dataset = url.path;
    state->location = str_or_empty(web_url_get(&url, "location"));
    const char *others = web_url_get(&url, "datasets");
    if (others) {
        str_split(arena, others, ',', &state->datasets);
    }
    for (size_t i = 0; i < state->datasets.count; i++) {
        if (!name_good(state->datasets.items[i])) {
            return misunderstood(err);
        }
    }
    const char *most = web_url_get(&url, "max_billed");
    if (most && (!str_to_int(most, &state->most_billed) || state->most_billed < 1)) {
        return misunderstood(err);
    }
    bool emulator = false;
    state->address = address_of(arena, &emulator);
    if (!rights_read(arena, &url, emulator, state, err)) {
        return false;
    }
    state->client = webclient_new(web_url_get(&url, "ca_file"), err);
    if (!state->client) {
        return false;
    }
    (void)pthread_mutex_init(&state->lock, NULL);
    return true;
}

void bigquery_state_release(struct bigquery_state *state)
{
    webclient_free(state->client);
    memory_free(state->fresh);
    (void)pthread_mutex_destroy(&state->lock);
}
