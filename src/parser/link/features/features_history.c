/* What was said before a question, as items of the network's input. */
#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"
#include "base/vec.h"
#include "parser/from_sql/sql_to_ir.h"
#include "parser/ir/ir_schema.h"
#include "parser/link/features/features_state.h"
#include "parser/link/linker.h"

enum {
    SAID_MOST = 64,    /* tokens of the query before; further ones are left out */
    EARLIER_MOST = 32, /* words of the question before */
    OLDER_MOST = 20,
    ROWS_ADDED = 1000, /* a larger LIMIT was added by us */
};

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* The column that a literal is compared with: the last one before it. */
static void note_columns(struct arena *arena, struct features *out)
{
    int column = 0;
    for (size_t i = 0; i < out->before.count; i++) {
        struct ir_token token = out->before.items[i];
        column = token.kind == IR_COLUMN ? token.index : column;
        if (token.kind != IR_VALUE || column == 0) {
            continue;
        }
        struct candidate *value = &out->values.items[token.index];
        if (value->kind == CANDIDATE_BEFORE && value->value.is_text &&
            value->column_count == 0) {
            value->columns = ARENA_NEW(arena, int);
            value->columns[0] = column;
            value->column_count = value->column_capacity = 1;
        }
    }
}

static bool is_added_limit(const struct features *features,
                           const struct ir_tokens *tokens)
{
    int64_t rows = 0;
    size_t count = tokens->count;
    if (count < 3 || !ir_is(tokens->items[count - 2], IR_LIMIT)) {
        return false;
    }
    struct ir_token last = tokens->items[count - 1];
    const struct ir_value *limit = last.kind == IR_FIXED ? ir_fixed_get(last.index)
                                   : last.kind == IR_VALUE
                                       ? &features->values.items[last.index].value
                                       : NULL;
    return limit && str_to_int(limit->text, &rows) && rows >= ROWS_ADDED;
}

void features_read_before(struct arena *arena, const struct feature_schema *schema,
                          const struct feature_history *history, struct features *out)
{
    size_t known = out->values.count;
    struct values_before before = {arena, &out->values, 0};
    struct sql_to_ir_result result = {0};
    struct err err;
    err_clear(&err);
    const struct sql_to_ir_request request = {
        .schema = schema->schema,
        .dialect = history->dialect,
        .question = history->question,
        .today = history->today,
        .find_value = values_token_before,
        .context = &before,
    };
    if (str_empty(history->sql) ||
        !sql_to_ir(arena, &request, history->sql, &result, &err)) {
        out->values.count = known; /* what was added has no place in any query */
        return;
    }
    out->before = result.tokens;
    note_columns(arena, out);
    if (is_added_limit(out, &out->before)) {
        out->before.count -= 2;
    }
}

size_t features_history_count(const struct features *features,
                              const struct feature_said *said)
{
    size_t earlier = least(said->earlier.count, EARLIER_MOST);
    size_t older = least(said->older.count, OLDER_MOST);
    size_t before = least(features->before.count, SAID_MOST);
    return before + 1 + earlier + (older ? older + 1 : 0);
}

/* The item that a token points at; NULL: it points at none that was selected. */
static const struct feature_item *pointed(const struct features *features,
                                          struct ir_token token, size_t *place)
{
    size_t tables = features->tokens.count + features->values.count;
    int at = token.kind == IR_VALUE    ? token.index
             : token.kind == IR_TABLE  ? features_table_at(features, token.index)
             : token.kind == IR_COLUMN ? features_column_at(features, token.index)
                                       : -1;
    if (at < 0) {
        return NULL;
    }
    *place = (size_t)at + (token.kind == IR_VALUE ? features->tokens.count
                           : token.kind == IR_TABLE
                               ? tables
                               : tables + features->selection.table_count);
    return &features->items[*place];
}

static void said_item(struct arena *arena, struct features *out, struct ir_token token,
                      size_t at)
{
    struct feature_item *item = &out->items[at];
    size_t place = 0;
    const struct feature_item *of = pointed(out, token, &place);
    if (of) {
        *item = *of;
        features_relate(arena, out, at, place, RELATION_SAID_IS, RELATION_IS_SAID);
    } else if (token.kind == IR_KEYWORD) {
        feature_item_add(arena, item,
                         arena_format(arena, "@%s", ir_keyword_text(token.index)));
    } else {
        const struct ir_value *fixed =
            token.kind == IR_FIXED ? ir_fixed_get(token.index) : NULL;
        feature_item_add(arena, item, fixed && *fixed->text ? fixed->text : "@unknown");
    }
    item->type = FEATURE_SAID;
}

static size_t word_items(struct arena *arena, const struct feature_schema *schema,
                         const struct tokens *tokens, size_t most, int type, size_t at,
                         struct features *out)
{
    size_t count = least(tokens->count, most);
    struct tokens part = *tokens;
    part.count = count;
    for (size_t i = 0; i < count; i++) {
        struct feature_item *item = &out->items[at + i];
        const char *text = tokens->items[i].text;
        feature_item_add(arena, item, *text ? text : "_");
        item->type = (uint8_t)type;
    }
    if (count) {
        uint8_t *codes = linker_link(schema->linker, arena, &part, &out->selection);
        features_relate_words(arena, out, codes, at, count);
    }
    return at + count;
}

void features_history_items(struct arena *arena, const struct feature_schema *schema,
                            const struct feature_said *said, struct features *out)
{
    size_t at = out->count - out->history;
    size_t before = least(out->before.count, SAID_MOST);
    for (size_t i = 0; i < before; i++) {
        said_item(arena, out, out->before.items[i], at++);
    }
    feature_item_add(arena, &out->items[at], "@said");
    out->items[at++].type = FEATURE_EARLIER;
    at =
        word_items(arena, schema, &said->earlier, EARLIER_MOST, FEATURE_EARLIER, at, out);
    if (said->older.count) {
        feature_item_add(arena, &out->items[at], "@older");
        out->items[at++].type = FEATURE_OLDER;
        (void)word_items(arena, schema, &said->older, OLDER_MOST, FEATURE_OLDER, at, out);
    }
}
