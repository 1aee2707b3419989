/* A datasource held to a policy. */
#include "datasource/policy/restrict.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/hash.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/str.h"
#include "datasource/across/across.h"
#include "datasource/driver.h"

enum { SQL_MOST = 1 << 20 };

struct restricted {
    struct narrow_rules rules;
    bool by_account;    /* a condition asks who it is */
    const char *claims; /* those that conditions ask for, as JSON; or NULL */
    bool lacks_claim;   /* one of them is not there */
    pthread_mutex_t lock;
    struct schema *schema; /* for statements that come without one; or NULL */
};

/* Nobody outside this process can make a hash, so none can be guessed and compared. */
static const char *hash_key(struct arena *arena, const struct options *options)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static unsigned char bytes[16];
    static bool made;
    if (!str_empty(options->policy_hash_key)) {
        return arena_text(arena, options->policy_hash_key);
    }
    (void)pthread_mutex_lock(&lock);
    made = made || getrandom(bytes, sizeof bytes, 0) == (ssize_t)sizeof bytes;
    char *key = NULL; /* hashes become NULL then, too */
    if (made) {
        key = arena_array(arena, 2 * sizeof bytes + 1, 1);
        str_hex(key, bytes, sizeof bytes);
    }
    (void)pthread_mutex_unlock(&lock);
    return key;
}

bool policy_asks_account(const struct policy *policy)
{
    for (; policy; policy = policy->outer) {
        for (size_t i = 0; i < policy->filters.count; i++) {
            if (strstr(policy->filters.items[i].predicate, ":account")) {
                return true;
            }
        }
    }
    return false;
}

/* Whatever sits behind ODBC tells its dialect only once it is open. */
static bool dialect_unknown(const struct datasource *source)
{
    return source->driver->dialect == DIALECT_ODBC;
}

static bool conditions_hold(const struct datasource *source,
                            const struct narrow_rules *rules, struct err *err)
{
    struct arena *scratch = arena_new();
    bool ok = narrow_check(scratch, datasource_dialect(source), rules, err);
    arena_free(scratch);
    return ok;
}

/* Then a condition lets no row through. The log says which one, the caller learns only
 * that. */
static bool lacks_claim(struct datasource *source, const struct policy *policy,
                        const json_t *claims)
{
    struct texts names = {0};
    bool lacks = false;
    policy_claims_of(policy, source->arena, &names);
    for (size_t i = 0; i < names.count; i++) {
        if (!json_object_get(claims, names.items[i])) {
            LOG(LOG_DATASOURCE, claims ? LOG_WARN : LOG_DEBUG,
                "%s: a caller has no claim '%s', so conditions with it hide all rows",
                source->id, names.items[i]);
            lacks = true;
        }
    }
    return lacks;
}

bool datasource_lacks_claim(const struct datasource *source)
{
    return source->restricted && source->restricted->lacks_claim;
}

bool restrict_source(struct datasource *source, const struct policy *policy,
                     const char *account, const char *claims, struct err *err)
{
    if (!policy) {
        return true;
    }
    struct restricted *restricted = ARENA_NEW(source->arena, struct restricted);
    restricted->claims = arena_text(source->arena, claims);
    restricted->rules = (struct narrow_rules){
        .policy = policy,
        .account = arena_text(source->arena, account),
        .claims = claims ? json_quick(source->arena, claims, strlen(claims)) : NULL,
        .key = hash_key(source->arena, source->options)};
    restricted->by_account = policy_asks_account(policy);
    restricted->lacks_claim = lacks_claim(source, policy, restricted->rules.claims);
    bool ok = dialect_unknown(source) || conditions_hold(source, &restricted->rules, err);
    if (ok) {
        (void)pthread_mutex_init(&restricted->lock, NULL);
        source->restricted = restricted;
    }
    return ok;
}

void restrict_release(struct datasource *source)
{
    if (source->restricted) {
        schema_unref(source->restricted->schema);
        (void)pthread_mutex_destroy(&source->restricted->lock);
        source->restricted = NULL;
    }
}

struct datasource *restrict_base(struct datasource *source)
{
    return source->base ? source->base : source;
}

const struct policy *datasource_policy(const struct datasource *source)
{
    return source->restricted ? source->restricted->rules.policy : NULL;
}

struct datasource *datasource_view(struct datasource *source, const struct policy *policy,
                                   const char *account, const char *claims,
                                   struct err *err)
{
    struct arena *arena = arena_new();
    struct datasource *view = ARENA_NEW(arena, struct datasource);
    *view = *restrict_base(source);
    view->arena = arena;
    view->base = restrict_base(source);
    view->restricted = NULL;
    if (!restrict_source(view, policy, account, claims, err)) {
        arena_free(arena);
        return NULL;
    }
    return view;
}

