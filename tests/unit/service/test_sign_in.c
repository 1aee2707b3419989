/* Single sign-on: tokens of an issuer that this test is, on the same call that takes access
 * keys. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../support/signer.h"
#include "../support/tiny_server.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/str.h"
#include "unit/service/instance_of_one.h"

static const char script[] = ">>> understand repeat\n{\"tables\": [{\"name\": "
                             "\"users\"}], \"sql\": \"SELECT * FROM "
                             "users\"}\n<<<\n";

struct issuer_scene {
    struct instance_of_one one;
    struct tiny_server *server;
    struct arena *arena;
    struct signer keys[2];
    pthread_mutex_t lock;
    char issuer[64];
    char claimed[64];  /* what it calls itself; "": its address */
    char keys_url[96]; /* where it says its keys are; "": where they are */
    atomic_int shown;  /* number of keys in its set */
    atomic_int key_reads;
    atomic_bool away;
};

/* The description of the issuer, and its keys: "a", and later "b". */
static bool reply(void *context, int fd, const struct tiny_request *request)
{
    struct issuer_scene *scene = context;
    struct arena *arena = arena_new();
    const char *body = NULL;
    if (atomic_load(&scene->away)) {
        arena_free(arena);
        return tiny_answer(fd, 503, "", "away");
    }
    if (strncmp(request->head, "GET /.well-known/openid-configuration ", 38) == 0) {
        const char *keys = *scene->keys_url
                               ? scene->keys_url
                               : arena_format(arena, "%s/keys", scene->issuer);
        body = arena_format(arena, "{\"issuer\":\"%s\",\"jwks_uri\":\"%s\"}",
                            *scene->claimed ? scene->claimed : scene->issuer, keys);
    } else if (strncmp(request->head, "GET /keys ", 10) == 0) {
        (void)atomic_fetch_add(&scene->key_reads, 1);
        const char *first = signer_jwk(arena, &scene->keys[0], "a", "");
        body = atomic_load(&scene->shown) < 2
                   ? arena_format(arena, "{\"keys\":[%s]}", first)
                   : arena_format(arena, "{\"keys\":[%s,%s]}", first,
                                  signer_jwk(arena, &scene->keys[1], "b", ""));
    }
    bool goes_on = tiny_answer(fd, body ? 200 : 404, "", body ? body : "no such thing");
    arena_free(arena);
    return goes_on;
}

static void add_policy(struct dgm_config *config, const char *folder,
                       const char *database)
{
    static const char policy[] =
        "datasources:\n"
        "  - id: people\n"
        "    url: %s\n"
        "    policy:\n"
        "      show_filters: true\n"
        "      roles:\n"
        "        staff: {rows: {users: \"status = {claim.status}\"}}\n"
        "        managers: {max_rows: 2}\n"
        "      accounts: {'*': {tables: {deny: [users]}}}\n";
    struct dgm_error error;
    struct err err;
    char path[128];
    char text[1024];
    (void)snprintf(path, sizeof path, "%s/dragoman.yaml", folder);
    (void)snprintf(text, sizeof text, policy, database);
    assert_true(file_write(path, text, strlen(text), &err));
    if (!dgm_config_load(config, path, &error)) {
        fail_msg("%s %s", error.message, error.detail);
    }
}

/* settings: pairs of key and value, NULL-ended. */
static void open_with(struct issuer_scene *scene, const char *const *settings)
{
    struct dgm_error error;
    char data[128];
    char path[128];
    struct dgm_config *config = dgm_config_new();
    dgm_close(scene->one.dgm);
    add_policy(config, scene->one.folder, scene->one.database);
    (void)snprintf(data, sizeof data, "%s/data", scene->one.folder);
    (void)snprintf(path, sizeof path, "%s/script", scene->one.folder);
    const char *const all[] = {"llm.provider",
                               "scripted",
                               "llm.script",
                               path,
                               "agent.brain",
                               "llm",
                               "store.folder",
                               data,
                               "oidc.issuer",
                               scene->issuer,
                               "oidc.audience",
                               "other, dragoman",
                               "oidc.roles_claim",
                               "realm.roles",
                               NULL};
    for (size_t i = 0; all[i]; i += 2) {
        assert_true(dgm_config_set(config, all[i], all[i + 1], &error));
    }
    for (size_t i = 0; settings && settings[i]; i += 2) {
        if (!dgm_config_set(config, settings[i], settings[i + 1], &error)) {
            fail_msg("%s", error.message);
        }
    }
    scene->one.dgm = dgm_open(config, &error);
    assert_non_null(scene->one.dgm);
    dgm_config_free(config);
}

