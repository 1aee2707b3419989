/* libpg_query: loaded when it is first needed, run on a thread with a large stack. */
#include "sql/guard/pg_parser.h"

#include <string.h>

#ifdef DRAGOMAN_HAS_PG_QUERY
#include <pg_query.h>
#include <pthread.h>

#include "base/library.h"

enum {
    STACK_BYTES = 64 << 20, /* reserved, not used: 32 KB of "1+1+…" need some 10 MB */
    TREE_MOST = 64 << 20,
};

struct pg_query {
    PgQueryParseResult (*parse)(const char *sql);
    void (*release)(PgQueryParseResult result);
};

static struct pg_query pg_query;

static const char *const files[] = {"libpg_query.so.1504.0", "libpg_query.so.1500",
                                    "libpg_query.so", "libpg_query.dylib", NULL};
static const struct library_function list[] = {
    LIBRARY_FUNCTION(struct pg_query, parse, "pg_query_parse"),
    LIBRARY_FUNCTION(struct pg_query, release, "pg_query_free_parse_result"),
};

static struct library library = {
    LIBRARY(files, list, &pg_query),
    .code = ERR_DATASOURCE_KIND,
    .message = "The library libpg_query was not found.",
};

bool pg_parser_available(void)
{
    struct err err;
    return library_load(&library, &err);
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
        json_error_t error; /* a tree that is too deep is refused */
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
static void *pg_parser_work(void *context)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    const struct job *job = context;
    (void)pthread_mutex_lock(&lock);
    PgQueryParseResult result = pg_query.parse(job->sql);
    (void)pthread_mutex_unlock(&lock);
    judge_result(job, &result);
    pg_query.release(result);
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
              pthread_create(&thread, &attributes, pg_parser_work, &job) == 0;
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
