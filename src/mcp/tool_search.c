/* The tool `search_objects`: tables, columns, values, metrics and saved queries by words. */
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "mcp/call.h"
#include "mcp/objects.h"
#include "mcp/reply.h"
#include "mcp/tools.h"

enum {
    HITS_MOST = 2000,
    NAMES_MOST = 60, /* objects in a result, by the detail that is told of each */
    SUMMARIES_MOST = 20,
    FULL_MOST = 6,
    VALUES_MOST = 30,
    FOUND_LEAST = 3, /* below it a common beginning of one word is no hit */
};

struct hit {
    int score;
    size_t order; /* in which it was found */
    const char *kind;
    const char *name;
    const char *datasource;
    const json_t *object; /* the table, column or metric; or NULL */
    const json_t *table;  /* it belongs to; or NULL */
};

struct hits {
    struct hit *items;
    size_t count;
    size_t capacity;
};

struct search {
    struct arena *arena;
    struct texts words;
    struct hits hits;
    bool all; /* no words: every table */
};

static void found(struct search *search, const struct hit *hit)
{
    if (hit->score >= FOUND_LEAST && search->hits.count < HITS_MOST) {
        struct hit kept = *hit;
        kept.order = search->hits.count;
        VEC_PUSH(search->arena, &search->hits, kept);
    }
}

static int fit_object(const struct search *search, const json_t *object)
{
    const json_t *synonyms = json_array_at(object, "synonyms");
    int fit = 2 * mcp_objects_fit(&search->words, json_text_at(object, "name"));
    fit += mcp_objects_fit(&search->words, json_text_at(object, "comment"));
    for (size_t i = 0; i < json_array_size(synonyms); i++) {
        fit += mcp_objects_fit(&search->words,
                               json_string_value(json_array_get(synonyms, i)));
    }
    return fit;
}

static void search_column(struct search *search, struct hit at, const json_t *column)
{
    const char *table = at.name;
    at.kind = "column";
    at.name = arena_format(search->arena, "%s.%s", table,
                           str_or_empty(json_text_at(column, "name")));
    at.object = column;
    at.score = fit_object(search, column);
    found(search, &at);
}

static void search_table(struct search *search, const char *datasource,
                         const json_t *table)
{
    struct hit at = {.kind = "table",
                     .name = str_or_empty(json_text_at(table, "name")),
                     .datasource = datasource,
                     .object = table,
                     .table = table};
    const json_t *columns = json_array_at(table, "columns");
    const json_t *metrics = json_array_at(table, "metrics");
    at.score = search->all ? FOUND_LEAST : 2 * fit_object(search, table);
    found(search, &at);
    for (size_t i = 0; i < json_array_size(columns) && !search->all; i++) {
        search_column(search, at, json_array_get(columns, i));
    }
    for (size_t i = 0; i < json_array_size(metrics) && !search->all; i++) {
        const json_t *metric = json_array_get(metrics, i);
        struct hit hit = at;
        hit.kind = "metric";
        hit.object = metric;
        hit.name = arena_format(search->arena, "%s = %s",
                                str_or_empty(json_text_at(metric, "name")),
                                str_or_empty(json_text_at(metric, "expression")));
        hit.score = 2 * fit_object(search, metric);
        found(search, &hit);
    }
}

/* Cells, by what they hold. */
static void search_values(struct mcp_call *call, struct search *search,
                          const char *datasource, const char *words)
{
    struct dgm_error error;
    char *id =
        dgm_access_source(mcp_call_dgm(call), mcp_call_access(call), datasource, &error);
    char *text = id ? dgm_values_for(mcp_call_dgm(call), mcp_call_account(call), id,
                                     words, VALUES_MOST, &error)
                    : NULL;
    const json_t *list = text ? json_quick(search->arena, text, strlen(text)) : NULL;
    dgm_free(text);
    dgm_free(id);
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *item = json_array_get(list, i);
        const char *value = str_or_empty(json_text_at(item, "value"));
        struct hit hit = {.kind = "value", .datasource = datasource};
        hit.score = FOUND_LEAST + mcp_objects_fit(&search->words, value);
        hit.name = arena_format(search->arena, "%s.%s = '%.80s'",
                                str_or_empty(json_text_at(item, "table")),
                                str_or_empty(json_text_at(item, "column")), value);
        found(search, &hit);
    }
}

static void search_saved(struct mcp_call *call, struct search *search)
{
    struct dgm_error error;
    char *text = dgm_saved_list(mcp_call_dgm(call), mcp_call_access(call), &error);
    const json_t *list = text ? json_quick(search->arena, text, strlen(text)) : NULL;
    dgm_free(text);
    for (size_t i = 0; i < json_array_size(list) && !search->all; i++) {
        const json_t *saved = json_array_get(list, i);
        struct hit hit = {.kind = "saved query",
                          .name = str_or_empty(json_text_at(saved, "name")),
                          .datasource = json_text_at(saved, "datasource")};
        hit.score = 2 * mcp_objects_fit(&search->words, hit.name) +
                    mcp_objects_fit(&search->words, json_text_at(saved, "question"));
        found(search, &hit);
    }
}

