/* Tests settings, parser, model and datasources. */
#include <pthread.h>
#include <string.h>

#include "agent/understand/brain.h"
#include "base/clock.h"
#include "base/sandbox/sandbox.h"
#include "base/str.h"
#include "base/workers.h"
#include "datasource/dictionary/dictionary.h"
#include "knowledge/schema/schema_cache.h"
#include "llm/llm.h"
#include "model/brain.h"
#include "service/instance.h"
#include "sql/guard/pg_parser.h"

enum { CLOCK_MOST_MS = 60000 };

struct visit {
    void (*report)(void *context, const struct dgm_check *check);
    void *context;
    int failed;
};

static void doctor_say(struct visit *visit, const char *name, const char *text,
                       const struct err *err, int64_t since_us)
{
    bool ok = err->code == ERR_OK;
    struct dgm_check check = {
        .name = name,
        .ok = ok,
        .text = ok ? text : err->message,
        .hint = ok || str_empty(err->hint) ? NULL : err->hint,
        .ms = (double)(clock_us() - since_us) / 1000.0,
    };
    visit->failed += ok ? 0 : 1;
    visit->report(visit->context, &check);
}

/* A short model call, with a wait for its end. */
struct ping {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    bool done;
    struct err error;
};

static void ping_done(void *context, const struct llm_reply *reply)
{
    struct ping *ping = context;
    (void)pthread_mutex_lock(&ping->lock);
    ping->done = true;
    if (!reply->ok) {
        ping->error = reply->error;
    }
    (void)pthread_cond_broadcast(&ping->changed);
    (void)pthread_mutex_unlock(&ping->lock);
}

static void ping_model(struct llm *llm, struct err *err)
{
    struct ping ping = {.lock = PTHREAD_MUTEX_INITIALIZER,
                        .changed = PTHREAD_COND_INITIALIZER};
    err_clear(&ping.error);
    struct llm_call call = {
        .stage = "doctor",
        .system = "You are being tested. Reply with the word ok.",
        .user = "Are you there?",
        .max_tokens = 16,
        .on_done = ping_done,
        .context = &ping,
    };
    struct llm_ticket *ticket = llm_start(llm, &call);
    (void)pthread_mutex_lock(&ping.lock);
    while (!ping.done) {
        (void)pthread_cond_wait(&ping.changed, &ping.lock);
    }
    (void)pthread_mutex_unlock(&ping.lock);
    llm_forget(ticket);
    *err = ping.error;
}

static void check_model(struct dgm *dgm, struct visit *visit, struct arena *arena)
{
    int64_t since = clock_us();
    struct err err;
    err_clear(&err);
    const char *text = "none; the built-in parser answers";
    if (instance_ready(dgm, &err)) {
        struct err missing;
        bool needed = brain_kind_find(dgm->options->agent_brain) == BRAIN_LLM ||
                      (!dgm->agent.llm && !brain_parser(dgm->agent.brain, &missing));
        err = *dgm->agent.llm_error;
        if (!dgm->agent.llm && !needed && err.code == ERR_LLM_NOT_CONFIGURED) {
            err_clear(&err);
        }
        if (dgm->agent.llm) {
            ping_model(dgm->agent.llm, &err);
            text = arena_format(arena, "%s answers (%s)", llm_model_name(dgm->agent.llm),
                                llm_provider_name(dgm->agent.llm));
        }
    }
    doctor_say(visit, "model", text, &err, since);
}

static void check_parser(struct dgm *dgm, struct visit *visit)
{
    int64_t since = clock_us();
    struct err err;
    err_clear(&err);
    enum brain_kind brain = brain_kind_find(dgm->options->agent_brain);
    const char *text = "its weights can be used";
    if (brain == BRAIN_LLM) {
        text = "not used, as agent.brain is llm";
    } else if (instance_ready(dgm, &err)) {
        (void)brain_parser(dgm->agent.brain, &err);
    }
    if (err.code == ERR_PARSER_MISSING && brain != BRAIN_PARSER) {
        text = "not in this build";
        err_clear(&err);
    }
    doctor_say(visit, "parser", text, &err, since);
}

static void check_dictionary(struct visit *visit, struct arena *arena,
                             const struct datasource *source)
{
    int64_t since = clock_us();
    struct err err;
    struct dictionary dictionary;
    err_clear(&err);
    const char *text = "";
    if (dictionary_load(arena, source->dictionary, &dictionary, &err)) {
        text = arena_format(arena, "%zu entries, %zu metrics", dictionary.entries.count,
                            dictionary.metrics.count);
    }
    doctor_say(visit, arena_format(arena, "dictionary of %s", source->id), text, &err,
               since);
}

/* One datasource, examined on its own thread; results are reported in order. */
struct examined {
    struct dgm *dgm;
    const char *account; /* the caller's account; NULL: the local user */
    const struct datasource_setting *setting;
    struct arena *arena;
    struct datasource *source;
    struct datasource_inspection inspection;
    size_t tables;
    struct err err;
    int64_t since_us;
    int64_t took_us;
};

