/* SCORE_CONFIDENCE (S0): four factors, once the SQL exists and has been checked. */
#include <string.h>

#include "agent/stages/stages.h"
#include "base/str.h"
#include "sql/describe.h"

static void reason(struct run *run, const char *text)
{
    VEC_PUSH(run->arena, &run->answer.confidence.reasons, text);
}

/* A table or column the question names: the word itself, or nearly. */
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

static double score_match(struct run *run)
{
    const char *question = run->question.text;
    int best = 0;
    for (size_t i = 0; i < run->answer.tables.count; i++) {
        const struct table *table =
            schema_table(run_schema(run), run->answer.tables.items[i]);
        int match = table ? word_match(question, table->bare_name) : 0;
        for (size_t c = 0; table && match < 2 && c < table->columns.count; c++) {
            int column = word_match(question, table->columns.items[c].name);
            match = column > match ? column : match;
        }
        best = match > best ? match : best;
    }
    static const char *const words[] = {
        "The question names no table or column of the query.",
        "The question nearly names a table or column of the query.",
        "The question names tables or columns of the query."};
    reason(run, words[best]);
    return best == 2 ? 0.3 : best == 1 ? 0.15 : 0.0;
}

/* Words that ask for more than a plain look at one table. */
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
    describe_shape(run->scratch, run_datasource(run)->driver->dialect, run->answer.sql,
                   &shape);
    bool complex = shape.joins + shape.subqueries + shape.set_operations > 1;
    if (complex && !asks_for_more(run->question.text)) {
        reason(run, "The query is more complex than the question sounds.");
        return 0.1;
    }
    reason(run, "The query is as complex as the question asks for.");
    return 0.2;
}

static double score_clarity(struct run *run)
{
    static const double scores[] = {0.0, 0.1, 0.3};
    static const char *const words[] = {"The question is very vague.",
                                        "The question leaves open what is wanted.",
                                        "The question is clear."};
    reason(run, words[run->clarity]);
    return scores[run->clarity];
}

/* Shows how the question was read; a vague one gets its choices in ASK_CLARIFICATION. */
static void ask_to_confirm(struct run *run)
{
    struct clarification *back = &run->answer.clarification;
    *back = (struct clarification){.kind = CLARIFY_DETAIL};
    if (run->clarity == CLARITY_CLEAR) {
        const char *reading =
            run->answer.summary ? run->answer.summary : run_question_text(run);
        back->message = arena_format(
            run->arena, "I am not sure that I understood. Is this what you mean: %s",
            reading);
        VEC_PUSH(run->arena, &back->options,
                 ((struct clarification_option){"yes, that is what I mean",
                                                "Yes, that is what I mean"}));
    }
}

static enum event work(struct run *run, struct err *err)
{
    (void)err;
    struct confidence *confidence = &run->answer.confidence;
    *confidence = (struct confidence){.known = true};
    confidence->schema_match = score_match(run);
    confidence->complexity = score_complexity(run);
    confidence->clarity = score_clarity(run);
    confidence->validity = 0.2; /* it compiled, or we would not be here */
    reason(run, "The database accepts the SQL.");
    confidence->score = confidence->schema_match + confidence->complexity +
                        confidence->clarity + confidence->validity;
    if (run->clarity != CLARITY_CLEAR && run->options->agent_ask_when_vague &&
        confidence->score > 0.4) {
        confidence->score = 0.4; /* a vague question is not made clear by good SQL */
    }
    bool asked = run->details.count > 0; /* who has been asked has had a say */
    if (confidence->score + 1e-9 >= run->options->agent_min_confidence || asked) {
        return EVENT_HIGH;
    }
    ask_to_confirm(run);
    return EVENT_LOW;
}

const struct stage stage_score_confidence = {.state = STATE_SCORE_CONFIDENCE,
                                             .work = work};
