/* Several datasources of a question made one, and what is said about it. */
#include "agent/sources/crossing.h"
#include "agent/sources/joining_files.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "agent/understand/brain.h"
#include "knowledge/keys/join_guess.h"
#include "agent/sources/reach.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/str.h"
#include "datasource/across/across.h"
#include "knowledge/value_index/value_index.h"

enum {
    GUESS_TABLES = 300, /* with more tables, keys between sources are not guessed */
    GUESSES_MOST = 64,
    TELL_MS = 250, /* how often rows that arrive are told */
    INDEX_MS = 3000,
    TEXT_MOST = 4096,
};

void crossing_blame(struct err *err, const char *id)
{
    struct err original = *err;
    char quoted[200];
    (void)snprintf(quoted, sizeof quoted, "'%s'", id);
    if (strstr(original.message, quoted)) {
        return; /* it says so already */
    }
    (void)err_set(err, original.code, "%s could not be read: %s", quoted,
                  original.message);
    if (!str_empty(original.detail)) {
        (void)err_detail(err, "%s", original.detail);
    }
    if (!str_empty(original.hint)) {
        (void)err_hint(err, "%s", original.hint);
    }
}

/* Keys that no database could declare: from one source to another. */
static void guess_keys(struct run *run, struct schema *schema)
{
    size_t count = schema->tables.count;
    if (count > GUESS_TABLES) {
        return;
    }
    const struct table **tables = arena_array(run->scratch, count, sizeof *tables);
    struct join_guesses guesses = {0};
    for (size_t i = 0; i < count; i++) {
        tables[i] = &schema->tables.items[i];
    }
    join_guess_all(run->scratch, tables, count, GUESSES_MOST, &guesses);
    for (size_t i = 0; i < guesses.count; i++) {
        const struct join_guess *guess = &guesses.items[i];
        if (!str_equal(guess->from->namespace, guess->to->namespace)) {
            struct table *from = schema_table(schema, guess->from->name);
            struct foreign_key *key = VEC_ADD(schema->arena, &from->foreign_keys);
            key->table = arena_text(schema->arena, guess->to->name);
            key->confidence = guess->confidence < 1 ? guess->confidence : 0.99;
            VEC_PUSH(schema->arena, &key->columns,
                     arena_text(schema->arena, guess->column->name));
            VEC_PUSH(schema->arena, &key->references,
                     arena_text(schema->arena, guess->key->name));
        }
    }
}

/* Rows that arrive, told now and then; several sources may tell at once. */
struct telling {
    struct run *run;
    pthread_mutex_t lock;
    int64_t next_ms;
};

static void tell_rows(void *context, const struct staging_progress *progress)
{
    struct telling *telling = context;
    (void)pthread_mutex_lock(&telling->lock);
    int64_t now = clock_ms();
    if (progress->rows > 0 && (progress->done || now >= telling->next_ms)) {
        char text[200];
        (void)snprintf(text, sizeof text, "%.120s: %lld rows%s", progress->name,
                       (long long)progress->rows, progress->done ? "" : " …");
        telling->next_ms = now + TELL_MS;
        run_tell(telling->run, OBSERVE_PROGRESS, text);
    }
    (void)pthread_mutex_unlock(&telling->lock);
}

static void telling_end(void *telling)
{
    (void)pthread_mutex_destroy(&((struct telling *)telling)->lock);
}

static void close_across(void *source)
{
    datasource_close(source);
}

bool crossing_begin(struct run *run, struct err *err)
{
    struct across_member *members =
        arena_array(run->scratch, run->sources.count, sizeof *members);
    for (size_t i = 0; i < run->sources.count; i++) {
        const struct run_source *source = &run->sources.items[i];
        members[i] = (struct across_member){source->source, source->schema,
                                            source->schema->signature};
    }
    struct datasource *across =
        across_open(members, run->sources.count, run->options, err);
    if (!across) {
        return false;
    }
    struct telling *telling = ARENA_NEW(run->arena, struct telling);
    telling->run = run;
    (void)pthread_mutex_init(&telling->lock, NULL);
    arena_defer(run->arena, telling_end, telling);
    arena_defer(run->arena, close_across, across);
    const struct staging_watcher watcher = {tell_rows, telling};
    across_watch(across, &watcher);
    struct schema *schema = across_schema(across);
    char hash[33];
    run->sources.across = across;
    guess_keys(run, schema);
    joining_files_guess(run, schema);
    schema_normalize(schema);
    schema_hash(schema, hash);
    schema->hash = arena_text(schema->arena, hash);
    run->sources.several = false;
    run->answer.datasource = across->id;
    run->answer.schema_hash = schema->hash;
    return true;
}