static void examine(void *context, size_t index)
{
    struct examined *examined = &((struct examined *)context)[index];
    examined->since_us = clock_us();
    err_clear(&examined->err);
    examined->source =
        sources_open(examined->dgm->agent.sources, examined->arena, examined->setting->id,
                     examined->account, &examined->err);
    struct schema *schema =
        examined->source
            ? instance_schema(examined->dgm, examined->source, &examined->err)
            : NULL;
    if (schema) {
        examined->tables = schema->tables.count;
        (void)datasource_inspect(examined->source, schema, examined->arena,
                                 &examined->inspection, &examined->err);
    }
    schema_unref(schema);
    /* suggest how to create a better login */
    if (examined->err.code == ERR_SUPERUSER_LOGIN) {
        struct err ignored;
        (void)datasource_inspect_login(examined->setting, examined->dgm->options,
                                       examined->arena, &examined->inspection, &ignored);
    }
    examined->took_us = clock_us() - examined->since_us;
}

/* "postgres, 12 tables, PostgreSQL 15.19, as reader, TLSv1.3, read-only proven" */
static const char *summary(struct examined *examined)
{
    const struct datasource_inspection *found = &examined->inspection;
    struct arena *arena = examined->arena;
    struct texts parts = {0};
    VEC_PUSH(arena, &parts, examined->source->driver->name);
    VEC_PUSH(arena, &parts, arena_format(arena, "%zu tables", examined->tables));
    if (found->version) {
        VEC_PUSH(arena, &parts, found->version);
    }
    if (found->user) {
        VEC_PUSH(arena, &parts, arena_format(arena, "as %s", found->user));
    }
    if (datasource_verdict(found)) {
        VEC_PUSH(arena, &parts,
                 arena_format(arena, "which %s", datasource_verdict(found)));
    }
    if (found->encryption) {
        VEC_PUSH(arena, &parts,
                 str_equal(found->encryption, "none") ? "not encrypted"
                                                      : found->encryption);
    }
    if (found->lock == DATASOURCE_LOCK_HOLDS) {
        VEC_PUSH(arena, &parts, "a write was tried and refused");
    }
    VEC_PUSH(arena, &parts,
             arena_format(arena, "signature in %.1f ms",
                          (double)found->signature_us / 1000.0));
    return str_join(arena, &parts, ", ");
}

static void warn_lines(struct visit *visit, struct examined *examined, const char *what,
                       const char *text, const char *hint, const struct texts *lines)
{
    struct dgm_check check = {
        .lines = lines->items,
        .line_count = lines->count,
        .name = arena_format(examined->arena, "%s of %s", what, examined->setting->id),
        .ok = true,
        .warning = true,
        .text = text,
        .hint = hint,
    };
    visit->report(visit->context, &check);
}

static void warn(struct visit *visit, struct examined *examined, const char *what,
                 const char *text, const char *hint)
{
    warn_lines(visit, examined, what, text, hint, &(const struct texts){0});
}

static void warn_all(struct visit *visit, struct examined *examined)
{
    const struct datasource_inspection *found = &examined->inspection;
    struct arena *arena = examined->arena;
    if (found->dangers.count) {
        warn_lines(visit, examined, "rights",
                   arena_format(arena, "the login %s %s", found->user ? found->user : "",
                                str_join(arena, &found->dangers, ", ")),
                   "dragoman only reads, but a login that can do no more is the safest "
                   "lock. Give it one with SELECT alone.",
                   &found->reader);
    }
    if (datasource_dialect(examined->source) == DIALECT_POSTGRES &&
        !pg_parser_available()) {
        warn(visit, examined, "guard",
             "PostgreSQL's own parser (libpg_query) is not installed: only dragoman's "
             "guard checks the SQL",
             "Install libpg_query (on Debian: apt install libpg-query-dev), so that two "
             "parsers must agree.");
    }
    if (found->remote && found->encryption && str_equal(found->encryption, "none")) {
        warn(visit, examined, "encryption",
             "the connection to another machine is not encrypted",
             "Add the driver's TLS option to the URL (sslmode=verify-full).");
    }
    if (found->clock_off_ms > CLOCK_MOST_MS || found->clock_off_ms < -CLOCK_MOST_MS) {
        warn(visit, examined, "clock",
             arena_format(
                 arena, "the server's clock differs from this machine's by %lld seconds",
                 (long long)(found->clock_off_ms / 1000)),
             "\"today\" may mean two days; let both keep time by NTP.");
    }
}

static void doctor_tell(struct visit *visit, struct examined *examined)
{
    struct arena *arena = examined->arena;
    struct err *err = &examined->err;
    const char *text = examined->source && err->code == ERR_OK ? summary(examined) : "";
    if (err->code == ERR_OK && examined->tables == 0) {
        (void)err_set(err, ERR_EMPTY_SCHEMA, "The database has no tables.");
    }
    if (err->code == ERR_OK && examined->inspection.lock == DATASOURCE_LOCK_OPEN) {
        (void)err_set(err, ERR_UNSAFE,
                      "The engine executed a write that the guard should have refused.");
        (void)err_hint(err, "Use a login that can only read, and report this as a bug.");
    }
    /* as long as it took, not as long as the others took */
    doctor_say(visit, arena_format(arena, "datasource %s", examined->setting->id), text,
               err, clock_us() - examined->took_us);
    if (err->code == ERR_OK) {
        warn_all(visit, examined);
    } else if (err->code == ERR_SUPERUSER_LOGIN && examined->inspection.reader.count) {
        warn_lines(visit, examined, "reader",
                   "these statements create a login that can only read", NULL,
                   &examined->inspection.reader);
    }
    if (examined->source && examined->source->dictionary) {
        check_dictionary(visit, arena, examined->source);
    }
}

