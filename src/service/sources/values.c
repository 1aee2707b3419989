/* Finds cells of a datasource by words, with the index that the parser uses. */
#include <string.h>

#include "agent/understand/brain.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/str.h"
#include "base/writer.h"
#include "knowledge/value_index/value_index.h"
#include "model/schema.h"
#include "service/instance.h"

enum {
    READ_MS = 10000, /* of the database, if it was not read yet */
    TEXT_MOST = 1 << 20,
    PARTS_MOST = 50,
    WORDS_MOST = 16,
    WORD_LEAST = 3,
    NEAR_MOST = 3,
};

struct finding {
    struct arena *arena;
    const struct value_index *index;
    const struct schema *schema;
    struct value_matches found;
    size_t most;
};

static void keep(struct finding *finding, const struct value_matches *matches)
{
    for (size_t i = 0; i < matches->count && finding->found.count < finding->most; i++) {
        bool known = false;
        for (size_t j = 0; j < finding->found.count && !known; j++) {
            known = str_equal(finding->found.items[j].text, matches->items[i].text);
        }
        if (!known) {
            VEC_PUSH(finding->arena, &finding->found, matches->items[i]);
        }
    }
}

/* What is equal first, then what contains it, and only without either what is similar. */
static void find(struct finding *finding, const char *text, size_t size)
{
    struct value_matches equal = {0};
    struct value_matches part = {0};
    struct value_matches near = {0};
    value_index_find(finding->index, finding->arena, text, size, &equal);
    keep(finding, &equal);
    value_index_part(finding->index, finding->arena, text, size, PARTS_MOST, &part);
    keep(finding, &part);
    if (!equal.count && !part.count) {
        value_index_near(finding->index, finding->arena, text, size, NEAR_MOST, &near);
        keep(finding, &near);
    }
}

static void find_all(struct finding *finding, const char *words)
{
    find(finding, words, strlen(words));
    const char *at = words;
    for (size_t i = 0; *at && i < WORDS_MOST; i++) {
        size_t size = strcspn(at, " \t\n,;");
        if (size >= WORD_LEAST && size < strlen(words)) {
            find(finding, at, size);
        }
        at += size;
        at += strspn(at, " \t\n,;");
    }
}

static void write_places(const struct finding *finding, const struct value_match *match,
                         struct writer *json)
{
    for (size_t i = 0; i < match->place_count; i++) {
        struct value_place place = match->places[i];
        const struct table *table = &finding->schema->tables.items[place.table];
        writer_object(json);
        writer_key_text(json, "value", match->text);
        writer_key_text(json, "table", table->name);
        writer_key_text(json, "column", table->columns.items[place.column].name);
        writer_object_end(json);
    }
}

static char *write_found(const struct finding *finding)
{
    struct buf buf;
    struct writer json;
    buf_init(&buf, TEXT_MOST);
    writer_init(&json, &buf);
    writer_array(&json);
    for (size_t i = 0; i < finding->found.count; i++) {
        write_places(finding, &finding->found.items[i], &json);
    }
    writer_array_end(&json);
    return buf_take(&buf);
}

/* A reference; NULL: there is none, for example because a person must approve what is run. */
static struct value_index *index_of(struct dgm *dgm, struct datasource *source,
                                    const struct schema *schema)
{
    struct datasource_limits limits = {.deadline_ms = clock_ms() + READ_MS};
    struct err trouble;
    err_clear(&trouble);
    if (!instance_ready(dgm, &trouble) || !dgm->agent.brain) {
        return NULL;
    }
    struct value_index_cache *cache = brain_values(dgm->agent.brain);
    return dgm->options->agent_approval
               ? value_index_cache_peek(cache, source->id, schema, NULL)
               : value_index_cache_get(cache, source, schema, NULL, &limits, &trouble);
}

char *dgm_values_for(struct dgm *dgm, const char *account, const char *datasource,
                     const char *words, size_t most, struct dgm_error *error)
{
    struct err err;
    bool stale = false;
    err_clear(&err);
    instance_no_error(error);
    struct arena *arena = arena_new();
    struct datasource *source =
        instance_datasource_for(dgm, arena, account, datasource, &err);
    struct schema *schema =
        source ? instance_schema_known(dgm, source, &stale, &err) : NULL;
    char *text = NULL;
    if (schema) {
        struct value_index *index = index_of(dgm, source, schema);
        struct finding finding = {
            .arena = arena, .index = index, .schema = schema, .most = most};
        find_all(&finding, str_or_empty(words));
        text = write_found(&finding);
        value_index_unref(index);
        schema_unref(schema);
    } else {
        (void)instance_fail(error, &err);
    }
    arena_free(arena);
    return text;
}
