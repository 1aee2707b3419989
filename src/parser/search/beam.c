/* Beam search over the query language. */
#include "parser/search/beam.h"

#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "base/vec.h"
#include "parser/ir/ir_grammar.h"

enum { WIDTH_MOST = 32, STEPS_MOST = 120 };

static const double LEFT_LEAST = 0.999; /* what barred columns may take at most */

struct hypothesis {
    double score;
    size_t count;
    int outputs[STEPS_MOST];
    struct ir_state state;
    bool done;
    size_t prefix; /* its number in the decoder, while it is open */
};

/* One way to go on. */
struct extension {
    double score;
    size_t from;
    int output; /* -1: a finished one stays as it is */
};

struct search {
    const struct network *network;
    const struct beam_layout *layout;
    size_t outputs; /* keywords and literals */
    size_t width;
    struct hypothesis *now;
    size_t count; /* of them */
    struct hypothesis *next;
    struct extension best[WIDTH_MOST];
    size_t best_count;
};

static bool output_token(const struct search *search, int output, struct ir_token *token)
{
    const struct beam_layout *layout = search->layout;
    size_t at = (size_t)output;
    size_t keywords = network_keywords(search->network);
    if (at < keywords) {
        *token = (struct ir_token){IR_KEYWORD, output};
        return true;
    }
    if (at < search->outputs) {
        *token = (struct ir_token){IR_FIXED, output - (int)keywords};
        return true;
    }
    at -= search->outputs;
    if (at < layout->questions) {
        return false;
    }
    at -= layout->questions;
    if (at < layout->values) {
        *token = (struct ir_token){IR_VALUE, (int)at};
        return true;
    }
    at -= layout->values;
    if (at < layout->tables) {
        *token = (struct ir_token){IR_TABLE, (int)at};
        return true;
    }
    at -= layout->tables;
    *token = (struct ir_token){IR_COLUMN, (int)at};
    return at < layout->columns;
}

/* Keeps the best `width`, best first; later ones of equal score stand behind. */
static void offer(struct search *search, struct extension extension)
{
    size_t at = search->best_count;
    if (at == search->width) {
        if (extension.score <= search->best[at - 1].score) {
            return;
        }
        at--;
    } else {
        search->best_count++;
    }
    while (at && search->best[at - 1].score < extension.score) {
        search->best[at] = search->best[at - 1];
        at--;
    }
    search->best[at] = extension;
}

/* Would it show a column that has the same value in every row? */
static bool is_hidden(const struct search *search, const struct ir_state *state,
                      struct ir_token token)
{
    return search->layout->hidden && token.kind == IR_COLUMN &&
           search->layout->hidden[token.index] && ir_state_at_item(state);
}

/* The logarithm of what is left for the columns that may be used, and all other words. */
static double log_left(const struct search *search, const float *logs)
{
    const struct beam_layout *layout = search->layout;
    const float *columns =
        logs + search->outputs + layout->questions + layout->values + layout->tables;
    double barred = 0;
    for (size_t i = 0; layout->barred && i < layout->columns; i++) {
        barred += layout->barred[i] ? exp((double)columns[i]) : 0;
    }
    return log(barred < LEFT_LEAST ? 1 - barred : 1 - LEFT_LEAST);
}

static bool is_barred(const struct search *search, struct ir_token token)
{
    return search->layout->barred && token.kind == IR_COLUMN &&
           search->layout->barred[token.index];
}

static void offer_all(struct search *search, size_t index, const float *logs, size_t row)
{
    const struct hypothesis *hypothesis = &search->now[index];
    double before =
        hypothesis->score - (search->layout->barred ? log_left(search, logs) : 0);
    struct ir_set allowed;
    ir_state_allowed(&hypothesis->state, &allowed);
    for (size_t output = 0; output < row; output++) {
        double score = before + (double)logs[output];
        if (search->best_count == search->width &&
            score <= search->best[search->width - 1].score) {
            continue;
        }
        struct ir_token token;
        if (output_token(search, (int)output, &token) &&
            ir_set_has(&allowed, ir_class_of(token)) && !is_barred(search, token) &&
            !is_hidden(search, &hypothesis->state, token)) {
            offer(search, (struct extension){score, index, (int)output});
        }
    }
}