void restrict_hash(const struct datasource *source, struct hash *hash)
{
    const struct restricted *restricted = source->restricted;
    if (restricted) {
        hash_text(hash, "rules 2"); /* changes when a policy hides more than before */
        policy_hash(restricted->rules.policy, hash);
        hash_text(hash,
                  restricted->by_account ? str_or_empty(restricted->rules.account) : "");
        hash_text(hash, str_or_empty(restricted->claims));
    }
}

void restrict_signature(struct datasource *source, const char *signature)
{
    struct restricted *restricted = source->restricted;
    if (!restricted) {
        return;
    }
    (void)pthread_mutex_lock(&restricted->lock);
    if (restricted->schema && !str_equal(restricted->schema->signature, signature)) {
        schema_unref(restricted->schema);
        restricted->schema = NULL;
    }
    (void)pthread_mutex_unlock(&restricted->lock);
}

bool restrict_schema(struct datasource *source, struct schema *schema, struct err *err)
{
    const struct restricted *restricted = source->restricted;
    return !restricted ||
           ((!dialect_unknown(source) ||
             conditions_hold(source, &restricted->rules, err)) &&
            narrow_schema(schema, datasource_dialect(source), &restricted->rules, err));
}

static int64_t smaller(int64_t bound, int64_t own)
{
    return own && own < bound ? own : bound;
}

static void policy_limits(const struct policy *policy, struct datasource_limits *limits)
{
    int64_t timeout_ms = policy_timeout_ms(policy);
    limits->deadline_ms =
        smaller(limits->deadline_ms, timeout_ms ? clock_ms() + timeout_ms : 0);
    if (!limits->staged) {
        limits->max_rows = smaller(limits->max_rows, policy_max_rows(policy));
        limits->max_bytes = smaller(limits->max_bytes, policy_max_bytes(policy));
    }
}

void restrict_limits(const struct datasource *source, struct datasource_limits *limits)
{
    policy_limits(datasource_policy(source), limits);
    for (size_t i = 0; across_is(source) && i < across_count(source); i++) {
        struct schema *schema = NULL;
        policy_limits(datasource_policy(across_member_at(source, i, &schema)), limits);
    }
}

/* A reference to what the source looks like under its policy; read when nobody has. */
static struct schema *own_schema(struct datasource *source,
                                 const struct datasource_limits *limits, struct err *err)
{
    struct restricted *restricted = source->restricted;
    (void)pthread_mutex_lock(&restricted->lock);
    struct schema *schema = restricted->schema ? schema_ref(restricted->schema) : NULL;
    (void)pthread_mutex_unlock(&restricted->lock);
    if (schema) {
        return schema;
    }
    schema = datasource_describe(source, limits, err);
    if (!schema) {
        return NULL;
    }
    schema_normalize(schema);
    (void)pthread_mutex_lock(&restricted->lock);
    schema_unref(restricted->schema);
    restricted->schema = schema_ref(schema);
    (void)pthread_mutex_unlock(&restricted->lock);
    return schema;
}

/* The guard's verdict as an error. Names that the schema lacks are a mistake in the SQL,
 * which can be corrected; the rest is not allowed at all. */
static bool refused(const struct guard_result *guard, struct err *err)
{
    bool mistaken = guard->unparsable || guard->unknown.count > 0;
    const char *reason =
        str_empty(guard->reason) ? "The SQL is not allowed." : guard->reason;
    (void)err_set(err, mistaken ? ERR_INVALID_SQL : ERR_UNSAFE, "%s", reason);
    err->position = guard->position;
    if (guard->unknown.count > 0) {
        (void)err_detail(err, "Unknown: %s", guard->unknown.items[0]);
    } else if (guard->word) {
        (void)err_detail(err, "At: %s", guard->word);
    }
    return false;
}

/* Under a policy a column that is not known is refused here: the engine might know it. */
static bool names_known(const struct guard_result *guard, struct err *err)
{
    if (guard->unknown.count == 0) {
        return true;
    }
    (void)err_set(err, ERR_INVALID_SQL, "Column '%.100s' does not exist.",
                  guard->unknown.items[0]);
    err->position = guard->misses.count ? (int)guard->misses.items[0].position : -1;
    return err_detail(err, "Unknown: %s", guard->unknown.items[0]);
}

static bool wanted_kind(const struct guard_result *guard, enum guard_verdict wanted,
                        struct err *err)
{
    return guard->verdict == wanted ||
           (guard->verdict == GUARD_REFUSED
                ? refused(guard, err)
                : err_set(err, ERR_UNSAFE,
                          wanted == GUARD_READ ? "The SQL would change data."
                                               : "The SQL only reads; it is no write."));
}

