/* The built-in brain: features, network, beam, rebuilding, and choosing among what came
 * out. */
#include "parser/parser.h"

#include <math.h>
#include <pthread.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/str.h"
#include "model/rows.h"
#include "model/schema.h"
#include "parser/beam.h"
#include "parser/choice.h"
#include "parser/features.h"
#include "parser/followup.h"
#include "parser/ir_grammar.h"
#include "parser/ir_schema.h"
#include "parser/judge.h"
#include "parser/network.h"
#include "parser/rebuild.h"
#include "parser/scope.h"
#include "parser/vary.h"
#include "sql/describe.h"

enum {
    PREPARED_MOST = 16,
    WIDTH = 6,
    RUN_MS = 90, /* for running all candidates */
};

/* How sure to be of a reading of what cannot be said. */
static const double BEYOND = 0.05;

static const double FOLLOWED_LEAST = 0.5; /* less, and the question stands on its own */
static const double EMPTY_TRUST = 0.6;    /* of a follow-up that finds nothing */

/* A schema as the parser sees it, made once. */
struct prepared {
    struct schema *schema; /* a reference */
    struct arena *arena;
    const struct ir_schema *ir;
    const struct feature_schema *features;
    int users;
    uint64_t used; /* when last, for throwing out */
};

struct parser {
    struct network *network;
    struct choice choice;
    pthread_mutex_t lock; /* guards the prepared schemas */
    struct prepared *prepared[PREPARED_MOST];
    uint64_t turn;
};

static const char *fixed_text(int index)
{
    const struct ir_value *value = ir_fixed_get(index);
    return value ? value->text : "";
}

static uint64_t cell_hash(const struct value *value)
{
    struct buf buf;
    buf_init(&buf, 1 << 20);
    value_print(&buf, value);
    uint64_t hash = hash_of(buf_get(&buf), buf.size) + (uint64_t)value->kind % 2;
    buf_release(&buf);
    return hash;
}

static bool says_nothing(const struct rows *rows)
{
    if (rows->count != 1 || rows->column_count != 1) {
        return rows->count == 0;
    }
    const struct value *value = rows_cell(rows, 0, 0);
    return value->kind == VALUE_NULL || (value->kind == VALUE_INT && value->integer == 0);
}

void parser_outcome_of(const struct rows *rows, const char *sql,
                       struct parser_outcome *out)
{
    bool ordered = str_contains_nocase(sql, "order by");
    uint64_t total = rows->column_count;
    out->rows = rows->count;
    out->columns = rows->column_count;
    for (size_t row = 0; row < rows->count; row++) {
        uint64_t line = 1469598103934665603U;
        for (size_t column = 0; column < rows->column_count; column++) {
            line = (line ^ cell_hash(rows_cell(rows, row, column))) * 1099511628211U;
        }
        total = ordered ? (total ^ line) * 1099511628211U : total + line * line;
    }
    out->result = total ^ rows->count;
    out->empty = says_nothing(rows);
}

static const struct network_names names = {
    ir_keyword_text, IR_KEYWORD_COUNT, fixed_text,
    IR_FIXED_COUNT,  relation_text,    RELATION_COUNT,
};

static struct parser *parser_new(struct network *network, struct err *err)
{
    struct choice choice;
    if (!network || !choice_read(network_header(network), &choice, err)) {
        network_close(network);
        return NULL;
    }
    struct parser *parser = memory_alloc(sizeof *parser);
    parser->network = network;
    parser->choice = choice;
    (void)pthread_mutex_init(&parser->lock, NULL);
    return parser;
}

struct parser *parser_open(const char *path, struct err *err)
{
    return parser_new(network_open(path, &names, err), err);
}

struct parser *parser_of(const void *data, size_t size, struct err *err)
{
    return parser_new(network_of(data, size, &names, err), err);
}

static void prepared_free(struct prepared *prepared)
{
    if (prepared) {
        arena_free(prepared->arena);
        schema_unref(prepared->schema);
        memory_free(prepared);
    }
}

void parser_close(struct parser *parser)
{
    if (parser) {
        for (size_t i = 0; i < PREPARED_MOST; i++) {
            prepared_free(parser->prepared[i]);
        }
        (void)pthread_mutex_destroy(&parser->lock);
        network_close(parser->network);
        memory_free(parser);
    }
}