static int set_up(void **state)
{
    struct issuer_scene *scene = calloc(1, sizeof *scene);
    *state = scene;
    scene->arena = arena_new();
    signer_init(&scene->keys[0], JWK_P256, 0);
    signer_init(&scene->keys[1], JWK_ED25519, 0);
    atomic_init(&scene->shown, 1);
    scene->server = tiny_start(reply, scene);
    (void)snprintf(scene->issuer, sizeof scene->issuer, "http://127.0.0.1:%d",
                   scene->server->port);
    return instance_of_one_open(&scene->one, script, NULL) ? 0 : -1;
}

static int tear_down(void **state)
{
    struct issuer_scene *scene = *state;
    instance_of_one_close(&scene->one);
    tiny_stop(scene->server);
    signer_release(&scene->keys[0]);
    signer_release(&scene->keys[1]);
    arena_free(scene->arena);
    free(scene);
    return 0;
}

/* A token of key a (or b) with these further claims, issued `age` seconds ago. */
static const char *token(struct issuer_scene *scene, int key, int age, const char *claims)
{
    static const char *const headers[] = {"{\"alg\":\"ES256\",\"kid\":\"a\"}",
                                          "{\"alg\":\"EdDSA\",\"kid\":\"b\"}"};
    long long now = (long long)clock_wall_s() - age;
    return signer_token(scene->arena, &scene->keys[key], headers[key],
                        arena_format(scene->arena,
                                     "{\"iss\":\"%s\",\"aud\":\"dragoman\",\"iat\":%lld,"
                                     "\"exp\":%lld%s%s}",
                                     scene->issuer, now, now + 600, *claims ? "," : "",
                                     claims));
}

static void enters(struct issuer_scene *scene, const char *text, enum dgm_scope needed,
                   const char *code, struct dgm_access *access)
{
    struct dgm_error error;
    bool ok = dgm_access_open(scene->one.dgm, text, needed, access, &error);
    if (strcmp(error.code, code) != 0) {
        fail_msg("%s: %s, not %s", error.code, error.message, code);
    }
    assert_true(ok == !*code);
    /* why a token is refused is for the log */
    if (strcmp(code, "UNAUTHORIZED") == 0) {
        assert_string_equal(error.message, "The token is not valid.");
        assert_string_equal(error.detail, "");
    }
}

#define ANN "\"sub\":\"ann\",\"scope\":\"openid dragoman:ask\""

static void a_token_lets_its_account_in(void **state)
{
    struct issuer_scene *scene = *state;
    struct dgm_access access;
    open_with(scene, NULL);
    enters(scene, token(scene, 0, 0, ANN), DGM_SCOPE_ASK, "", &access);
    assert_string_equal(access.account, "ann");
    assert_int_equal(access.scopes, DGM_SCOPE_READ | DGM_SCOPE_ASK);
    assert_string_equal(access.datasources, "");
    enters(scene, token(scene, 0, 0, ANN), DGM_SCOPE_ADMIN, "FORBIDDEN", &access);
    enters(scene, token(scene, 0, 0, "\"sub\":\"ann\",\"scope\":[\"dragoman:admin\"]"),
           DGM_SCOPE_ADMIN, "", &access);
    assert_int_equal(atomic_load(&scene->key_reads), 1); /* cached */
}

static void bad_tokens_are_refused_alike(void **state)
{
    struct issuer_scene *scene = *state;
    struct dgm_access access;
    open_with(scene, NULL);
    const char *good = token(scene, 0, 0, ANN);
    const char *dot = strrchr(good, '.');
    char *huge = arena_alloc(scene->arena, 100001);
    memset(huge, 'a', 100000);
    const char *const bad[] = {
        "",
        "x",
        "a.b.c",
        huge,
        token(scene, 0, 700, ANN),  /* expired */
        token(scene, 0, -600, ANN), /* of the future */
        token(scene, 1, 0, ANN),    /* an unknown key */
        token(scene, 0, 0, ""),     /* nobody */
        token(scene, 0, 0, "\"sub\":\"\""),
        token(scene, 0, 0, "\"sub\":7"),
        token(scene, 0, 0, ANN ",\"aud\":\"elsewhere\""),   /* twice */
        token(scene, 0, 0, ANN ",\"cnf\":{\"jkt\":\"x\"}"), /* bound to its sender */
        token(scene, 0, 0, ANN ",\"cnf\":{\"x5t#S256\":\"x\"}"),
        token(scene, 0, 0, ANN ",\"cnf\":null"),
        arena_format(scene->arena, "%.*s", (int)(dot - good), good),
        arena_format(scene->arena, "%.*sAAAA", (int)(dot - good + 1), good),
        arena_format(scene->arena, "%s.", good),
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        enters(scene, bad[i], DGM_SCOPE_READ, "UNAUTHORIZED", &access);
    }
    enters(scene, good, DGM_SCOPE_READ, "", &access);
}

