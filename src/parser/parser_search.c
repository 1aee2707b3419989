/* From features to candidates: the network and the beam. */
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "parser/ir/ir_schema.h"
#include "parser/link/linker.h"
#include "parser/parser_state.h"
#include "parser/search/drop.h"
#include "parser/search/kept.h"
#include "parser/search/vary.h"

enum { WIDTH = 6 };

static void fill_item(const struct network *network, const struct feature_item *from,
                      struct network_item *item)
{
    item->type = from->type;
    item->pointable = from->type != FEATURE_QUESTION && from->type < FEATURE_SAID;
    item->word_count = from->word_count;
    for (size_t i = 0; i < from->word_count; i++) {
        const struct feature_word *word = from->words[i];
        item->words[i].row = network_word_row(network, word->text);
        item->words[i].trigram_count = word->trigram_count;
        memcpy(item->words[i].trigrams, word->trigrams, sizeof item->words[i].trigrams);
    }
}

/* The selection's numbers back into those of the whole schema. */
static void whole_schema(const struct features *features, struct ir_tokens *tokens)
{
    for (size_t i = 0; i < tokens->count; i++) {
        struct ir_token *token = &tokens->items[i];
        if (token->kind == IR_TABLE) {
            token->index = features->selection.tables[token->index];
        } else if (token->kind == IR_COLUMN) {
            token->index = features->selection.columns[token->index];
        }
    }
}

struct network_input network_input_of(struct arena *arena, const struct network *network,
                                      const struct feature_schema *schema,
                                      const struct features *features)
{
    struct network_item *items = arena_array(arena, features->count, sizeof *items);
    uint8_t *relations = arena_array(arena, features->count * features->count, 1);
    for (size_t i = 0; i < features->count; i++) {
        fill_item(network, &features->items[i], &items[i]);
    }
    features_matrix(features, schema, relations);
    return (struct network_input){items, features->count, relations};
}

/* Columns with the same value in every row, which no word of the question names: they
 * are not worth showing. NULL: there are none. */
static const bool *hidden_columns(struct work *work)
{
    const struct features *features = &work->features;
    const struct selection *selection = &features->selection;
    size_t first =
        features->tokens.count + features->values.count + selection->table_count;
    bool *hidden = NULL;
    for (size_t i = 1; i < selection->column_count; i++) {
        if (work->prepared->ir->columns[selection->columns[i]].constant) {
            hidden = hidden ? hidden
                            : arena_array(work->scratch, selection->column_count,
                                          sizeof *hidden);
            hidden[i] = true;
        }
    }
    for (size_t i = 0; hidden && i < features->relations.count; i++) {
        const struct feature_relation *relation = &features->relations.items[i];
        enum link_code code = link_of_relation(relation->code);
        bool named = code != LINK_NONE && code <= LINK_PARTIAL;
        if (named && relation->column >= first &&
            relation->column < first + selection->column_count) {
            hidden[relation->column - first] = false;
        }
    }
    return hidden;
}

void work_search(struct work *work, struct beam_candidates *out)
{
    const struct features *features = &work->features;
    const struct network *network = work->network;
    struct network_input input =
        network_input_of(work->scratch, network, work->prepared->features, features);
    work->memory = network_encode(network, work->scratch, &input);
    struct beam_layout layout = {features->tokens.count,
                                 features->values.count,
                                 features->selection.table_count,
                                 features->selection.column_count,
                                 hidden_columns(work),
                                 work_barred(work)};
    size_t width = work->request->width  ? work->request->width
                   : work->choice->width ? work->choice->width
                                         : WIDTH;
    beam_search(network, work->memory, &layout, width, work->scratch, out);
    for (size_t i = 0; i < out->count; i++) {
        whole_schema(features, &out->items[i].tokens);
        kept_tests(work->scratch, &features->before, &features->values,
                   &out->items[i].tokens);
    }
    settle_candidates(work->scratch, work->prepared->ir, work->request->question,
                      &work->words, &work->values, out);
    if (str_empty(
            work->request->previous_question)) { /* "only in Rome" may go on counting */
        drop_counts(&work->words, out);
    }
    vary_candidates(work->scratch, work->prepared->ir, out);
}

/* The output that stands for a token; -1 where it is not in the input. */
static int output_of(const struct work *work, struct ir_token token)
{
    const struct features *features = &work->features;
    int first = (int)network_outputs(work->network) + (int)features->tokens.count;
    int tables = first + (int)features->values.count;
    int columns = tables + (int)features->selection.table_count;
    int keywords = (int)network_keywords(work->network);
    int place = -1;
    switch (token.kind) {
    case IR_KEYWORD:
        return token.index < keywords ? token.index : -1;
    case IR_FIXED: /* newer literals than the weights know are nowhere */
        place = keywords + token.index;
        return place < (int)network_outputs(work->network) ? place : -1;
    case IR_VALUE:
        return first + token.index;
    case IR_TABLE:
        place = features_table_at(features, token.index);
        return place < 0 ? -1 : tables + place;
    default:
        place = features_column_at(features, token.index);
        return place < 0 ? -1 : columns + place;
    }
}

void work_verify(struct work *work, struct trial *trials, size_t count)
{
    struct network_verified *all = arena_array(work->scratch, count, sizeof *all);
    size_t asked = 0;
    for (size_t i = 0; i < count; i++) {
        if (!trials[i].candidate.judgement) {
            continue;
        }
        const struct ir_tokens *tokens = &trials[i].from->tokens;
        int *outputs = arena_array(work->scratch, tokens->count, sizeof *outputs);
        for (size_t k = 0; k < tokens->count; k++) {
            outputs[k] = output_of(work, tokens->items[k]);
        }
        trials[i].candidate.outputs = outputs;
        trials[i].candidate.output_count = tokens->count;
        all[asked++] = (struct network_verified){outputs, tokens->count,
                                                 trials[i].judgement.numbers, 0, 0};
    }
    if (!network_verify(work->network, work->memory, all, asked)) {
        return;
    }
    for (size_t i = 0, next = 0; i < count; i++) {
        if (trials[i].candidate.judgement) {
            trials[i].judgement.numbers[JUDGE_VERIFIED] = all[next].chosen;
            trials[i].judgement.numbers[JUDGE_BELIEVED] = all[next++].right;
        }
    }
}
