/* Computes the confidence of an answer and its four factors. */
#include "agent/confidence.h"

#include <string.h>

#include "agent/confidence_turn.h"
#include "agent/literals/literals.h"
#include "agent/memory/mapping.h"
#include "agent/run_statement.h"
#include "agent/understand/agreeing.h"
#include "agent/understand/solving.h"
#include "base/str.h"
#include "sql/describe/describe.h"

enum { MOST_NAMED = 4 };

/* Above the default agent.min_confidence: there is a warning, but no clarifying
 * question. */
static const double DOUBTFUL_MOST = 0.6;

static void reason(struct run *run, const char *text)
{
    VEC_PUSH(run->arena, &run->answer.confidence.reasons, text);
}

/* Everything the user said: the question as understood, and the answers. */
static const char *said(struct run *run)
{
    struct texts words = {0};
    VEC_PUSH(run->scratch, &words, run->question.text);
    if (run->answer.rewritten) {
        VEC_PUSH(run->scratch, &words, run->answer.rewritten);
    }
    for (size_t i = 0; i < run->request.details.count; i++) {
        VEC_PUSH(run->scratch, &words, run->request.details.items[i]);
    }
    mapping_names(run, &words); /* a lesson explains which name a word means */
    return str_join(run->scratch, &words, " ");
}

/* Does the question contain the name of this table or column, exactly or nearly? */
static int word_match(const char *question, const char *name)
{
    size_t size = strlen(name);
    if (size < 3) {
        return 0;
    }
    if (str_contains_nocase(question, name)) {
        return 2;
    }
    char stem[64];
    size_t keep =
        size > 4 && (name[size - 1] == 's' || name[size - 1] == 'S') ? size - 1 : size;
    if (keep >= sizeof stem) {
        return 0;
    }
    for (size_t i = 0; i <= keep; i++) {
        stem[i] = i == keep ? '\0' : (char)(name[i] == '_' ? ' ' : name[i]);
    }
    if (str_contains_nocase(question, stem)) {
        return 2;
    }
    stem[keep > 5 ? 5 : keep] = '\0';
    return str_contains_nocase(question, stem) ? 1 : 0;
}

/* Finds the names that the question contains exactly, and the best match of all. */
static int match_table(const struct run *run, const char *text, const struct table *table,
                       struct texts *named)
{
    int best = word_match(text, table->bare_name);
    if (best == 2) {
        VEC_PUSH(run->scratch, named, table->name);
    }
    for (size_t i = 0; i < table->columns.count; i++) {
        const char *name = table->columns.items[i].name;
        int match = word_match(text, name);
        if (match == 2 && named->count < MOST_NAMED) {
            VEC_PUSH(run->scratch, named, name);
        }
        best = match > best ? match : best;
    }
    return best;
}

static double score_match(struct run *run, const struct texts *tables)
{
    const char *text = said(run);
    struct texts named = {0};
    int best = 0;
    for (size_t i = 0; i < tables->count; i++) {
        const struct table *table = schema_table(run_schema(run), tables->items[i]);
        int match = table ? match_table(run, text, table, &named) : 0;
        best = match > best ? match : best;
    }
    if (best == 2) {
        reason(run,
               arena_format(run->arena, "The question names what the query uses: %s.",
                            str_join(run->scratch, &named, ", ")));
        return 0.3;
    }
    reason(run, best == 1 ? "The question nearly names a table or column of the query."
                          : "The question names no table or column of the query.");
    return best == 1 ? 0.15 : 0.0;
}

/* Words that ask for more than reading one table. */
static bool asks_for_more(const char *question)
{
    static const char *const words[] = {
        " per ", " each ",  " by ",      "average",  "total",   "most",
        "least", "top ",    "highest",   "lowest",   "compare", "between",
        "never", "without", " than ",    "share",    "percent", "growth",
        "trend", "ratio",   "number of", "how many", " and ",   " their ",
        "which", "who",     "best",      "worst",    "every"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (str_contains_nocase(question, words[i])) {
            return true;
        }
    }
    return false;
}

static double score_complexity(struct run *run)
{
    struct sql_shape shape;
    describe_shape(run_statement(run, run->answer.sql), &shape);
    bool complex = shape.joins + shape.subqueries + shape.set_operations > 1;
    if (complex && !asks_for_more(run->question.text)) {
        reason(run, "The query is more complex than the question sounds.");
        return 0.1;
    }
    reason(run, "The query is as complex as the question asks for.");
    return 0.2;
}

static bool is_remembered(const struct run *run)
{
    return run->query.hit && !run->request.given_sql;
}