static void a_token_holds_until_its_end(void **state)
{
    static const char *const exact[] = {"oidc.clock_skew_s", "3", NULL};
    struct issuer_scene *scene = *state;
    struct dgm_access access;
    open_with(scene, exact);
    enters(scene, token(scene, 0, 0, ANN), DGM_SCOPE_READ, "", &access);
    assert_true(access.until_s > clock_wall_s() + 600);
    assert_true(dgm_access_holds(scene->one.dgm, &access));
    access.until_s = clock_wall_s();
    assert_false(dgm_access_holds(scene->one.dgm, &access));
    const struct dgm_access nobody = {.until_s = 0};
    assert_true(dgm_access_holds(scene->one.dgm, &nobody));
    assert_true(dgm_access_holds(scene->one.dgm, NULL));
}

static void a_new_key_is_fetched_once(void **state)
{
    static const char *const quick[] = {"oidc.keys_retry_s", "1", NULL};
    struct issuer_scene *scene = *state;
    struct dgm_access access;
    struct dgm_error error;
    bool later = false;
    open_with(scene, NULL);
    enters(scene, token(scene, 0, 0, ANN), DGM_SCOPE_READ, "", &access);
    const char *by_new = token(scene, 1, 0, ANN);
    for (int i = 0; i < 50; i++) { /* not a flood of requests to the issuer */
        enters(scene, by_new, DGM_SCOPE_READ, "UNAUTHORIZED", &access);
    }
    assert_int_equal(atomic_load(&scene->key_reads), 1);
    open_with(scene, quick);
    enters(scene, token(scene, 0, 0, ANN), DGM_SCOPE_READ, "", &access);
    atomic_store(&scene->shown, 2);
    bool ok = false;
    for (int i = 0; i < 100 && !ok; i++) {
        ok = dgm_access_look(scene->one.dgm, by_new, DGM_SCOPE_READ, &access, &later,
                             &error);
        if (!ok && later) {
            ok = dgm_access_open(scene->one.dgm, by_new, DGM_SCOPE_READ, &access, &error);
        }
        struct timespec pause = {.tv_nsec = 50000000};
        (void)nanosleep(&pause, NULL); /* until the issuer may be asked again */
    }
    assert_true(ok);
}

static void an_issuer_that_is_away_keeps_its_keys(void **state)
{
    static const char *const quick[] = {"oidc.keys_retry_s", "1", "oidc.keys_ttl_s", "1",
                                        NULL};
    struct issuer_scene *scene = *state;
    struct dgm_access access;
    open_with(scene, quick);
    atomic_store(&scene->away, true);
    enters(scene, token(scene, 0, 0, ANN), DGM_SCOPE_READ, "BUSY", &access);
    atomic_store(&scene->away, false);
    open_with(scene, quick);
    enters(scene, token(scene, 0, 0, ANN), DGM_SCOPE_READ, "", &access);
    atomic_store(&scene->away, true);
    int64_t until = clock_ms() + 1200;
    while (clock_ms() < until) { /* until the keys are old */
        enters(scene, token(scene, 0, 0, ANN), DGM_SCOPE_READ, "", &access);
    }
    assert_int_equal(atomic_load(&scene->key_reads), 1);
}

static void an_event_loop_never_waits(void **state)
{
    struct issuer_scene *scene = *state;
    struct dgm_access access;
    struct dgm_error error;
    bool later = false;
    open_with(scene, NULL);
    const char *text = token(scene, 0, 0, ANN);
    assert_false(
        dgm_access_look(scene->one.dgm, text, DGM_SCOPE_READ, &access, &later, &error));
    assert_true(later);
    assert_int_equal(atomic_load(&scene->key_reads), 0);
    assert_true(dgm_access_open(scene->one.dgm, text, DGM_SCOPE_READ, &access, &error));
    assert_true(
        dgm_access_look(scene->one.dgm, text, DGM_SCOPE_READ, &access, &later, &error));
    assert_false(later);
    assert_false(dgm_access_look(scene->one.dgm, token(scene, 0, 700, ANN),
                                 DGM_SCOPE_READ, &access, &later, &error));
    assert_false(later); /* refused at once */
}

