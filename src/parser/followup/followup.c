/* A short text that changes the query before it. */
#include "parser/followup/followup.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"
#include "base/vec.h"
#include "parser/followup/followup_state.h"
#include "parser/ir/ir_grammar.h"
#include "parser/to_sql/rebuild.h"
#include "parser/from_sql/sql_to_ir.h"

enum { TOKENS_MOST = 24, ROWS_ADDED = 1000 }; /* a larger LIMIT was added by us */

static const double DOUBTFUL = 0.6; /* trust in figures that may count rows twice */

static struct ir_token keep_literal(void *context, const char *literal, bool is_text)
{
    struct followup *followup = context;
    struct ir_value value = {.text = arena_text(followup->arena, literal),
                             .is_text = is_text};
    VEC_PUSH(followup->arena, &followup->values, value);
    return (struct ir_token){IR_VALUE, (int)followup->values.count - 1};
}

static bool is_added_limit(const struct followup *followup, const struct ir_node *limit)
{
    int64_t rows = 0;
    return limit && limit->kind == IR_NODE_TOKEN && limit->token.kind == IR_VALUE &&
           str_to_int(followup->values.items[limit->token.index].text, &rows) &&
           rows >= ROWS_ADDED;
}

/* The earlier query as a tree; false for what no rule can change: queries of queries. */
bool followup_read_previous(struct followup *followup)
{
    const struct followup_request *request = followup->request;
    struct sql_to_ir_request reading = {.schema = followup->schema,
                                        .dialect = request->dialect,
                                        .question = request->previous_question,
                                        .today = request->today,
                                        .find_value = keep_literal,
                                        .context = followup};
    struct sql_to_ir_result result;
    struct err err;
    if (!sql_to_ir(followup->arena, &reading, request->previous_sql, &result, &err) ||
        !ir_tree_read(followup->arena, &result.tokens, followup->schema,
                      followup->values.count, &followup->query, &err) ||
        followup->query->from || followup->query->set_query) {
        return false;
    }
    if (is_added_limit(followup, followup->query->limit)) {
        followup->query->limit = NULL;
    }
    return true;
}

static bool starts_with(const struct followup *followup, const enum sense *senses,
                        size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (followup_sense(followup, senses[i], 0)) {
            return true;
        }
    }
    return false;
}

static bool has_sense(const struct followup *followup, enum sense sense)
{
    for (size_t at = 0; at < followup->features.tokens.count; at++) {
        if (followup_sense(followup, sense, at)) {
            return true;
        }
    }
    return false;
}

/* "those", "their": but "customers and their orders" speaks of its own customers. */
static bool points_back(const struct followup *followup)
{
    const struct tokens *tokens = &followup->features.tokens;
    bool noun = false;
    size_t end = 0;
    for (size_t at = 0; at < tokens->count; at++) {
        const char *text = tokens->items[at].text;
        bool owner = str_equal(text, "their") || str_equal(text, "its");
        if (followup_sense(followup, SENSE_PRONOUN, at) && !(owner && noun)) {
            return true;
        }
        if (followup_table(followup, at, &end) >= 0) {
            return false;
        }
        noun = noun || !followup_is_empty_word(followup, at);
    }
    return false;
}

static bool starts_with_word(const struct followup *followup, const char *const *words)
{
    for (; *words; words++) {
        if (str_equal(followup->features.tokens.items[0].text, *words)) {
            return true;
        }
    }
    return false;
}

/* "order count by month", "all customers": no way to go on. */
static bool starts_anew(const struct followup *followup)
{
    static const char *const words[] = {"order", "each", "every", "all", "no", NULL};
    static const char *const after[] = {"by",    "them", "it", "these",
                                        "those", "the",  "in", NULL};
    const struct tokens *tokens = &followup->features.tokens;
    for (size_t i = 0; after[i] && tokens->count > 1; i++) {
        if (str_equal(tokens->items[1].text, after[i])) {
            return false;
        }
    }
    return starts_with_word(followup, words);
}

static bool ends_with_change(const struct followup *followup)
{
    size_t last = followup->features.tokens.count - 1;
    while (last && followup->features.tokens.items[last].kind == TOKEN_MARK) {
        last--;
    }
    return followup_sense(followup, SENSE_CLOSE, last) ||
           (last && followup_sense(followup, SENSE_CLOSE, last - 1) == last + 1);
}

static bool goes_on(const struct followup *followup)
{
    static const char *const small[] = {"in", "for", "from", "on", "with", "of", NULL};
    static const enum sense openings[] = {
        SENSE_ONLY,       SENSE_ALSO,         SENSE_NOT,   SENSE_SORT,     SENSE_BY,
        SENSE_REVERSE,    SENSE_ASCENDING,    SENSE_LIMIT, SENSE_MORE,     SENSE_LESS,
        SENSE_DESCENDING, SENSE_ALPHABETICAL, SENSE_SINCE, SENSE_BEFORE,   SENSE_AFTER,
        SENSE_AT_MOST,    SENSE_AT_LEAST,     SENSE_WHO,   SENSE_DISTINCT, SENSE_CHART,
    };
    return !starts_anew(followup) &&
           (starts_with(followup, openings, sizeof openings / sizeof *openings) ||
            starts_with_word(followup, small));
}