/* All of them, or the one of this id; returns how many. */
static size_t check_sources(struct dgm *dgm, struct visit *visit, const char *account,
                            const char *id)
{
    struct arena *arena = arena_new();
    size_t most = sources_count(dgm->agent.sources);
    size_t count = 0;
    struct examined *all = arena_array(arena, most + 1, sizeof *all);
    const struct datasource_setting *setting = NULL;
    for (size_t i = 0; i < most && (setting = sources_at(dgm->agent.sources, i)); i++) {
        if (!id || str_equal_nocase(setting->id, id)) {
            all[count++] = (struct examined){
                .dgm = dgm, .account = account, .setting = setting, .arena = arena_new()};
        }
    }
    workers_each(count, RUN_SOURCES_AT_ONCE, examine, all);
    for (size_t i = 0; i < count; i++) {
        doctor_tell(visit, &all[i]);
        arena_free(all[i].arena);
    }
    arena_free(arena);
    return count;
}

int dgm_model_test(struct dgm *dgm,
                   void (*report)(void *context, const struct dgm_check *check),
                   void *context)
{
    struct visit visit = {report, context, 0};
    struct arena *arena = arena_new();
    check_model(dgm, &visit, arena);
    arena_free(arena);
    return visit.failed;
}

int dgm_source_test(struct dgm *dgm, const char *id,
                    void (*report)(void *context, const struct dgm_check *check),
                    void *context)
{
    return dgm_source_test_for(dgm, NULL, id, report, context);
}

int dgm_source_test_for(struct dgm *dgm, const char *account, const char *id,
                        void (*report)(void *context, const struct dgm_check *check),
                        void *context)
{
    struct visit visit = {report, context, 0};
    return check_sources(dgm, &visit, account, id) ? visit.failed : -1;
}

/* The target is a hit rate of 95 %. The doctor itself reads each schema once; a running
 * server has better data (dgm_metrics). */
static void check_cache(struct dgm *dgm, struct visit *visit, struct arena *arena)
{
    struct err err;
    err_clear(&err);
    int64_t counts[SCHEMA_LEVELS] = {0};
    if (dgm->store_ready) {
        schema_cache_counts(dgm->agent.schemas, counts);
    }
    long long hits = counts[SCHEMA_LEVEL_MEMORY] + counts[SCHEMA_LEVEL_STORE];
    long long looks = hits + counts[SCHEMA_LEVEL_READ];
    doctor_say(visit, "schema cache",
               arena_format(arena,
                            "%lld of %lld lookups found the schema (L1 %lld, L2 %lld)",
                            hits, looks, (long long)counts[SCHEMA_LEVEL_MEMORY],
                            (long long)counts[SCHEMA_LEVEL_STORE]),
               &err, clock_us());
}

/* Reports which sandbox layers `serve` and the engine processes can use. */
static void check_sandbox(struct visit *visit)
{
    char text[200];
    struct sandbox_report report;
    sandbox_probe(&report);
    sandbox_describe(&report, text, sizeof text);
    bool whole = report.layers[SANDBOX_FILES] == SANDBOX_HOLDS &&
                 report.layers[SANDBOX_CALLS] == SANDBOX_HOLDS;
    struct dgm_check check = {
        .name = "sandbox",
        .ok = true,
        .warning = !whole,
        .text = text,
        .hint = whole ? NULL
                      : "Linux with Landlock (5.13) and seccomp limits what an attacker "
                        "who takes over the server can do.",
    };
    visit->report(visit->context, &check);
}

int dgm_doctor(struct dgm *dgm,
               void (*report)(void *context, const struct dgm_check *check),
               void *context)
{
    struct visit visit = {report, context, 0};
    struct arena *arena = arena_new();
    struct err err;
    err_clear(&err);
    int64_t since = clock_us();
    (void)instance_store(dgm, &err);
    doctor_say(&visit, "store", "the data folder can be used", &err, since);
    check_sandbox(&visit);
    check_parser(dgm, &visit);
    check_model(dgm, &visit, arena);
    size_t count = check_sources(dgm, &visit, NULL, NULL);
    if (count == 0) {
        err_clear(&err);
        (void)err_set(&err, ERR_DATASOURCE_NOT_FOUND, "No database was given.");
        (void)err_hint(
            &err, "Name one with --db, or list it under 'datasources' in dragoman.yaml.");
        doctor_say(&visit, "datasources", "", &err, clock_us());
    }
    if (count) {
        check_cache(dgm, &visit, arena);
    }
    arena_free(arena);
    return visit.failed;
}