static void the_issuer_is_who_it_says(void **state)
{
    static const char *const urls[] = {"http://issuer.example/keys",
                                       "file:///etc/passwd",
                                       "http://127.0.0.1.evil.example/keys",
                                       "http://user@127.0.0.1/keys",
                                       "/keys",
                                       ""};
    struct issuer_scene *scene = *state;
    struct dgm_access access;
    str_put(scene->claimed, sizeof scene->claimed, "https://other.example");
    open_with(scene, NULL);
    enters(scene, token(scene, 0, 0, ANN), DGM_SCOPE_READ, "BUSY", &access);
    *scene->claimed = '\0';
    for (size_t i = 0; *urls[i]; i++) {
        str_put(scene->keys_url, sizeof scene->keys_url, urls[i]);
        open_with(scene, NULL);
        enters(scene, token(scene, 0, 0, ANN), DGM_SCOPE_READ, "BUSY", &access);
    }
    assert_int_equal(atomic_load(&scene->key_reads), 0);
    static const char *const far[] = {"oidc.issuer", "http://issuer.example", NULL};
    open_with(scene, far);
    enters(scene, token(scene, 0, 0, ANN), DGM_SCOPE_READ, "BUSY", &access);
}

static void claims_are_mapped(void **state)
{
    static const char *const mapped[] = {"oidc.account_claim",
                                         "email",
                                         "oidc.account_prefix",
                                         "corp-",
                                         "oidc.datasources_claim",
                                         "https://x.example/ds",
                                         "oidc.default_scope",
                                         "read",
                                         "oidc.scopes_claim",
                                         "",
                                         NULL};
    struct issuer_scene *scene = *state;
    struct dgm_access access;
    struct dgm_access other;
    open_with(scene, mapped);
#define MAIL      "\"sub\":\"1\",\"email\":\"ann@example.com\","
#define TRUE_MAIL MAIL "\"email_verified\":true,"
    enters(scene, token(scene, 0, 0, MAIL "\"https://x.example/ds\":[\"people\"]"),
           DGM_SCOPE_READ, "UNAUTHORIZED", &access);
    enters(scene, token(scene, 0, 0, TRUE_MAIL "\"x\":1"), DGM_SCOPE_READ, "FORBIDDEN",
           &access);
    enters(scene, token(scene, 0, 0, TRUE_MAIL "\"https://x.example/ds\":[]"),
           DGM_SCOPE_READ, "FORBIDDEN", &access);
    enters(scene, token(scene, 0, 0, TRUE_MAIL "\"https://x.example/ds\":[\"a,b\"]"),
           DGM_SCOPE_READ, "FORBIDDEN", &access);
    enters(scene,
           token(scene, 0, 0, TRUE_MAIL "\"https://x.example/ds\":[\"people\",\"b\"]"),
           DGM_SCOPE_READ, "", &access);
    assert_string_equal(access.datasources, "people,b");
    assert_int_equal(access.scopes, DGM_SCOPE_READ);
    assert_int_equal(strncmp(access.account, "oidc-corp-ann-example-com-", 26), 0);
    enters(scene, token(scene, 0, 0, TRUE_MAIL "\"https://x.example/ds\":\"*\""),
           DGM_SCOPE_READ, "", &access);
    assert_string_equal(access.datasources, "");
    enters(scene,
           token(scene, 0, 0,
                 "\"sub\":\"2\",\"email\":\"ann-example.com\",\"email_verified\":true,"
                 "\"https://x.example/ds\":\"*\""),
           DGM_SCOPE_READ, "", &other);
    assert_string_not_equal(access.account, other.account);
    enters(scene,
           token(scene, 0, 0,
                 "\"email\":\"ann@example.com\",\"email_verified\":true,"
                 "\"https://x.example/ds\":\"*\""),
           DGM_SCOPE_READ, "UNAUTHORIZED", &other); /* without a subject */
    open_with(scene, NULL);                         /* no scope, no access */
    enters(scene, token(scene, 0, 0, "\"sub\":\"ann\",\"scope\":\"ask admin\""),
           DGM_SCOPE_READ, "FORBIDDEN", &access);
    enters(scene, token(scene, 0, 0, "\"sub\":\"local\",\"scope\":\"dragoman:ask\""),
           DGM_SCOPE_READ, "", &access);
    assert_int_equal(strncmp(access.account, "oidc-local-", 11), 0);
}