static double score_clarity(struct run *run)
{
    if (is_remembered(run)) {
        reason(run, run->answer.brain == BRAIN_LESSON
                        ? "The SQL for this question was taught."
                        : "The question was answered before.");
        return 0.3;
    }
    static const double scores[] = {0.0, 0.1, 0.3};
    static const char *const words[] = {"The question is very vague.",
                                        "The question leaves open what is wanted.",
                                        "The question is clear."};
    reason(run, words[run->understanding.clarity]);
    return scores[run->understanding.clarity];
}

/*
 * Factors for the probability. No training data tells how often models are right here, so
 * these are round numbers, chosen so that one unused word leads below
 * agent.min_confidence (0.5) and one assumed word does not (decision 0070).
 */
static const double MODEL_TRUST = 0.9; /* of a model's SQL that compiles */
static const double AGREED = 0.97;     /* the parser's best reading gives the same rows */
static const double NEARLY_AGREED = 0.93; /* another of its readings does */
static const double DISAGREED = 0.75;     /* none does */

static const double CORRECTED = 0.8;  /* it had to be corrected */
static const double CONFIRMED = 0.95; /* the user confirmed it after a question */
static const double ADDED =
    0.75; /* the user's answer was added to the words, as a guess */
static const double WORD_LOST =
    0.45; /* says which rows or what thing, and the SQL ignores it */
static const double WORD_LOST_LATER =
    0.6; /* the same if the SQL changes an earlier query, which contains the rest */
static const double WORD_LOST_MORE =
    0.8; /* each further one; they usually have the same cause */
static const double WORD_MISSED = 0.7; /* the SQL ignores a number, period or operation */
static const double WORD_ASSUMED = 0.9; /* assumed to mean a part of the SQL */
static const double TEXT_INVENTED =
    0.6; /* it compares with a text that neither the question nor a cell has */
static const double TEXT_MISSPELT = 0.9; /* a text was assumed to be a typing error */
static const double TEXT_SPELLED_TWICE =
    0.85; /* the column has it in another spelling, too, which may be meant as well */
static const double NO_ROWS = 0.8;
static const double MISSING_NAMES =
    0.1; /* weight of the missing factors for the parser's SQL */

/* Parser and model rarely make the same mistake, so agreement raises the probability. */
static double agreed(struct run *run, double probability)
{
    switch (run->query.agreement) {
    case AGREEMENT_SAME:
    case AGREEMENT_NEAR:
        reason(run, "The built-in parser has a reading of its own that gives the same "
                    "rows.");
        return run->query.agreement == AGREEMENT_SAME ? AGREED : NEARLY_AGREED;
    case AGREEMENT_NONE:
        reason(run, "The built-in parser's reading finds nothing, either.");
        return probability;
    case AGREEMENT_OTHER:
        reason(run, "The built-in parser's reading gives other rows.");
        return probability < DISAGREED ? probability : DISAGREED;
    default:
        return probability;
    }
}

/* A follow-up that the parser understood as a change of the previous SQL. */
static bool is_change(const struct run *run)
{
    return run->answer.brain == BRAIN_PARSER && run->request.history.count &&
           run->answer.rewritten && !run->request.meant_word;
}

/* The probability that the SQL is right, before its words are considered. */
static double probability_of(struct run *run)
{
    if (is_remembered(run)) {
        double recalled = run->memory.recalled;
        return recalled < 0 ? MODEL_TRUST : recalled < CONFIRMED ? recalled : CONFIRMED;
    }
    bool parser = run->answer.brain == BRAIN_PARSER;
    double probability = parser ? run->answer.parser_probability : MODEL_TRUST;
    double sure = run->understanding.sql_confidence;
    if (!parser && sure >= 0 && sure < probability) {
        reason(run, "The model is not sure of its SQL.");
        probability = sure;
    }
    if (is_change(run)) {
        reason(run, "The question was read as a change of the one before.");
        probability = confidence_of_change(run, probability);
    }
    probability = agreed(run, probability);
    if (run->query.first_failed_sql) {
        reason(run, "The SQL had to be corrected.");
        probability *= CORRECTED;
    }
    if (run->request.confirmed && probability < CONFIRMED) {
        probability = CONFIRMED;
    }
    const char *detail = solving_detail(run);
    if (parser && detail && !run->request.confirmed &&
        !str_equal(solving_text(run), detail)) {
        reason(run, "The answer to the clarifying question was none of its options.");
        probability *= ADDED;
    }
    return probability;
}

