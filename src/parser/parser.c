/* The built-in brain: features, network, beam, rebuilding, and choosing among what came
 * out. */
#include "parser/parser.h"

#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/memory.h"
#include "base/str.h"
#include "parser/followup/followup.h"
#include "parser/ir/ir_grammar.h"
#include "parser/ir/ir_schema.h"
#include "parser/parser_state.h"
#include "parser/search/scope.h"
#include "parser/words/days.h"
#include "sql/describe/describe.h"

enum { RUN_STEPS = 2500000 }; /* for running all candidates, about 0.1 s */

/* How sure to be of a reading of what cannot be said. */
static const double BEYOND = 0.05;

static const double FOLLOWED_LEAST = 0.5; /* less, and the question stands on its own */
static const double EMPTY_TRUST = 0.6;    /* of a follow-up that finds nothing */
/* With weights that read conversations: rules answer alone what is this short, if they are
 * this sure (held-out dialogues lose 2 of 600, everyday ones gain 5 of 52); they are trusted
 * so far. What they say of the rest only counts for more. */
static const double RULED_LEAST = 0.9;
static const double RULED_MOST = 0.85;
static const double RULED = 2.0;
static const double KEPT_NEAR =
    2.5; /* in the score of readings: about 12 times as likely */
static const double FULLER_NEAR =
    8; /* in the score: the same result, said with more words */
static const double REPEATED_TRUST = 0.5;  /* of one that changes nothing */
static const double UNDEFINED_TRUST = 0.5; /* of one that passes over the dictionary */
static const double LOST_TRUST = 0.6;      /* of a change that loses a condition */
enum { RULED_BYTES = 20 };

static const char *fixed_text(int index)
{
    const struct ir_value *value = ir_fixed_get(index);
    return value ? value->text : "";
}

static const struct network_names names = {
    ir_keyword_text, IR_KEYWORD_COUNT, fixed_text,  IR_FIXED_COUNT,    relation_text,
    RELATION_COUNT,  judge_text,       JUDGE_COUNT, IR_KEYWORDS_FIRST, RELATIONS_ALONE,
};