/* One hypothesis of the next generation, after what it takes over. */
static void extend(const struct search *search, struct hypothesis *made, int output)
{
    struct ir_token token = {IR_KEYWORD, IR_END};
    (void)output_token(search, output, &token);
    (void)ir_state_take(&made->state, token);
    made->done = ir_state_done(&made->state);
    if (!made->done && made->count < STEPS_MOST) {
        made->outputs[made->count++] = output;
    } else if (!made->done) {
        made->score = -1e9; /* too long to be meant */
        made->done = true;
    }
}

/* Makes the next generation, and what the decoder is to be fed: open ones only. The
 * number of those; none: the search is over. */
static size_t advance(struct search *search, int *tokens, size_t *from)
{
    size_t open = 0;
    for (size_t i = 0; i < search->best_count; i++) {
        const struct extension *extension = &search->best[i];
        struct hypothesis *made = &search->next[i];
        *made = search->now[extension->from];
        made->score = extension->score;
        if (extension->output >= 0) {
            extend(search, made, extension->output);
        }
        if (!made->done) {
            tokens[open] = extension->output;
            from[open] = made->prefix;
            made->prefix = open++;
        }
    }
    search->count = search->best_count;
    struct hypothesis *swap = search->now;
    search->now = search->next;
    search->next = swap;
    return open;
}

static void collect(const struct search *search, struct arena *arena,
                    struct beam_candidates *out)
{
    for (size_t i = 0; i < search->count; i++) {
        const struct hypothesis *hypothesis = &search->now[i];
        if (!hypothesis->done || hypothesis->score < -1e8) {
            continue;
        }
        struct beam_candidate *candidate = VEC_ADD(arena, out);
        candidate->log_probability = hypothesis->score;
        for (size_t t = 0; t < hypothesis->count; t++) {
            struct ir_token token;
            if (output_token(search, hypothesis->outputs[t], &token)) {
                VEC_PUSH(arena, &candidate->tokens, token);
            }
        }
    }
}

void beam_search(const struct network *network, const struct network_memory *memory,
                 const struct beam_layout *layout, size_t width, struct arena *arena,
                 struct beam_candidates *out)
{
    struct arena *scratch = arena_new();
    struct search *search = ARENA_NEW(scratch, struct search);
    search->network = network;
    search->layout = layout;
    search->outputs = network_outputs(network);
    search->width = width < WIDTH_MOST ? width : WIDTH_MOST;
    search->now = arena_array(scratch, search->width, sizeof *search->now);
    search->next = arena_array(scratch, search->width, sizeof *search->next);
    ir_state_init(&search->now[0].state);
    struct network_decoder *decoder =
        network_decoder_new(network, scratch, memory, search->width, STEPS_MOST);
    size_t row = network_row(decoder);
    float *logs = arena_array(scratch, search->width * row, sizeof *logs);
    int tokens[WIDTH_MOST] = {IR_BEGIN};
    size_t from[WIDTH_MOST] = {0};
    size_t open = 1;
    search->count = 1;
    while (open && network_decode(decoder, tokens, from, open, logs)) {
        search->best_count = 0;
        for (size_t i = 0; i < search->count; i++) {
            const struct hypothesis *hypothesis = &search->now[i];
            if (hypothesis->done) {
                offer(search, (struct extension){hypothesis->score, i, -1});
            } else {
                offer_all(search, i, logs + hypothesis->prefix * row, row);
            }
        }
        open = advance(search, tokens, from);
    }
    collect(search, arena, out);
    arena_free(scratch);
}
