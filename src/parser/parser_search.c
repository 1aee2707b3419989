/* From features to candidates: the network and the beam. */
#include <string.h>

#include "base/arena.h"
#include "parser/ir_schema.h"
#include "parser/parser_state.h"
#include "parser/vary.h"

enum { WIDTH = 6 };

static void fill_item(const struct network *network, const struct feature_item *from,
                      struct network_item *item)
{
    item->type = from->type;
    item->pointable = from->type != FEATURE_QUESTION;
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

void work_search(struct work *work, struct beam_candidates *out)
{
    const struct features *features = &work->features;
    struct network *network = work->parser->network;
    struct network_input input =
        network_input_of(work->scratch, network, work->prepared->features, features);
    struct network_memory *memory = network_encode(network, work->scratch, &input);
    struct beam_layout layout = {features->tokens.count, features->values.count,
                                 features->selection.table_count,
                                 features->selection.column_count};
    size_t width = work->request->width ? work->request->width : WIDTH;
    beam_search(network, memory, &layout, width, work->scratch, out);
    for (size_t i = 0; i < out->count; i++) {
        whole_schema(features, &out->items[i].tokens);
    }
    settle_candidates(work->prepared->ir, work->request->question, out);
    vary_candidates(work->scratch, work->prepared->ir, out);
}