static struct parser *parser_new(struct network *network, struct err *err)
{
    struct choice choice;
    struct choice talk;
    if (!network || !choice_read(network_header(network), "judge", &choice, err) ||
        !choice_read(network_header(network), "judge_talk", &talk, err)) {
        network_close(network);
        return NULL;
    }
    struct parser *parser = memory_alloc(sizeof *parser);
    parser->network = network;
    parser->choice = choice;
    parser->talk_choice = talk;
    parser->schemas = parser_schemas_new();
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

void parser_share(struct parser *parser, struct parser_schemas *schemas)
{
    parser_schemas_free(parser->schemas);
    parser->schemas = schemas;
    parser->shares = true;
}

void parser_close(struct parser *parser)
{
    if (parser) {
        if (!parser->shares) {
            parser_schemas_free(parser->schemas);
        }
        for (size_t i = 0; i < ROOMS_MOST; i++) {
            arena_free(parser->rooms[i]);
        }
        (void)pthread_mutex_destroy(&parser->lock);
        network_close(parser->network);
        memory_free(parser);
    }
}

/* The number of cells that the question names and a candidate compares with. */
static size_t cells_in(const struct work *work, const struct trial *trial)
{
    const struct ir_tokens *tokens = &trial->tokens;
    size_t count = 0;
    for (size_t i = 0; i < tokens->count; i++) {
        bool known =
            tokens->items[i].kind != IR_VALUE ||
            (size_t)tokens->items[i].index >= work->features.values.count ||
            work->features.values.items[tokens->items[i].index].kind > CANDIDATE_NEAR;
        for (size_t k = 0; k < i && !known; k++) {
            known = tokens->items[k].kind == IR_VALUE &&
                    tokens->items[k].index == tokens->items[i].index;
        }
        count += !known;
    }
    return count;
}

static bool asks_for_first(const struct trial *trial)
{
    const struct ir_tokens *tokens = &trial->tokens;
    return tokens->count && ir_is(tokens->items[tokens->count - 1], IR_LIMIT1);
}

/* Says the reading more of the question than one with the same result? Only for the first of an order:
 * a manager of six, all of them technicians, also has the most people. Elsewhere a condition
 * would also drop rows that are kept and told later, such as those without a technician. */
static bool is_fuller(const struct work *work, const struct trial *trials,
                      const struct parser_reading *reading,
                      const struct parser_reading *known)
{
    const struct trial *more = &trials[reading->rank];
    const struct trial *less = &trials[known->rank];
    return asks_for_first(more) && asks_for_first(less) &&
           reading->score > known->score - FULLER_NEAR &&
           cells_in(work, more) > cells_in(work, less);
}

/* Readings with the same result are one: the better SQL with both their weight. */
static bool merge(const struct work *work, const struct trial *trials,
                  struct parser_answer *out, const struct parser_reading *reading)
{
    for (size_t i = 0; i < out->count; i++) {
        struct parser_reading *known = &out->items[i];
        bool same = reading->outcome.ok ? known->outcome.result == reading->outcome.result
                                        : str_equal(known->sql, reading->sql);
        if (same) {
            double sum = exp(known->score) + exp(reading->score);
            bool fuller = is_fuller(work, trials, reading, known);
            double all = log(exp(known->log_probability) + exp(reading->log_probability));
            if (fuller) {
                *known = *reading;
            }
            known->score = log(sum);
            known->log_probability = all;
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
    return choice_trust(work->choice, &trials[first->rank].judgement, 1 / all,
                        second / all);
}

/* The question before, changed: what a follow-up asks for. */
static struct followup_request following(const struct work *work)
{
    const struct parser_request *request = work->request;
    return (struct followup_request){.schema = work->prepared->features,
                                     .index = request->index,
                                     .dialect = request->dialect,
                                     .today = request->today,
                                     .previous_question = request->previous_question,
                                     .previous_sql = request->previous_sql,
                                     .question = request->question,
                                     .headings = request->headings};
}

static bool follow(struct work *work, struct parser_answer *out, bool *clear)
{
    const struct parser_request *request = work->request;
    struct followup_request asked = following(work);
    struct followup_reading found;
    struct parser_reading reading = {0};
    if (!followup_read(work->scratch, &asked, &found) ||
        found.confidence < FOLLOWED_LEAST ||
        metrics_in(&work->prepared->metrics, &found.tokens)) {
        return false;
    }
    *clear = found.certain || found.size <= RULED_BYTES;
    reading.sql = arena_text(work->arena, found.sql);
    if (!work_run(work, reading.sql, &found.tokens, &reading.outcome)) {
        return false;
    }
    reading.log_probability = log(found.confidence);
    reading.inferred_join = found.inferred_join;
    reading.words = describe_sql_text(work->arena, request->dialect, reading.sql);
    work_tables(work, &found.tokens, &reading.tables);
    VEC_PUSH(work->arena, out, reading);
    out->probability = found.confidence * (reading.outcome.empty ? EMPTY_TRUST : 1.0);
    out->follow_up = true;
    return true;
}

/* A candidate as a value, with the words it stands for where they differ. */
static struct ir_value value_of(const struct work *work, size_t index)
{
    const struct candidate *from = &work->features.values.items[index];
    const struct tokens *tokens = &work->features.tokens;
    struct ir_value value = from->value;
    if ((from->kind == CANDIDATE_NEAR || from->kind == CANDIDATE_ALIAS) &&
        from->first < from->end) {
        uint32_t start = tokens->items[from->first].start;
        value.said = arena_copy(work->scratch, tokens->text + start,
                                tokens->items[from->end - 1].end - start);
    }
    return value;
}

/* What a dictionary's metrics bring into a query: their values, and their names. */
static void take_metrics(struct work *work)
{
    const struct parser_metrics *metrics = &work->prepared->metrics;
    for (size_t i = 0; i < metrics->values.count; i++) {
        VEC_PUSH(work->scratch, &work->values, metrics->values.items[i]);
    }
    metrics_names(work->scratch, work->prepared->ir, metrics, work->features.values.count,
                  &work->names);
}

/* Weights that know conversations read what was said before with the question. */
static bool reads_history(const struct work *work)
{
    return network_for_talk(work->parser->network) &&
           !str_empty(work->request->previous_question);
}

static void choose_network(struct work *work)
{
    bool later = reads_history(work);
    work->network =
        later ? network_for_talk(work->parser->network) : work->parser->network;
    work->choice = later ? &work->parser->talk_choice : &work->parser->choice;
}

static void read_question(struct work *work)
{
    const struct parser_request *request = work->request;
    const struct feature_history history = {.question = request->previous_question,
                                            .sql = request->previous_sql,
                                            .older = request->older_question,
                                            .dialect = request->dialect,
                                            .today = request->today};
    features_build_after(work->scratch, work->prepared->features, request->index,
                         reads_history(work) ? &history : NULL, request->question,
                         &work->words, &work->features);
}

/* Does a reading take up what was said before: a value of the query then, or a table that
 * no word of the question names? */
static bool leans_back(const struct work *work, const struct trial *trial)
{
    const struct ir_tokens *tokens = &trial->from->tokens;
    if (!reads_history(work)) {
        return false;
    }
    for (size_t i = 0; i < tokens->count; i++) {
        struct ir_token token = tokens->items[i];
        if (token.kind == IR_VALUE && (size_t)token.index < work->features.values.count &&
            work->features.values.items[token.index].kind == CANDIDATE_BEFORE) {
            return true;
        }
    }
    return trial->judgement.numbers[JUDGE_UNLINKED_TABLES] > 0;
}

/* "Who of them": it is said to be about what was found before. */
static bool points_back(const char *question)
{
    return str_contains_nocase(question, " of them") ||
           str_contains_nocase(question, " of those") ||
           str_contains_nocase(question, " of these");
}

/* Conditions of the query before must not get lost in a change of it: of readings that are
 * nearly as likely, one that has them all comes first. */
static void keep_conditions(struct work *work, const struct trial *trials,
                            struct parser_answer *out)
{
    struct followup_request asked = following(work);
    struct ir_query *before = followup_before(work->scratch, &asked);
    if (!before || !out->count ||
        (!leans_back(work, &trials[out->items[0].rank]) &&
         !points_back(work->request->question))) {
        return;
    }
    size_t best = 0;
    struct texts least = {0};
    for (size_t i = 0; i < out->count; i++) {
        struct texts lost;
        bool near = out->items[0].score - out->items[i].score < KEPT_NEAR;
        followup_lost(work->scratch, work->prepared->ir, before,
                      &trials[out->items[i].rank].from->tokens, work->values.count,
                      &lost);
        if (i == 0 || (lost.count < least.count && near)) {
            least = lost;
            best = i;
        }
    }
    struct parser_reading kept = out->items[best];
    memmove(out->items + 1, out->items, best * sizeof kept);
    out->items[0] = kept;
    for (size_t i = 0; i < least.count; i++) {
        VEC_PUSH(work->arena, &out->lost, arena_text(work->arena, least.items[i]));
    }
}

/* The query before once more: what was added to it got lost. */
static bool repeats(const struct work *work, const struct parser_answer *out)
{
    const char *before = work->request->previous_sql;
    return out->follow_up && before &&
           !str_equal_nocase(work->request->question, work->request->previous_question) &&
           str_equal_nocase(str_squeeze(work->scratch, out->items[0].sql),
                            str_squeeze(work->scratch, before));
}

/* Does the rules' reading stand, without the network? */
static bool is_for_rules(const struct work *work, struct parser_answer *ruled, bool clear)
{
    if (!reads_history(work)) {
        return true;
    }
    bool stands = ruled->probability >= RULED_LEAST && clear;
    ruled->probability =
        ruled->probability < RULED_MOST ? ruled->probability : RULED_MOST;
    return stands;
}

/* What a rule says as well counts for more: rules know few ways to go on, and those well. */
static void prefer(struct parser_answer *out, const struct parser_reading *ruled)
{
    for (size_t i = 0; i < out->count; i++) {
        struct parser_reading *reading = &out->items[i];
        bool same = ruled->outcome.ok ? reading->outcome.result == ruled->outcome.result
                                      : str_equal(reading->sql, ruled->sql);
        if (same) {
            reading->score += RULED;
            return;
        }
    }
}

/* The number of keywords that the network has learnt. Those that train/widen.py added
 * to a file exist, but are not trained yet for first turns. */
static size_t words_learnt(const struct work *work)
{
    const json_t *widened =
        json_array_at(network_header(work->parser->network), "widened");
    const char *first = json_string_value(json_array_get(widened, 0));
    int keyword = 0;
    bool waits = work->network == work->parser->network && first &&
                 ir_keyword_find(first, &keyword);
    return waits ? (size_t)keyword : network_keywords(work->network);
}

/* A median is read as an average unless the weights know better. */
static void take_statistic(struct work *work, struct parser_request *plain)
{
    const char *question =
        statistic_as_average(work->scratch, work->prepared->ir, &work->words,
                             words_learnt(work), &work->statistic);
    if (question) {
        plain->question = question;
        work->request = plain;
        tokens_split(work->scratch, question, &work->words);
    }
}

/* "Tomorrow" is read as today, and in a later turn as its date. */
static void take_day(struct work *work, struct parser_request *plain)
{
    tokens_split(work->scratch, plain->question, &work->words);
    const char *question = str_empty(plain->previous_sql)
                               ? days_as_today(work->scratch, &work->words, &work->days)
                               : days_as_date(work->scratch, &work->words, plain->today);
    if (question) {
        plain->question = question;
        work->request = plain;
    }
}

/* The values of the question, then those of metrics, then the number of a percentile. */
static void take_values(struct work *work)
{
    for (size_t i = 0; i < work->features.values.count; i++) {
        VEC_PUSH(work->scratch, &work->values, value_of(work, i));
    }
    take_metrics(work);
    if (work->statistic.percent) {
        VEC_PUSH(work->scratch, &work->values,
                 ((struct ir_value){work->statistic.percent, false, NULL}));
    }
}

bool parser_answer(struct parser *parser, struct arena *arena,
                   const struct parser_request *request, struct parser_answer *out,
                   struct err *err)
{
    struct prepared *prepared = prepared_get(parser->schemas, request->schema);
    struct work work = {.parser = parser,
                        .arena = arena,
                        .scratch = room_take(parser),
                        .request = request,
                        .prepared = prepared,
                        .steps = RUN_STEPS};
    *out = (struct parser_answer){0};
    struct parser_answer ruled = {0};
    struct parser_request plain = *request;
    bool clear = false;
    take_day(&work, &plain);
    bool by_rule = follow(&work, &ruled, &clear);
    if (by_rule && is_for_rules(&work, &ruled, clear)) {
        *out = ruled;
        room_give(parser, work.scratch);
        prepared_put(parser->schemas, prepared);
        return true;
    }
    choose_network(&work);
    tokens_split(work.scratch, work.request->question, &work.words);
    take_statistic(&work, &plain);
    read_question(&work);
    take_values(&work);
    work_cells(&work, out);
    struct beam_candidates candidates = {0};
    if (work.features.tokens.count) {
        work_search(&work, &candidates);
    }
    const struct trial *trials = work_try(&work, &candidates);
    for (size_t i = 0; i < candidates.count; i++) {
        struct parser_reading reading;
        if (trials[i].candidate.judgement) {
            work_read(&work, &trials[i], &reading);
            if (!merge(&work, trials, out, &reading)) {
                VEC_PUSH(arena, out, reading);
            }
        }
    }
    if (by_rule) {
        prefer(out, &ruled.items[0]);
    }
    sort_readings(out);
    keep_conditions(&work, trials, out);
    work_prefer_defined(&work, trials, out);
    out->probability = out->count ? trust_first(&work, trials, out) : 0;
    out->probability *= out->lost.count ? LOST_TRUST : 1.0;
    out->probability *= out->undefined ? UNDEFINED_TRUST : 1.0;
    out->follow_up = out->count && leans_back(&work, &trials[out->items[0].rank]);
    out->probability *= repeats(&work, out) ? REPEATED_TRUST : 1.0;
    out->beyond =
        scope_beyond(arena, &work.features, feature_schema_lexicon(prepared->features),
                     words_learnt(&work));
    if (out->beyond && out->probability > BEYOND) {
        out->probability = BEYOND;
    }
    room_give(parser, work.scratch);
    prepared_put(parser->schemas, prepared);
    if (out->count == 0) {
        return err_set(err, ERR_CANNOT_ANSWER,
                       "The built-in parser could not understand the question.");
    }
    return true;
}
