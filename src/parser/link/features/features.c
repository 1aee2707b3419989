/* Everything the network reads, put together. */
#include "parser/link/features/features.h"

#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "base/utf8.h"
#include "base/vec.h"
#include "knowledge/prefilter/prefilter.h"
#include "parser/link/features/features_state.h"
#include "parser/ir/ir_schema.h"
#include "parser/link/linker.h"
#include "parser/words/manners.h"
#include "parser/words/spelling.h"
#include "parser/words/periods/periods.h"
#include "parser/words/times.h"
#include "parser/words/wordings.h"

enum { WORD_MOST = 96 };

/* The CRC-32 that everybody has; a few bytes at a time, so no table. */
static uint32_t crc32_of(const char *data, size_t size)
{
    uint32_t crc = 0xFFFFFFFF;
    for (size_t i = 0; i < size; i++) {
        crc ^= (unsigned char)data[i];
        for (int bit = 0; bit < 8; bit++) {
            crc = crc & 1 ? crc >> 1 ^ 0xEDB88320 : crc >> 1;
        }
    }
    return ~crc;
}

void feature_word_set(struct feature_word *word, const char *text)
{
    char framed[WORD_MOST + 3];
    size_t starts[WORD_MOST + 3];
    size_t size = utf8_cut(text, strlen(text), WORD_MOST);
    size_t characters = 0;
    framed[0] = '<';
    memcpy(framed + 1, text, size);
    framed[size + 1] = '>';
    for (size_t at = 0; at < size + 2;) {
        uint32_t code = 0;
        starts[characters++] = at;
        at += utf8_next(framed + at, size + 2 - at, &code);
    }
    starts[characters] = size + 2;
    word->text = text;
    word->trigram_count = 0;
    for (size_t i = 0; i + 3 <= characters && i < FEATURE_TRIGRAMS; i++) {
        uint32_t crc = crc32_of(framed + starts[i], starts[i + 3] - starts[i]);
        word->trigrams[word->trigram_count++] =
            (uint16_t)(crc % (FEATURE_TRIGRAM_ROWS - 1) + 1);
    }
}

const char *feature_type_text(int type)
{
    static const char *const texts[FEATURE_TYPES] = {
        "question",
        "text value",
        "number value",
        "table",
        "text column",
        "number column",
        "time column",
        "boolean column",
        "other column",
        "star",
        "padding",
        "text column with gaps",
        "number column with gaps",
        "time column with gaps",
        "query before",
        "question before",
        "older question",
    };
    return type >= 0 && type < FEATURE_TYPES ? texts[type] : "";
}

void feature_item_add(struct arena *arena, struct feature_item *item, const char *text)
{
    if (item->word_count < FEATURE_WORDS && *text) {
        struct feature_word *word = ARENA_NEW(arena, struct feature_word);
        feature_word_set(word, text);
        item->words[item->word_count++] = word;
    }
}

static void item_add_all(struct arena *arena, struct feature_item *item,
                         const struct texts *words)
{
    for (size_t i = 0; i < words->count; i++) {
        feature_item_add(arena, item, words->items[i]);
    }
}

static void select_all(struct arena *arena, const struct ir_schema *schema,
                       struct selection *out)
{
    int *tables = arena_array(arena, (size_t)schema->table_count, sizeof *tables);
    int *columns = arena_array(arena, (size_t)schema->column_count, sizeof *columns);
    for (int i = 0; i < schema->table_count; i++) {
        tables[i] = i;
    }
    for (int i = 0; i < schema->column_count; i++) {
        columns[i] = i;
    }
    *out = (struct selection){tables, (size_t)schema->table_count, columns,
                              (size_t)schema->column_count};
}

static uint8_t column_type(const struct ir_column *column)
{
    int first = column->gaps && column->type <= IR_TYPE_TIME ? (int)FEATURE_TEXT_GAPS
                                                             : (int)FEATURE_TEXT_COLUMN;
    return (uint8_t)(column->table < 0 ? (int)FEATURE_STAR
                     : column->flag    ? (int)FEATURE_BOOLEAN_COLUMN
                                       : first + (int)column->type);
}