/* How surely the text goes on from what was asked before; 0: it stands on its own. */
static double leaning(const struct followup *followup)
{
    static const enum sense open[] = {SENSE_OPEN};
    bool back =
        points_back(followup) || starts_with(followup, open, 1) || followup->opening > 0;
    bool names = followup->named_tables > 0;
    bool whole = followup->slots[SLOT_FIGURE] && (names || followup->groups);
    if (back) {
        return names && has_sense(followup, SENSE_SHOW) && !points_back(followup) ? 0
                                                                                  : 0.95;
    }
    if (goes_on(followup) || (ends_with_change(followup) && followup->edits <= 2)) {
        return whole || (names && has_sense(followup, SENSE_SHOW)) ? 0 : 0.9;
    }
    /* A word or two that change one thing: "Rome", "last month", "top 5", "monthly". */
    bool bare = followup->limits || followup->dated || followup->which ||
                (followup->words <= 6 && !followup->slots[SLOT_COLUMN] &&
                 !followup->slots[SLOT_TABLE]);
    bool one = followup->edits == 1 && followup->strange_words == 0 && !names;
    return one && followup->which ? 0.9 : one && bare ? 0.75 : 0;
}

static bool sums_up(const struct ir_query *query, int *column)
{
    *column = 0;
    for (size_t i = 0; i < query->select.count; i++) {
        const struct ir_node *item = query->select.items[i];
        bool adds = ir_node_is(item, IR_SUM) || ir_node_is(item, IR_AVG) ||
                    ir_node_is(item, IR_COUNT);
        if (adds) {
            *column = ir_node_is_column(item->args.items[0])
                          ? item->args.items[0]->token.index
                          : 0;
            return true;
        }
    }
    return false;
}

/* Follows keys from each table marked to those it refers to. */
static void mark_referred(const struct ir_schema *schema, bool *marked)
{
    for (int round = 0; round < schema->key_count; round++) {
        bool more = false;
        for (int i = 0; i < schema->key_count; i++) {
            int from = schema->columns[schema->keys[i].from].table;
            int to = schema->columns[schema->keys[i].to].table;
            more = more || (marked[from] && !marked[to]);
            marked[to] = marked[to] || marked[from];
        }
        if (!more) {
            return;
        }
    }
}

/* A table that is new to the query and has several rows for one of those that are summed
 * up counts them several times. */
static bool counts_twice(const struct followup *followup, const bool *before)
{
    const struct ir_schema *schema = followup->schema;
    int column = 0;
    if (!sums_up(followup->query, &column) || schema->table_count == 0) {
        return false;
    }
    bool *safe = arena_array(followup->arena, (size_t)schema->table_count, sizeof *safe);
    if (column > 0) {
        safe[schema->columns[column].table] = true;
    } else {
        memcpy(safe, before, (size_t)schema->table_count * sizeof *safe);
    }
    mark_referred(schema, safe);
    for (int i = 0; i < schema->table_count; i++) {
        if (!safe[i] && !before[i] && followup_uses_table(followup, i)) {
            return true;
        }
    }
    return false;
}

static bool write_query(struct followup *followup, struct followup_reading *out)
{
    const struct followup_request *request = followup->request;
    struct rebuild_request rebuilding = {
        .schema = followup->schema,
        .values = &followup->values,
        .dialect = request->dialect,
        .question =
            arena_format(followup->arena, "%s %s",
                         request->previous_question ? request->previous_question : "",
                         request->question),
        .today = request->today,
        .headings = request->headings};
    struct rebuild_result result = {0};
    struct err err;
    if (!ir_tree_write(followup->arena, followup->query, &out->tokens, &err) ||
        !ir_check(&out->tokens, followup->schema, followup->values.count, &err) ||
        !rebuild_sql(followup->arena, &rebuilding, &out->tokens, &result, &err) ||
        result.cross_join) {
        return false;
    }
    out->sql = result.sql;
    out->inferred_join = result.inferred_join;
    return true;
}

bool followup_read(struct arena *arena, const struct followup_request *request,
                   struct followup_reading *out)
{
    *out = (struct followup_reading){0};
    if (str_empty(request->previous_sql) || str_empty(request->question)) {
        return false;
    }
    struct followup followup = {.arena = arena,
                                .request = request,
                                .schema = feature_schema_get(request->schema),
                                .confidence = 1.0};
    features_build_reply(arena, request->schema, request->index, request->question,
                         &followup.features);
    size_t count = followup.features.tokens.count;
    if (count == 0 || count > TOKENS_MOST || !followup_read_previous(&followup)) {
        return false;
    }
    struct followup_map map = {
        .far = arena_array(arena, (size_t)followup.schema->table_count + 1, sizeof(int))};
    followup.map = &map;
    followup_text(&followup);
    followup.also = has_sense(&followup, SENSE_ALSO);
    bool *before =
        arena_array(arena, (size_t)followup.schema->table_count + 1, sizeof *before);
    for (int i = 0; i < followup.schema->table_count; i++) {
        before[i] = followup_uses_table(&followup, i);
    }
    if (!followup_apply(&followup)) {
        return false;
    }
    followup.confidence *= counts_twice(&followup, before) ? DOUBTFUL : 1.0;
    out->confidence = followup.confidence * leaning(&followup) *
                      pow(0.45, (double)followup.strange_words);
    out->size = followup.opening < count
                    ? strlen(request->question) -
                          followup.features.tokens.items[followup.opening].start
                    : 0;
    out->certain = followup.certain && !followup.groups && !followup.named_tables;
    return out->confidence > 0 && write_query(&followup, out);
}
