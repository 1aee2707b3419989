/* libpg_query: found at first use, run on a thread with a large stack. */
#include "sql/pg_parser.h"

#include <string.h>

#ifdef DRAGOMAN_HAS_PG_QUERY
#include <dlfcn.h>
#include <pg_query.h>
#include <pthread.h>

#include "base/symbol.h"

enum {
    STACK_BYTES = 64 << 20, /* reserved, not used: 32 KB of "1+1+…" need some 10 MB */
    TREE_MOST = 64 << 20,
};

static struct {
    PgQueryParseResult (*parse)(const char *sql);
    void (*release)(PgQueryParseResult result);
} library;
static bool loaded;

static void load(void)
{
    static const char *const names[] = {"libpg_query.so.1504.0", "libpg_query.so.1500",
                                        "libpg_query.so", "libpg_query.dylib", NULL};
    void *opened = NULL;
    for (size_t i = 0; names[i] && !opened; i++) {
        opened = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
    }
    loaded = symbol_find(opened, "pg_query_parse", &library.parse) &&
             symbol_find(opened, "pg_query_free_parse_result", &library.release);
}

bool pg_parser_available(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    (void)pthread_once(&once, load);
    return loaded;
}

struct job {
    const char *sql;
    void (*judge)(void *context, const struct pg_parse *parse);
    void *context;
};

static void judge_result(const struct job *job, const PgQueryParseResult *result)
{
    struct pg_parse parse = {.message = "it could not be read"};
    json_t *tree = NULL;
    if (result->error) {
        parse.message = result->error->message ? result->error->message : "";
        parse.position = result->error->cursorpos;
    } else if (result->parse_tree && strnlen(result->parse_tree, TREE_MOST) < TREE_MOST) {
        json_error_t error; /* too deep a tree is no tree */
        tree = json_loads(result->parse_tree, JSON_REJECT_DUPLICATES, &error);
        parse.tree = tree;
        parse.message = "it is nested too deeply";
    }
    job->judge(job->context, &parse);
    json_decref(tree);
}

/* One at a time: some builds of the library turn the process's stderr aside meanwhile.
 * pg_query_exit() must not be called here: the end of the thread frees what it used, and
 * twice is a crash. */
static void *work(void *context)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    const struct job *job = context;
    (void)pthread_mutex_lock(&lock);
    PgQueryParseResult result = library.parse(job->sql);
    (void)pthread_mutex_unlock(&lock);
    judge_result(job, &result);
    library.release(result);
    return NULL;
}

bool pg_parser_run(const char *sql, void (*judge)(void *context, const struct pg_parse *),
                   void *context)
{
    if (!pg_parser_available() || strlen(sql) > PG_PARSER_MAX_BYTES) {
        return false;
    }
    struct job job = {.sql = sql, .judge = judge, .context = context};
    pthread_attr_t attributes;
    pthread_t thread;
    if (pthread_attr_init(&attributes) != 0) {
        return false;
    }
    bool ok = pthread_attr_setstacksize(&attributes, STACK_BYTES) == 0 &&
              pthread_create(&thread, &attributes, work, &job) == 0;
    (void)pthread_attr_destroy(&attributes);
    return ok && pthread_join(thread, NULL) == 0;
}

#else

bool pg_parser_available(void)
{
    return false;
}

bool pg_parser_run(const char *sql, void (*judge)(void *context, const struct pg_parse *),
                   void *context)
{
    (void)sql;
    (void)judge;
    (void)context;
    return false;
}

#endif