static struct prepared *prepare(struct schema *schema)
{
    struct prepared *prepared = memory_alloc(sizeof *prepared);
    prepared->schema = schema_ref(schema);
    prepared->arena = arena_new();
    prepared->ir = ir_schema_new(prepared->arena, schema);
    prepared->features = feature_schema_new(prepared->arena, prepared->ir);
    return prepared;
}

/* The slot to fill: an empty one, else the one unused for longest; NULL: all in use. */
static struct prepared **free_slot(struct parser *parser)
{
    struct prepared **oldest = NULL;
    for (size_t i = 0; i < PREPARED_MOST; i++) {
        struct prepared **slot = &parser->prepared[i];
        if (!*slot) {
            return slot;
        }
        if ((*slot)->users == 0 && (!oldest || (*slot)->used < (*oldest)->used)) {
            oldest = slot;
        }
    }
    return oldest;
}

/* Borrowed until prepared_put. With the lock held a schema is prepared once; that takes
 * milliseconds, and only the first question of a schema waits for it. */
static struct prepared *prepared_get(struct parser *parser, struct schema *schema)
{
    (void)pthread_mutex_lock(&parser->lock);
    struct prepared *found = NULL;
    for (size_t i = 0; i < PREPARED_MOST && !found; i++) {
        if (parser->prepared[i] && parser->prepared[i]->schema == schema) {
            found = parser->prepared[i];
        }
    }
    if (!found) {
        struct prepared **slot = free_slot(parser);
        found = prepare(schema);
        if (slot) {
            prepared_free(*slot);
            *slot = found;
        } else {
            found->used = UINT64_MAX; /* belongs to this question alone */
        }
    }
    found->users++;
    if (found->used != UINT64_MAX) {
        found->used = ++parser->turn;
    }
    (void)pthread_mutex_unlock(&parser->lock);
    return found;
}

static void prepared_put(struct parser *parser, struct prepared *prepared)
{
    (void)pthread_mutex_lock(&parser->lock);
    prepared->users--;
    bool own = prepared->used == UINT64_MAX;
    (void)pthread_mutex_unlock(&parser->lock);
    if (own) {
        prepared_free(prepared);
    }
}

/* One question on its way through the parser. */
struct work {
    struct parser *parser;
    struct arena *arena;   /* the caller's: what comes out */
    struct arena *scratch; /* everything else */
    const struct parser_request *request;
    const struct prepared *prepared;
    struct features features;
    struct ir_values values;
    int64_t run_us; /* that running candidates took so far */
};

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

static void search(struct work *work, struct beam_candidates *out)
{
    const struct features *features = &work->features;
    struct network *network = work->parser->network;
    struct network_item *items =
        arena_array(work->scratch, features->count, sizeof *items);
    uint8_t *relations = arena_array(work->scratch, features->count * features->count, 1);
    for (size_t i = 0; i < features->count; i++) {
        fill_item(network, &features->items[i], &items[i]);
    }
    features_matrix(features, work->prepared->features, relations);
    struct network_input input = {items, features->count, relations};
    struct network_memory *memory = network_encode(network, work->scratch, &input);
    struct beam_layout layout = {features->tokens.count, features->values.count,
                                 features->selection.table_count,
                                 features->selection.column_count};
    size_t width = work->request->width ? work->request->width : WIDTH;
    beam_search(network, memory, &layout, width, work->scratch, out);
    for (size_t i = 0; i < out->count; i++) {
        whole_schema(features, &out->items[i].tokens);
    }
    vary_candidates(work->scratch, work->prepared->ir, out);
}

static void note_tables(struct work *work, const struct ir_tokens *tokens,
                        struct texts *out)
{
    const struct ir_schema *schema = work->prepared->ir;
    for (size_t i = 0; i < tokens->count; i++) {
        const struct ir_token *token = &tokens->items[i];
        int table = token->kind == IR_TABLE ? token->index
                    : token->kind == IR_COLUMN && token->index > 0
                        ? schema->columns[token->index].table
                        : -1;
        bool known = table < 0;
        for (size_t k = 0; !known && k < out->count; k++) {
            known = str_equal(out->items[k], schema->tables[table].source->name);
        }
        if (!known) {
            VEC_PUSH(work->arena, out,
                     arena_text(work->arena, schema->tables[table].source->name));
        }
    }
}

/* A candidate of the beam on its way to a reading. */
struct trial {
    const struct beam_candidate *from;
    struct parser_candidate candidate;
    struct rebuild_result result;
    struct judgement judgement;
};