/* How many rows of the table the account sees; -1: none of the table. */
static int rows_of(struct issuer_scene *scene, const struct dgm_access *access,
                   bool *lacks)
{
    struct dgm_error error;
    struct dgm_question *question =
        dgm_run_sql(scene->one.dgm, "SELECT name FROM users",
                    &(struct dgm_request){.access = access}, &error);
    const char *json = dgm_answer_json(dgm_question_wait(question, -1));
    const char *at = strstr(json, "\"row_count\":");
    int rows = strstr(json, "\"error\":{") || !at ? -1 : (int)strtol(at + 12, NULL, 10);
    *lacks = strstr(json, "lacks a claim") != NULL;
    char *kept =
        dgm_kept_answer(scene->one.dgm, access, dgm_question_id(question), NULL, &error);
    assert_true(!kept || !strstr(kept, "lacks a claim"));
    dgm_free(kept);
    dgm_question_free(question);
    return rows;
}

static void policies_follow_roles_and_claims(void **state)
{
    static const char *const all[] = {"oidc.default_scope", "ask", NULL};
    static const struct {
        const char *claims;
        int rows;
        bool lacks;
    } rows[] = {
        {"\"sub\":\"a\",\"realm\":{\"roles\":[\"staff\"]},\"status\":\"active\"", 2,
         false},
        {"\"sub\":\"b\",\"realm\":{\"roles\":[\"staff\"]},\"status\":\"blocked\"", 1,
         false},
        {"\"sub\":\"c\",\"realm\":{\"roles\":[\"staff\"]},\"status\":\"' OR 1=1 --\"", 0,
         false},
        {"\"sub\":\"d\",\"realm\":{\"roles\":[\"staff\"]}", 0, true},
        {"\"sub\":\"e\",\"realm\":{\"roles\":[\"managers\"]}", 2, false},
        {"\"sub\":\"f\",\"realm\":{\"roles\":[\"managers\",\"staff\"]},"
         "\"status\":\"blocked\"",
         1, false},
        {"\"sub\":\"g\",\"realm\":{\"roles\":[\"boss\"]}", -1, false},
        {"\"sub\":\"h\",\"roles\":[\"staff\"]", -1, false},
    };
    struct issuer_scene *scene = *state;
    struct dgm_access access;
    bool lacks = false;
    open_with(scene, all);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        enters(scene, token(scene, 0, 0, rows[i].claims), DGM_SCOPE_ASK, "", &access);
        assert_int_equal(rows_of(scene, &access, &lacks), rows[i].rows);
        assert_true(lacks == rows[i].lacks);
    }
}

#define ACTIVE "\"sub\":\"team\",\"realm\":{\"roles\":[\"staff\"]},\"status\":\"active\""
#define BLOCKED                                                                          \
    "\"sub\":\"team\",\"realm\":{\"roles\":[\"staff\"]},\"status\":\"blocked\""

/* How often the text is in what is stored for the access. */
static int kept(struct issuer_scene *scene, const struct dgm_access *access)
{
    struct dgm_error error;
    const struct dgm_history_query query = {.limit = 50};
    int count = 0;
    char *text = dgm_history(scene->one.dgm, access, &query, &error);
    assert_non_null(text);
    for (const char *at = text; (at = strstr(at, "\"query_id\"")); at++) {
        count++;
    }
    dgm_free(text);
    return count;
}

/* Two people in one account: each sees what its own claims allow, in any order, and
 * nothing of what the other got. */