/* The best first; what is equal stays in its order. */
static int compare_hits(const void *a, const void *b)
{
    const struct hit *one = a;
    const struct hit *other = b;
    return one->score != other->score  ? other->score - one->score
           : one->order < other->order ? -1
                                       : 1;
}

static void write_summary(struct writer *json, const struct hit *hit)
{
    writer_key_text(json, "type", json_text_at(hit->object, "type"));
    writer_key_text(json, "comment", json_text_at(hit->object, "comment"));
    if (hit->object == hit->table) {
        const json_t *columns = json_array_at(hit->table, "columns");
        if (json_object_get(hit->table, "row_count")) {
            writer_key_int(json, "row_count", json_int_at(hit->table, "row_count", 0));
        }
        writer_key(json, "columns");
        writer_array(json);
        for (size_t i = 0; i < json_array_size(columns); i++) {
            writer_text(json, json_text_at(json_array_get(columns, i), "name"));
        }
        writer_array_end(json);
    }
}

static void write_hit(struct writer *json, const struct hit *hit, const char *detail)
{
    writer_object(json);
    writer_key_text(json, "kind", hit->kind);
    writer_key_text(json, "name", hit->name);
    writer_key_text(json, "datasource", hit->datasource);
    if (!str_equal(detail, "names") && hit->object) {
        write_summary(json, hit);
    }
    if (str_equal(detail, "full") && hit->table) {
        struct buf buf;
        buf_init(&buf, MCP_RESULT_MOST);
        mcp_objects_tell(hit->table, &buf);
        writer_key_text(json, "table", buf_get(&buf));
        buf_release(&buf);
    }
    writer_object_end(json);
}

static size_t most_hits(const char *detail)
{
    return str_equal(detail, "full")      ? FULL_MOST
           : str_equal(detail, "summary") ? SUMMARIES_MOST
                                          : NAMES_MOST;
}

static void write_result(struct mcp_call *call, const struct search *search,
                         const char *detail)
{
    struct buf buf;
    struct writer json;
    size_t count = 0;
    buf_init(&buf, (size_t)4 * MCP_RESULT_MOST);
    writer_init(&json, &buf);
    writer_object(&json);
    writer_key(&json, "objects");
    writer_array(&json);
    while (count < search->hits.count && count < most_hits(detail) &&
           buf.size < MCP_RESULT_MOST) {
        write_hit(&json, &search->hits.items[count++], detail);
    }
    writer_array_end(&json);
    bool truncated = count < search->hits.count;
    writer_key_int(&json, "total", (int64_t)search->hits.count);
    writer_key_bool(&json, "truncated", truncated);
    if (truncated) {
        writer_key_text(&json, "next", "Search with more words, or in one datasource.");
    }
    writer_object_end(&json);
    mcp_reply_result(call, buf_get(&buf), buf.size);
    buf_release(&buf);
}

void mcp_tool_search(struct mcp_call *call, const json_t *arguments)
{
    struct search search = {.arena = call->arena};
    struct dgm_error error = {.position = -1};
    struct texts ids = {0};
    const char *datasource = json_text_at(arguments, "datasource");
    const char *detail = json_text_at(arguments, "detail");
    mcp_objects_words(call->arena, json_text_at(arguments, "words"), &search.words);
    search.all = str_empty(json_text_at(arguments, "words"));
    if (str_empty(datasource)) {
        mcp_objects_sources(call, call->arena, &ids);
    } else {
        VEC_PUSH(call->arena, &ids, datasource);
    }
    size_t read = 0;
    for (size_t i = 0; i < ids.count; i++) {
        const json_t *schema =
            mcp_objects_schema(call, call->arena, ids.items[i], &error);
        const json_t *tables = json_array_at(schema, "tables");
        read += schema != NULL;
        for (size_t j = 0; j < json_array_size(tables); j++) {
            search_table(&search, ids.items[i], json_array_get(tables, j));
        }
        if (schema && !search.all) {
            search_values(call, &search, ids.items[i], json_text_at(arguments, "words"));
        }
    }
    if (!read && *error.code) {
        mcp_reply_failure(call, &error, NULL);
        return;
    }
    search_saved(call, &search);
    if (search.hits.count) {
        qsort(search.hits.items, search.hits.count, sizeof(struct hit), compare_hits);
    }
    write_result(call, &search, detail ? detail : "names");
}