/* Runs one as long as there is time left for all; false when it fails. Choosing must not
 * cost more than the answer: what would take longer is judged by its words alone. */
static bool run_sql(struct work *work, const char *sql, struct parser_outcome *outcome)
{
    if (!work->request->run) {
        return true;
    }
    outcome->limit_ms = RUN_MS - work->run_us / 1000;
    if (outcome->limit_ms <= 0) {
        outcome->late = true;
        return true;
    }
    int64_t from = clock_us();
    work->request->run(work->request->context, sql, outcome);
    work->run_us += clock_us() - from;
    return outcome->ok || outcome->late;
}

static struct rebuild_request rebuild_of(const struct work *work)
{
    return (struct rebuild_request){.schema = work->prepared->ir,
                                    .values = &work->values,
                                    .dialect = work->request->dialect,
                                    .question = work->request->question,
                                    .today = work->request->today};
}

/* False when it makes no query or does not run. */
static bool try_candidate(struct work *work, struct trial *trial)
{
    struct rebuild_request request = rebuild_of(work);
    struct err err;
    struct parser_candidate *candidate = &trial->candidate;
    candidate->log_probability = trial->from->log_probability;
    if (!ir_check(&trial->from->tokens, work->prepared->ir, work->values.count, &err) ||
        !rebuild_sql(work->scratch, &request, &trial->from->tokens, &trial->result,
                     &err)) {
        return false;
    }
    candidate->sql = trial->result.sql;
    return run_sql(work, candidate->sql, &candidate->outcome);
}

static void judge_trial(struct work *work, struct trial *trials, size_t index)
{
    struct trial *trial = &trials[index];
    struct judge_request request = {.schema = work->prepared->ir,
                                    .features = &work->features,
                                    .tokens = &trial->from->tokens,
                                    .result = &trial->result,
                                    .outcome = &trial->candidate.outcome,
                                    .rank = index,
                                    .log_probability = trial->from->log_probability,
                                    .best_log_probability =
                                        trials[0].from->log_probability};
    judge_candidate(work->scratch, &request, &trial->judgement);
    trial->candidate.judgement = &trial->judgement;
}

static bool same_result(const struct parser_candidate *a,
                        const struct parser_candidate *b)
{
    return a->judgement && b->judgement &&
           (a->outcome.ok ? b->outcome.ok && a->outcome.result == b->outcome.result
                          : str_equal(a->sql, b->sql));
}

/* Runs and judges all candidates, and tells which of them say the same. */
static struct trial *try_all(struct work *work, const struct beam_candidates *candidates)
{
    size_t count = candidates->count;
    struct trial *trials = arena_array(work->scratch, count, sizeof *trials);
    struct judgement **judgements = arena_array(work->scratch, count, sizeof *judgements);
    size_t *groups = arena_array(work->scratch, count, sizeof *groups);
    for (size_t i = 0; i < count; i++) {
        trials[i].from = &candidates->items[i];
        if (try_candidate(work, &trials[i])) {
            judge_trial(work, trials, i);
            judgements[i] = &trials[i].judgement;
        }
        size_t first = 0;
        while (first < i &&
               !same_result(&trials[first].candidate, &trials[i].candidate)) {
            first++;
        }
        groups[i] = first;
        trials[i].candidate.group = first;
    }
    judge_groups(judgements, groups, count);
    for (size_t i = 0; i < count && work->request->note; i++) {
        work->request->note(work->request->context, &trials[i].candidate);
    }
    return trials;
}

static void read_trial(struct work *work, const struct trial *trial,
                       struct parser_reading *reading)
{
    *reading = (struct parser_reading){
        .sql = arena_text(work->arena, trial->result.sql),
        .log_probability = trial->from->log_probability,
        .score = choice_score(&work->parser->choice, &trial->judgement),
        .rank = (size_t)trial->judgement.numbers[JUDGE_RANK],
        .outcome = trial->candidate.outcome,
        .inferred_join = trial->result.inferred_join};
    struct rebuild_request request = rebuild_of(work);
    struct err err;
    if (!rebuild_words(work->arena, &request, &trial->from->tokens, &reading->words,
                       &err)) {
        reading->words = describe_sql(work->arena, work->request->dialect, reading->sql);
    }
    note_tables(work, &trial->from->tokens, &reading->tables);
}