static void claims_belong_to_the_token(void **state)
{
    static const char *const all[] = {"oidc.default_scope", "ask", NULL};
    struct issuer_scene *scene = *state;
    struct dgm_access one;
    struct dgm_access two;
    struct dgm_error error;
    bool lacks = false;
    open_with(scene, all);
    enters(scene, token(scene, 0, 100, ACTIVE), DGM_SCOPE_ASK, "", &one);
    enters(scene, token(scene, 0, 0, BLOCKED), DGM_SCOPE_ASK, "", &two);
    assert_string_equal(one.account, "team");
    assert_string_equal(two.account, "team");
    assert_string_equal(one.key_id, two.key_id); /* their limits are the account's */
    for (int i = 0; i < 3; i++) {
        assert_int_equal(rows_of(scene, &one, &lacks), 2);
        assert_int_equal(rows_of(scene, &two, &lacks), 1);
    }
    enters(scene, token(scene, 0, 50, ACTIVE), DGM_SCOPE_ASK, "",
           &one); /* an older one */
    assert_int_equal(rows_of(scene, &one, &lacks), 2);
    assert_int_equal(kept(scene, &one), 4);
    assert_int_equal(kept(scene, &two), 3);
    char *session = dgm_session_new_for(scene->one.dgm, &one, NULL, &error);
    assert_true(dgm_access_session(scene->one.dgm, &one, session, &error));
    assert_false(dgm_access_session(scene->one.dgm, &two, session, &error));
    assert_string_equal(error.code, "SESSION_NOT_FOUND");
    dgm_free(session);
    /* what is written down for later belongs to the account */
    const struct dgm_saved saved = {.name = "All", .sql = "SELECT name FROM users"};
    char *made = dgm_saved_add(scene->one.dgm, &one, &saved, &error);
    if (!made) {
        fail_msg("%s %s", error.code, error.message);
    }
    dgm_free(made);
    char *list = dgm_saved_list(scene->one.dgm, &two, &error);
    assert_non_null(strstr(list, "\"All\""));
    dgm_free(list);
    /* a call that names only the account has no claims */
    struct dgm_access nobody = {.account = "team", .scopes = DGM_SCOPE_ASK};
    assert_int_equal(rows_of(scene, &nobody, &lacks), -1);
}

static void an_account_has_limits(void **state)
{
    static const char *const limited[] = {"oidc.rate_per_minute", "2", NULL};
    struct issuer_scene *scene = *state;
    struct dgm_access access;
    open_with(scene, limited);
    enters(scene, token(scene, 0, 0, ANN), DGM_SCOPE_READ, "", &access);
    enters(scene, token(scene, 0, 1, ANN), DGM_SCOPE_READ, "", &access);
    enters(scene, token(scene, 0, 2, ANN), DGM_SCOPE_READ, "RATE_LIMITED", &access);
}

enum { THREADS = 8 };

struct visitor {
    struct issuer_scene *scene;
    const char *token;
    int entered;
};

static void *visit(void *context)
{
    struct visitor *visitor = context;
    struct dgm_access access;
    struct dgm_error error;
    for (int i = 0; i < 20; i++) {
        visitor->entered += dgm_access_open(visitor->scene->one.dgm, visitor->token,
                                            DGM_SCOPE_ASK, &access, &error);
    }
    return NULL;
}

/* All wait for the one that asks the issuer. */
static void many_come_at_once(void **state)
{
    struct issuer_scene *scene = *state;
    struct visitor visitors[THREADS];
    pthread_t threads[THREADS];
    open_with(scene, NULL);
    for (int i = 0; i < THREADS; i++) {
        const char *claims =
            arena_format(scene->arena,
                         "\"sub\":\"ann%d\",\"scope\":\"dragoman:ask\","
                         "\"realm\":{\"roles\":[\"staff\"]},\"status\":\"active\"",
                         i % 3);
        visitors[i] =
            (struct visitor){.scene = scene, .token = token(scene, 0, i % 2, claims)};
    }
    for (int i = 0; i < THREADS; i++) {
        assert_int_equal(pthread_create(&threads[i], NULL, visit, &visitors[i]), 0);
    }
    for (int i = 0; i < THREADS; i++) { /* all end before the scene does */
        (void)pthread_join(threads[i], NULL);
    }
    for (int i = 0; i < THREADS; i++) {
        assert_int_equal(visitors[i].entered, 20);
    }
    assert_int_equal(atomic_load(&scene->key_reads), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_token_lets_its_account_in, set_up, tear_down),
        cmocka_unit_test_setup_teardown(bad_tokens_are_refused_alike, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_token_holds_until_its_end, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_new_key_is_fetched_once, set_up, tear_down),
        cmocka_unit_test_setup_teardown(an_issuer_that_is_away_keeps_its_keys, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(an_event_loop_never_waits, set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_issuer_is_who_it_says, set_up, tear_down),
        cmocka_unit_test_setup_teardown(claims_are_mapped, set_up, tear_down),
        cmocka_unit_test_setup_teardown(policies_follow_roles_and_claims, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(claims_belong_to_the_token, set_up, tear_down),
        cmocka_unit_test_setup_teardown(an_account_has_limits, set_up, tear_down),
        cmocka_unit_test_setup_teardown(many_come_at_once, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