static void free_ranking(void *object)
{
    prefilter_index_free(object);
}

struct feature_schema *feature_schema_new(struct arena *arena,
                                          const struct ir_schema *schema)
{
    struct feature_schema *out = ARENA_NEW(arena, struct feature_schema);
    size_t tables = (size_t)schema->table_count;
    size_t count = tables + (size_t)schema->column_count;
    out->schema = schema;
    out->linker = linker_new(arena, schema);
    out->items = arena_array(arena, count, sizeof *out->items);
    for (size_t i = 0; i < count; i++) {
        const struct ir_column *column = i < tables ? NULL : &schema->columns[i - tables];
        item_add_all(arena, &out->items[i], linker_item_words(out->linker, i));
        out->items[i].type = column ? column_type(column) : (uint8_t)FEATURE_TABLE;
    }
    select_all(arena, schema, &out->whole);
    size_t views = 0;
    for (size_t i = 0; i < tables; i++) {
        views += schema->tables[i].source->is_view;
    }
    out->has_views = views && views < tables;
    if (count > FEATURE_SCHEMA_WHOLE) {
        out->ranking = prefilter_index_new(schema->source);
        arena_defer(arena, free_ranking, out->ranking);
    }
    return out;
}

const struct ir_schema *feature_schema_get(const struct feature_schema *schema)
{
    return schema->schema;
}

const struct lexicon *feature_schema_lexicon(const struct feature_schema *schema)
{
    return linker_lexicon(schema->linker);
}

const struct linker *feature_schema_linker(const struct feature_schema *schema)
{
    return schema->linker;
}

static void value_item(struct arena *arena, const struct features *features,
                       const struct candidate *candidate, struct feature_item *item)
{
    const char *word = values_kind_word(candidate->kind);
    item->type = candidate->value.is_text ? FEATURE_TEXT_VALUE : FEATURE_NUMBER_VALUE;
    if (word) {
        feature_item_add(arena, item, word);
    }
    for (size_t i = candidate->first; i < candidate->end; i++) {
        feature_item_add(arena, item, features->tokens.items[i].text);
    }
    if (candidate->kind == CANDIDATE_BEFORE) {
        struct tokens own;
        tokens_split(arena, candidate->value.text, &own);
        for (size_t i = 0; i < own.count; i++) {
            feature_item_add(arena, item, own.items[i].text);
        }
    }
}

static void make_items(struct arena *arena, const struct feature_schema *schema,
                       const struct feature_said *said, struct features *out)
{
    const struct selection *selection = &out->selection;
    size_t questions = out->tokens.count;
    size_t at = 0;
    out->history = said ? features_history_count(out, said) : 0;
    out->count = questions + out->values.count + selection->table_count +
                 selection->column_count + out->history;
    out->items = arena_array(arena, out->count, sizeof *out->items);
    for (size_t i = 0; i < questions; i++) {
        const char *text = out->tokens.items[i].text;
        feature_item_add(arena, &out->items[at++], *text ? text : "_");
    }
    for (size_t i = 0; i < out->values.count; i++) {
        value_item(arena, out, &out->values.items[i], &out->items[at++]);
    }
    for (size_t i = 0; i < selection->table_count; i++) {
        out->items[at++] = schema->items[selection->tables[i]];
    }
    for (size_t i = 0; i < selection->column_count; i++) {
        size_t column = (size_t)schema->schema->table_count;
        out->items[at++] = schema->items[column + (size_t)selection->columns[i]];
    }
}

void features_relate(struct arena *arena, struct features *out, size_t row, size_t column,
                     enum relation there, enum relation back)
{
    VEC_PUSH(
        arena, &out->relations,
        ((struct feature_relation){(uint16_t)row, (uint16_t)column, (uint8_t)there}));
    VEC_PUSH(arena, &out->relations,
             ((struct feature_relation){(uint16_t)column, (uint16_t)row, (uint8_t)back}));
}