/* Readings with the same result are one: the better SQL with both their weight. */
static bool merge(struct parser_answer *out, const struct parser_reading *reading)
{
    for (size_t i = 0; i < out->count; i++) {
        struct parser_reading *known = &out->items[i];
        bool same = reading->outcome.ok ? known->outcome.result == reading->outcome.result
                                        : str_equal(known->sql, reading->sql);
        if (same) {
            double sum = exp(known->score) + exp(reading->score);
            known->score = log(sum);
            known->log_probability =
                log(exp(known->log_probability) + exp(reading->log_probability));
            return true;
        }
    }
    return false;
}

static void sort_readings(struct parser_answer *out)
{
    for (size_t i = 1; i < out->count; i++) {
        struct parser_reading reading = out->items[i];
        size_t at = i;
        for (; at && out->items[at - 1].score < reading.score; at--) {
            out->items[at] = out->items[at - 1];
        }
        out->items[at] = reading;
    }
}

/* How sure the first reading is: by its own numbers, and by what the others weigh. */
static double trust_first(const struct work *work, const struct trial *trials,
                          const struct parser_answer *answer)
{
    const struct parser_reading *first = &answer->items[0];
    double all = 0;
    for (size_t i = 0; i < answer->count; i++) {
        all += exp(answer->items[i].score - first->score);
    }
    double second = answer->count > 1 ? exp(answer->items[1].score - first->score) : 0;
    return choice_trust(&work->parser->choice, &trials[first->rank].judgement, 1 / all,
                        second / all);
}

/* The question before, changed: what a follow-up asks for. */
static bool follow(struct work *work, struct parser_answer *out)
{
    const struct parser_request *request = work->request;
    struct followup_request asked = {.schema = work->prepared->features,
                                     .index = request->index,
                                     .dialect = request->dialect,
                                     .today = request->today,
                                     .previous_question = request->previous_question,
                                     .previous_sql = request->previous_sql,
                                     .question = request->question};
    struct followup_reading found;
    struct parser_reading reading = {0};
    if (!followup_read(work->scratch, &asked, &found) ||
        found.confidence < FOLLOWED_LEAST) {
        return false;
    }
    reading.sql = arena_text(work->arena, found.sql);
    if (!run_sql(work, reading.sql, &reading.outcome)) {
        return false;
    }
    reading.log_probability = log(found.confidence);
    reading.inferred_join = found.inferred_join;
    reading.words = describe_sql(work->arena, request->dialect, reading.sql);
    note_tables(work, &found.tokens, &reading.tables);
    VEC_PUSH(work->arena, out, reading);
    out->probability = found.confidence * (reading.outcome.empty ? EMPTY_TRUST : 1.0);
    out->follow_up = true;
    return true;
}

bool parser_answer(struct parser *parser, struct arena *arena,
                   const struct parser_request *request, struct parser_answer *out,
                   struct err *err)
{
    struct prepared *prepared = prepared_get(parser, request->schema);
    struct work work = {.parser = parser,
                        .arena = arena,
                        .scratch = arena_new(),
                        .request = request,
                        .prepared = prepared};
    *out = (struct parser_answer){0};
    if (follow(&work, out)) {
        arena_free(work.scratch);
        prepared_put(parser, prepared);
        return true;
    }
    features_build(work.scratch, prepared->features, request->index, request->question,
                   &work.features);
    for (size_t i = 0; i < work.features.values.count; i++) {
        VEC_PUSH(work.scratch, &work.values, work.features.values.items[i].value);
    }
    struct beam_candidates candidates = {0};
    if (work.features.tokens.count) {
        search(&work, &candidates);
    }
    const struct trial *trials = try_all(&work, &candidates);
    for (size_t i = 0; i < candidates.count; i++) {
        struct parser_reading reading;
        if (trials[i].candidate.judgement) {
            read_trial(&work, &trials[i], &reading);
            if (!merge(out, &reading)) {
                VEC_PUSH(arena, out, reading);
            }
        }
    }
    sort_readings(out);
    out->probability = out->count ? trust_first(&work, trials, out) : 0;
    out->beyond =
        scope_beyond(arena, &work.features, feature_schema_lexicon(prepared->features));
    if (out->beyond && out->probability > BEYOND) {
        out->probability = BEYOND;
    }
    arena_free(work.scratch);
    prepared_put(parser, prepared);
    if (out->count == 0) {
        return err_set(err, ERR_CANNOT_ANSWER,
                       "The built-in parser found no way to read the question.");
    }
    return true;
}