static bool narrow_passage(struct passage *passage, const struct datasource *source,
                           const struct schema *schema, const struct guard_result *guard,
                           struct err *err)
{
    struct narrow_rules rules = source->restricted->rules;
    enum dialect dialect = datasource_dialect(source);
    if (dialect == DIALECT_SQLITE && dialect_unknown(source)) {
        rules.key = NULL; /* the function for hashes is our own driver's */
    }
    passage->narrowed = narrow_sql(passage->arena, &passage->printed.statement, guard,
                                   schema, &rules, &passage->narrow, err);
    passage->sql = passage->narrow.sql;
    return passage->narrowed;
}

/* The text is judged first, so that what is said about it has a place in it; then its
 * print, which is what runs. */
static bool pass(struct passage *passage, struct datasource *source,
                 const struct schema *schema, enum guard_verdict wanted,
                 const struct datasource_limits *limits, struct err *err)
{
    struct guard_result guard = {0};
    const char *text = passage->sql;
    struct sql_statement statement;
    statement_read(passage->arena, datasource_dialect(source), passage->sql, limits,
                   &statement);
    guard_check_statement(passage->arena, &statement, schema, &guard);
    if (!wanted_kind(&guard, wanted, err) ||
        (source->restricted && !names_known(&guard, err)) ||
        !printed_make_statement(passage->arena, &statement, &passage->printed, err)) {
        return false;
    }
    passage->sql = passage->printed.sql;
    if (!str_equal(passage->sql, text)) {
        guard = (struct guard_result){0};
        guard_check_statement(passage->arena, &passage->printed.statement, schema,
                              &guard);
        if (!wanted_kind(&guard, wanted, err)) {
            err->position = printed_position(&passage->printed, err->position);
            return false;
        }
    }
    if (source->restricted && !narrow_passage(passage, source, schema, &guard, err)) {
        err->position = printed_position(&passage->printed, err->position);
        return false;
    }
    return true;
}

bool passage_look(struct passage *passage, const struct datasource *source,
                  const char *sql, const struct datasource_limits *limits,
                  struct err *err)
{
    *passage = (struct passage){.arena = arena_new(), .sql = sql};
    struct sql_statement statement;
    statement_read(passage->arena, datasource_dialect(source), passage->sql, limits,
                   &statement);
    if (printed_make_statement(passage->arena, &statement, &passage->printed, err)) {
        passage->sql = passage->printed.sql;
        return true;
    }
    bool unreadable = err->code == ERR_INVALID_SQL;
    if (unreadable) {
        err_clear(err); /* the engine's compiler says best what is wrong with it */
    }
    return unreadable;
}

bool passage_begin(struct passage *passage, struct datasource *source, const char *sql,
                   const struct schema *schema, enum guard_verdict wanted,
                   const struct datasource_limits *limits, struct err *err)
{
    *passage = (struct passage){.sql = sql};
    if (strnlen(sql, (size_t)source->options->sql_max_length + 1) >
        (size_t)source->options->sql_max_length) {
        (void)err_set(err, ERR_INVALID_SQL, "The SQL is too long.");
        return err_hint(err, "The limit is sql.max_length.");
    }
    struct schema *own = NULL;
    if (source->restricted && !schema) {
        own = own_schema(source, limits, err);
        schema = own;
        if (!own) {
            return false;
        }
    }
    passage->arena = arena_new();
    bool ok = pass(passage, source, schema, wanted, limits, err);
    schema_unref(own);
    return ok;
}

bool passage_outcome(const struct passage *passage, bool ok, bool ran, struct err *err)
{
    if (!ok && passage->narrowed) {
        narrow_error(&passage->narrow, ran, err);
    }
    if (!ok) {
        err->position = printed_position(&passage->printed, err->position);
    }
    return ok;
}

void passage_end(struct passage *passage)
{
    arena_free(passage->arena);
    passage->arena = NULL;
}

const char *passage_shown(const struct passage *passage, const struct datasource *source)
{
    const char *key = source->restricted ? source->restricted->rules.key : NULL;
    const char *literal =
        str_empty(key) ? NULL
                       : narrow_key(passage->arena, datasource_dialect(source), key);
    struct buf shown;
    buf_init(&shown, SQL_MOST);
    const char *at = passage->sql;
    for (const char *found; literal && (found = strstr(at, literal));) {
        (void)buf_add(&shown, at, (size_t)(found - at));
        (void)buf_text(&shown, "'***'");
        at = found + strlen(literal);
    }
    (void)buf_text(&shown, at);
    const char *text = shown.full ? "" : buf_clone(&shown, passage->arena);
    buf_release(&shown);
    return text;
}