enum { CODE_CELL = LINK_CODES }; /* a word that is covered by a cell's value */

static void relate_values(struct arena *arena, struct features *out, uint8_t *codes)
{
    const struct selection *selection = &out->selection;
    size_t stride = selection->table_count + selection->column_count;
    size_t questions = out->tokens.count;
    for (size_t i = 0; i < out->values.count; i++) {
        const struct candidate *value = &out->values.items[i];
        size_t row = questions + i;
        bool near = value->kind != CANDIDATE_CELL && value->kind != CANDIDATE_BEFORE;
        VEC_PUSH(
            arena, &out->relations,
            ((struct feature_relation){(uint16_t)row, (uint16_t)row, RELATION_SELF}));
        for (size_t j = value->first; j < value->end; j++) {
            features_relate(arena, out, j, row, RELATION_WORD_OF_VALUE,
                            RELATION_VALUE_OF_WORD);
        }
        for (size_t j = 0; j < value->column_count; j++) {
            int at = features_column_at(out, value->columns[j]);
            if (at < 0) {
                continue;
            }
            size_t item = selection->table_count + (size_t)at;
            features_relate(arena, out, row, questions + out->values.count + item,
                            near ? RELATION_VALUE_IS_NEAR : RELATION_VALUE_IS_CELL,
                            near ? RELATION_NEAR_IS_VALUE : RELATION_CELL_IS_VALUE);
            for (size_t k = value->first; k < value->end; k++) {
                uint8_t *code = &codes[k * stride + item];
                *code = *code == LINK_NONE ? CODE_CELL : *code;
            }
        }
    }
}

void features_relate_words(struct arena *arena, struct features *out,
                           const uint8_t *codes, size_t from, size_t count)
{
    size_t tables = out->selection.table_count;
    size_t stride = tables + out->selection.column_count;
    size_t first = out->tokens.count + out->values.count;
    for (size_t i = 0; i < count; i++) {
        for (size_t j = 0; j < stride; j++) {
            int code = codes[i * stride + j];
            if (code == CODE_CELL) {
                features_relate(arena, out, from + i, first + j, RELATION_WORD_IS_CELL,
                                RELATION_CELL_IS_WORD);
            } else if (code != LINK_NONE) {
                int step = code - LINK_EXACT;
                bool table = j < tables;
                features_relate(
                    arena, out, from + i, first + j,
                    (enum relation)((table ? RELATION_QT_EXACT : RELATION_QC_EXACT) +
                                    step),
                    (enum relation)((table ? RELATION_TQ_EXACT : RELATION_CQ_EXACT) +
                                    step));
            }
        }
    }
}

/* The text with odd wordings written out, and its tokens. */
static const char *write_out(struct arena *arena, const struct feature_schema *schema,
                             const struct value_index *index, const char *text,
                             struct tokens *tokens)
{
    const char *plain = wordings_write_out(arena, tokens);
    if (plain) {
        tokens_split(arena, plain, tokens);
        text = plain;
    }
    plain = times_write_out(arena, tokens);
    if (plain) {
        tokens_split(arena, plain, tokens);
        text = plain;
    }
    const struct periods_request periods = {
        .tokens = tokens, .words = linker_words(schema->linker), .index = index};
    plain = periods_write_out(arena, &periods);
    if (plain) {
        tokens_split(arena, plain, tokens);
    }
    return plain ? plain : text;
}

/* Without what carries no meaning, and with odd wordings written out; `tokens` are those
 * of the question, and then of the text that is returned. */
static const char *plain_text(struct arena *arena, const struct feature_schema *schema,
                              const struct value_index *index, const char *question,
                              struct tokens *tokens)
{
    const char *plain = manners_drop(arena, tokens);
    question = plain ? plain : question;
    if (plain) {
        tokens_split(arena, question, tokens);
    }
    return write_out(arena, schema, index, question, tokens);
}