static double words_left(struct run *run)
{
    const struct answer *answer = &run->answer;
    double left = 1;
    if (is_remembered(run)) {
        return left; /* they were considered when it was first answered */
    }
    double lost_factor = is_change(run) ? WORD_LOST_LATER : WORD_LOST;
    for (size_t i = 0; i < answer->unplaced.count; i++) {
        const char *role = answer->unplaced.items[i].role;
        bool lost = str_equal(role, "subject") || str_equal(role, "restriction") ||
                    str_equal(role, "name");
        left *= lost ? lost_factor : WORD_MISSED;
        lost_factor = lost ? WORD_LOST_MORE : lost_factor;
        reason(run, arena_format(run->arena, "The SQL does not account for '%s'.",
                                 answer->unplaced.items[i].word));
    }
    for (int i = 0; i < answer->words_assumed; i++) {
        left *= WORD_ASSUMED;
    }
    if (run->query.invented) {
        reason(run, "The SQL compares with a text that no cell has.");
        left *= TEXT_INVENTED;
    }
    if (run->query.spelled_twice) {
        reason(run, "The column also has a text of the SQL in another spelling.");
        left *= TEXT_SPELLED_TWICE;
    }
    return run->query.misspelt ? left * TEXT_MISSPELT : left;
}

/* The parser's probability was fitted on questions with and without names of the schema,
 * so the factors change it only a little. */
static bool fitted(const struct run *run)
{
    return run->answer.brain == BRAIN_PARSER && !run->query.doubtful &&
           run->understanding.clarity == CLARITY_CLEAR;
}

/* The factors can only lower the probability. */
static void cap(struct run *run)
{
    struct confidence *confidence = &run->answer.confidence;
    double probability = probability_of(run) * words_left(run);
    double sum = confidence->score;
    if (fitted(run)) {
        probability *= 1 - MISSING_NAMES * (1 - sum);
        confidence->score = 1;
    }
    if (probability < confidence->score) {
        confidence->score = probability;
        reason(run,
               arena_format(run->arena, "The SQL is right with a probability of %.0f %%.",
                            probability * 100));
    }
}

void confidence_compare(struct run *run)
{
    agreeing_check(run);
    if (run->query.agreement != AGREEMENT_UNKNOWN && run->answer.confidence.known) {
        confidence_score(run);
    }
}

void confidence_no_rows(struct run *run)
{
    struct confidence *confidence = &run->answer.confidence;
    run->memory.sure = confidence->known ? confidence->score : -1;
    if (confidence->known && literals_found_nothing(&run->answer)) {
        confidence->score *= NO_ROWS;
        reason(run, "The query found nothing.");
    }
}

static void sum_up(struct run *run)
{
    struct confidence *confidence = &run->answer.confidence;
    confidence->score = confidence->schema_match + confidence->complexity +
                        confidence->clarity + confidence->validity;
    if (run->understanding.clarity != CLARITY_CLEAR && !is_remembered(run) &&
        run->options->agent_ask_when_vague && confidence->score > 0.4) {
        confidence->score = 0.4; /* a vague question is not made clear by good SQL */
    }
}

void confidence_score(struct run *run)
{
    struct confidence *confidence = &run->answer.confidence;
    *confidence = (struct confidence){.known = true};
    confidence->schema_match = score_match(run, &run->answer.tables);
    confidence->complexity = score_complexity(run);
    confidence->clarity = score_clarity(run);
    confidence->validity = 0.2; /* it compiled, or we would not be here */
    reason(run, "The database accepts the SQL.");
    sum_up(run);
    if (run->query.doubtful && confidence->score > DOUBTFUL_MOST) {
        confidence->score = DOUBTFUL_MOST;
        reason(run, "Some figures may count rows twice or leave rows out: see the "
                    "warnings.");
    }
    cap(run);
}

void confidence_expect(struct run *run, const struct table *subject)
{
    struct confidence *confidence = &run->answer.confidence;
    struct texts tables = {0};
    *confidence = (struct confidence){.known = true};
    if (subject) {
        VEC_PUSH(run->scratch, &tables, subject->name);
    }
    for (size_t i = 0; !subject && i < run->understanding.tables.count; i++) {
        VEC_PUSH(run->scratch, &tables, run->understanding.tables.items[i].table->name);
    }
    confidence->schema_match = score_match(run, &tables);
    confidence->complexity = 0.2;
    reason(run, "Nothing complex is asked for.");
    confidence->clarity = score_clarity(run);
    reason(run, "No SQL was checked yet.");
    sum_up(run);
}