bool crossing_uses_named(const struct run *run, const struct texts *tables)
{
    for (size_t i = 0; run->sources.across && i < run->sources.count; i++) {
        const struct datasource *source = run->sources.items[i].source;
        bool used = !crossing_names(run, source->id);
        for (size_t t = 0; t < tables->count && !used; t++) {
            used = across_member_of(run->sources.across, tables->items[t]) == source;
        }
        if (!used) {
            return false;
        }
    }
    return true;
}

/* "crm, shop and support" */
static const char *list_ids(struct run *run, const struct texts *ids)
{
    struct texts rest = *ids;
    if (ids->count < 2) {
        return ids->count ? ids->items[0] : "";
    }
    rest.count--;
    return arena_format(run->scratch, "%s and %s", str_join(run->scratch, &rest, ", "),
                        ids->items[ids->count - 1]);
}

const char *crossing_reason(struct run *run)
{
    struct texts ids = {0};
    for (size_t i = 0; i < run->sources.count; i++) {
        const struct datasource *source = run->sources.items[i].source;
        bool used = false;
        for (size_t t = 0; t < run->answer.tables.count; t++) {
            used = used || across_member_of(run->sources.across,
                                            run->answer.tables.items[t]) == source;
        }
        if (used) {
            const struct datasource_setting *setting = reach_find(run, source->id);
            VEC_PUSH(run->scratch, &ids, setting ? reach_name(setting) : source->id);
        }
    }
    if (ids.count < 2) {
        return arena_format(run->arena,
                            "Its SQL was written for several datasources, so DuckDB runs "
                            "it over the rows of %s.",
                            ids.count ? ids.items[0] : "none of them");
    }
    return arena_format(run->arena,
                        "The question needs %s, so what it needs of each is brought "
                        "together in DuckDB.",
                        list_ids(run, &ids));
}

const char *crossing_rules(struct run *run, const char *rules)
{
    const struct schema *schema = across_schema(run->sources.across);
    return arena_format(run->scratch,
                        "%s\n- The tables are in several databases. Write each with its "
                        "database as in the schema (%s), and give it an alias.",
                        rules ? rules : "",
                        schema->tables.count ? schema->tables.items[0].name : "");
}

const char *crossing_description(struct run *run)
{
    struct buf text;
    buf_init(&text, TEXT_MOST);
    for (size_t i = 0; i < run->sources.count; i++) {
        const struct datasource *source = run->sources.items[i].source;
        if (!str_empty(source->description)) {
            (void)buf_format(&text, "%s%s: %s", text.size ? "\n" : "", source->id,
                             source->description);
        }
    }
    const char *all = text.size ? buf_clone(&text, run->scratch) : NULL;
    buf_release(&text);
    return all;
}

/* Tables of a member as they are numbered in another schema; -1: not there. */
struct moving {
    int *tables;
    size_t count;
    const struct schema *schema;
};

static bool move_place(void *context, struct value_place *place)
{
    const struct moving *moving = context;
    if (place->table >= moving->count || moving->tables[place->table] < 0) {
        return false;
    }
    place->table = (uint32_t)moving->tables[place->table];
    return place->column < moving->schema->tables.items[place->table].columns.count;
}

static struct moving moving_of(struct run *run, size_t member,
                               const struct schema *theirs, const struct schema *schema)
{
    struct moving moving = {.count = theirs->tables.count, .schema = schema};
    moving.tables = arena_array(run->scratch, moving.count, sizeof *moving.tables);
    for (size_t i = 0; i < moving.count; i++) {
        const char *name =
            across_table_name(run->sources.across, member, theirs->tables.items[i].name);
        const struct table *table = name ? schema_table(schema, name) : NULL;
        bool same =
            table && table->columns.count == theirs->tables.items[i].columns.count;
        moving.tables[i] = same ? (int)(table - schema->tables.items) : -1;
    }
    return moving;
}

struct value_index *crossing_cells(struct run *run, const struct schema *schema,
                                   bool read)
{
    struct value_index_cache *cache = brain_values(run->agent->brain);
    struct value_index *all = value_index_new(NULL);
    for (size_t i = 0; i < across_count(run->sources.across); i++) {
        struct schema *theirs = NULL;
        struct datasource *source = across_member_at(run->sources.across, i, &theirs);
        struct datasource_limits limits = run_limits(run);
        int64_t soon = clock_ms() + INDEX_MS;
        limits.deadline_ms = soon < limits.deadline_ms ? soon : limits.deadline_ms;
        struct err trouble;
        err_clear(&trouble);
        struct value_index *one =
            read || source->driver->local
                ? value_index_cache_get(cache, source, theirs, NULL, &limits, &trouble)
                : value_index_cache_peek(cache, source->id, theirs, NULL);
        if (one) {
            struct moving moving = moving_of(run, i, theirs, schema);
            value_index_add_all(all, one, move_place, &moving);
            value_index_unref(one);
        }
    }
    value_index_freeze(all);
    return all;
}