/* The words of a text that was split, typing errors mended; returns the text they are of. */
static const char *mend_words(struct arena *arena, const struct feature_schema *schema,
                              const struct value_index *index, const char *text,
                              struct tokens *out)
{
    const struct spelling_request spelling = {
        .tokens = out,
        .lexicon = linker_lexicon(schema->linker),
        .words = linker_words(schema->linker),
        .index = index,
    };
    const char *mended = spelling_mend(arena, &spelling);
    if (mended) {
        tokens_split(arena, mended, out);
    }
    return mended ? mended : text;
}

void features_words(struct arena *arena, const struct feature_schema *schema,
                    const struct value_index *index, const char *question,
                    const struct tokens *words, struct tokens *out)
{
    *out = *words;
    const char *plain = plain_text(arena, schema, index, question, out);
    (void)mend_words(arena, schema, index, plain, out);
}

void features_values(struct arena *arena, const struct feature_schema *schema,
                     const struct value_index *index, const struct tokens *words,
                     struct candidates *out)
{
    const struct values_request request = {
        .tokens = words,
        .schema = schema->schema,
        .index = index,
        .lexicon = linker_lexicon(schema->linker),
        .words = linker_words(schema->linker),
    };
    values_find(arena, &request, out);
}

/* The questions before, as they were read then. */
static void read_said(struct arena *arena, const struct feature_history *history,
                      struct feature_said *said)
{
    *said = (struct feature_said){0};
    tokens_split(arena, history->question, &said->earlier);
    if (history->older) {
        tokens_split(arena, history->older, &said->older);
    }
}

static void build(struct arena *arena, const struct feature_schema *schema,
                  const struct value_index *index, const struct feature_history *history,
                  const char *question, const struct tokens *words, struct features *out)
{
    struct feature_said said;
    *out = (struct features){.selection = schema->whole, .tokens = *words};
    question = mend_words(arena, schema, index, question, &out->tokens);
    features_values(arena, schema, index, &out->tokens, &out->values);
    if (history) {
        read_said(arena, history, &said);
        features_read_before(arena, schema, history, out);
    }
    if (schema->ranking) {
        features_select(arena, schema, question, out);
    }
    if (schema->has_views) {
        features_leave_views(arena, schema, out);
    }
    make_items(arena, schema, history ? &said : NULL, out);
    uint8_t *codes = linker_link(schema->linker, arena, &out->tokens, &out->selection);
    relate_values(arena, out, codes);
    features_relate_words(arena, out, codes, 0, out->tokens.count);
    if (history) {
        features_history_items(arena, schema, &said, out);
    }
}

void features_build(struct arena *arena, const struct feature_schema *schema,
                    const struct value_index *index, const char *question,
                    struct features *out)
{
    struct tokens words;
    tokens_split(arena, question, &words);
    features_build_after(arena, schema, index, NULL, question, &words, out);
}

void features_build_reply(struct arena *arena, const struct feature_schema *schema,
                          const struct value_index *index, const char *question,
                          struct features *out)
{
    struct tokens words;
    tokens_split(arena, question, &words);
    build(arena, schema, index, NULL, question, &words, out);
}

void features_build_after(struct arena *arena, const struct feature_schema *schema,
                          const struct value_index *index,
                          const struct feature_history *history, const char *question,
                          const struct tokens *words, struct features *out)
{
    struct tokens plain = *words;
    if (!history || str_empty(history->question)) {
        question = plain_text(arena, schema, index, question, &plain);
        build(arena, schema, index, NULL, question, &plain, out);
        return;
    }
    question = write_out(arena, schema, index, question, &plain);
    build(arena, schema, index, history, question, &plain, out);
}

static int position_of(const int *numbers, size_t count, int number)
{
    size_t low = 0;
    size_t high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (numbers[middle] < number) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < count && numbers[low] == number ? (int)low : -1;
}

int features_table_at(const struct features *features, int table)
{
    return position_of(features->selection.tables, features->selection.table_count,
                       table);
}

int features_column_at(const struct features *features, int column)
{
    return position_of(features->selection.columns, features->selection.column_count,
                       column);
}
