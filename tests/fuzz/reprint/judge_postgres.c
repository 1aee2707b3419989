/* PostgreSQL's parser (libpg_query): its parse tree as JSON, without places. */
#include "judge.h"

#ifdef DRAGOMAN_HAS_PG_QUERY
#include <dlfcn.h>
#include <pg_query.h>
#include <string.h>

static PgQueryParseResult (*parse)(const char *sql);
static void (*release)(PgQueryParseResult result);

static bool open_postgres(const char *root)
{
    (void)root;
    void *handle = dlopen("libpg_query.so.1504.0", RTLD_NOW);
    handle = handle ? handle : dlopen("libpg_query.so", RTLD_NOW);
    if (!handle) {
        return false;
    }
    *(void **)&parse = dlsym(handle, "pg_query_parse");
    *(void **)&release = dlsym(handle, "pg_query_free_parse_result");
    return parse && release;
}

static void add_without_places(struct buf *out, const char *json)
{
    static const char *const places[] = {
        "\"location\":", "\"stmt_len\":", "\"stmt_location\":"};
    static const char ascending[] = "\"SORTBY_ASC\""; /* is what is usual */
    while (*json) {
        size_t skip = 0;
        for (size_t i = 0; *json == '"' && i < sizeof places / sizeof *places; i++) {
            size_t size = strlen(places[i]);
            skip = strncmp(json, places[i], size) == 0
                       ? size + strspn(json + size, "0123456789-,")
                       : skip;
        }
        if (skip) {
            json += skip;
        } else if (*json == '"' && strncmp(json, ascending, strlen(ascending)) == 0) {
            (void)buf_text(out, "\"SORTBY_DEFAULT\"");
            json += strlen(ascending);
        } else {
            (void)buf_char(out, *json++);
        }
    }
}

static bool read_postgres(const char *sql, struct buf *out)
{
    PgQueryParseResult result = parse(sql);
    bool ok = !result.error && result.parse_tree;
    if (ok) {
        struct buf raw;
        buf_init(&raw, 1 << 22);
        add_without_places(&raw, result.parse_tree);
        /* what stood before a place that was last in its object */
        for (size_t i = 0; i < raw.size; i++) {
            bool comma = raw.data[i] == ',' && raw.data[i + 1] == '}';
            if (!comma) {
                (void)buf_char(out, raw.data[i]);
            }
        }
        buf_release(&raw);
    }
    release(result);
    return ok;
}
#else
static bool open_postgres(const char *root)
{
    (void)root;
    return false;
}

static bool read_postgres(const char *sql, struct buf *out)
{
    (void)sql;
    (void)out;
    return false;
}
#endif

const struct judge judge_postgres = {"postgres", DIALECT_POSTGRES, open_postgres,
                                     read_postgres, false};
