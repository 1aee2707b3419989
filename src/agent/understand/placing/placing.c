/* Which words of a question its SQL gives a place, and what the answer says about the
 * rest. */
#include "agent/understand/placing/placing.h"

#include <string.h>

#include "agent/memory/remembering.h"
#include "agent/run_statement.h"
#include "agent/sources/crossing.h"
#include "agent/understand/brain.h"
#include "agent/understand/language.h"
#include "agent/understand/solving.h"
#include "agent/understand/undoing.h"
#include "base/clock.h"
#include "base/str.h"
#include "knowledge/value_index/value_index.h"
#include "parser/parser.h"
#include "sql/dialect.h"

static const double ASSUME_LEAST = 0.8;

enum { DOUBTFUL_ASSUMED = 2 }; /* counts like so many assumed words */

double placing_trust(const struct run *run)
{
    bool parser = run->answer.brain == BRAIN_PARSER;
    return parser && !run->request.confirmed ? run->answer.parser_probability : 1;
}

/* The text whose words must have a place: the question, or the user's answer where the
 * answer says it all. */
static const char *said(struct run *run)
{
    const char *detail = solving_detail(run);
    const char *question = run->question.text;
    bool alone =
        detail &&
        (placing_is_rewording(run, question, detail) ||
         (run->answer.brain == BRAIN_PARSER && str_equal(solving_text(run), detail)));
    return alone ? detail : question;
}

/* Words that are explained elsewhere: by lessons, by what the user answered, and the
 * names of the databases. `unsaid`: the answer whose own words are looked at; or NULL. */
static void known_words(struct run *run, const char *unsaid, struct texts *out)
{
    const struct remembered *memory = run->memory.remembered;
    for (size_t i = 0; memory && i < memory->count; i++) {
        if (memory->items[i].said) {
            VEC_PUSH(run->scratch, out, memory->items[i].said);
        }
    }
    for (size_t i = 0; i < run->sources.count; i++) {
        VEC_PUSH(run->scratch, out, run->sources.items[i].source->id);
        VEC_PUSH(run->scratch, out, run->sources.items[i].source->driver->name);
        VEC_PUSH(run->scratch, out,
                 dialect_get(datasource_dialect(run->sources.items[i].source))->title);
    }
    crossing_systems(run, run->question.text, out);
    const struct correction *correction = &run->request.correction;
    const struct texts *said[] = {&run->request.details, &correction->use_tables,
                                  &correction->reject_tables, &correction->joins};
    for (size_t list = 0; list < sizeof said / sizeof *said; list++) {
        for (size_t i = 0; i < said[list]->count; i++) {
            if (said[list]->items[i] != unsaid) {
                VEC_PUSH(run->scratch, out, said[list]->items[i]);
            }
        }
    }
    if (correction
            ->text) { /* "Customers is old, use PROD_Customers": of tables, all of it */
        VEC_PUSH(run->scratch, out, correction->text);
    }
}

/* A model, or the user, has decided which days are meant. */
static void drop_open(struct coverage_words *words)
{
    size_t kept = 0;
    for (size_t i = 0; i < words->count; i++) {
        if (!words->items[i].open && !words->items[i].by_custom) {
            words->items[kept++] = words->items[i];
        }
    }
    words->count = kept;
}

bool placing_find(struct run *run, const char *sql, double trust,
                  struct coverage_words *out)
{
    *out = (struct coverage_words){0};
    if (!run->agent->brain || !run_schema(run) || run->request.given_sql ||
        run->query.is_write || !sql || undoing_wanted(run->scratch, run->question.text) ||
        language_is_foreign(run->question.text)) {
        return false;
    }
    struct texts known = {0};
    const char *text = said(run);
    known_words(run, run->request.confirmed ? NULL : text, &known);
    struct value_index *index = solving_cells(run, run_datasource(run)->driver->local);
    struct err ignored;
    err_clear(&ignored);
    const struct coverage_request request = {
        .index = index,
        .question = text,
        .statement = run_statement(run, sql),
        .known = &known,
        .today = clock_date(run->scratch, clock_wall_s(), run->options->agent_time_zone),
        .parser = brain_parser(run->agent->brain, &ignored),
    };
    bool found = parser_cover(brain_schemas(run->agent->brain), run->arena,
                              run_schema(run), &request, out);
    value_index_unref(index);
    if (trust >= 1) {
        drop_open(out);
    }
    for (size_t i = 0; i < out->count; i++) {
        struct coverage_word *word = &out->items[i];
        if (trust >= 1 &&
            word->unasked) { /* a model, or the user, knows more than names */
            word->taken_for = word->unasked;
            word->unasked = NULL;
        }
        if (trust < ASSUME_LEAST && !word->by_custom &&
            !word->joined) { /* verbs stand for tables, rightly so */
            word->taken_for = NULL;
        }
    }
    return found;
}

const struct coverage_word *placing_lost(const struct coverage_words *words)
{
    for (size_t i = 0; i < words->count; i++) {
        const struct coverage_word *word = &words->items[i];
        if (!word->taken_for && (word->role <= COVERAGE_NAME || word->open)) {
            return word;
        }
    }
    return NULL;
}

static void note_word(struct run *run, const struct coverage_word *word)
{
    struct answer *answer = &run->answer;
    if (word->taken_for) {
        answer->words_assumed += word->doubtful ? DOUBTFUL_ASSUMED : 1;
        VEC_PUSH(run->arena, &answer->assumptions,
                 arena_format(run->arena, "'%s' was taken to mean: %s.", word->text,
                              word->taken_for));
        return;
    }
    if (word->unasked) {
        VEC_PUSH(run->arena, &answer->assumptions,
                 arena_format(run->arena, "No word asks for the condition: %s.",
                              word->unasked));
    }
    struct unplaced_word unplaced = {
        .word = word->text,
        .position = (int64_t)word->position,
        .role = coverage_role_name(word->role),
        .nearest = word->nearest,
    };
    if (word->column) {
        unplaced.column = arena_format(run->arena, "%s.%s", word->table, word->column);
    }
    VEC_PUSH(run->arena, &answer->unplaced, unplaced);
}

/* The user chose other words; the answer says so, because it is not about the question
 * as it was asked. */
static void note_rewording(struct run *run)
{
    const char *detail = solving_detail(run);
    if (detail && placing_is_rewording(run, run->question.text, detail)) {
        VEC_PUSH(run->arena, &run->answer.assumptions,
                 arena_format(run->arena, "As you chose, this answers: %s", detail));
    }
}

/* What a model says it decided: each lowers the probability like a word that was taken to
 * mean something. */
static void note_assumed(struct run *run)
{
    const struct texts *assumed = &run->understanding.assumed;
    for (size_t i = 0; run->answer.brain == BRAIN_LLM && i < assumed->count; i++) {
        run->answer.words_assumed++;
        VEC_PUSH(run->arena, &run->answer.assumptions, assumed->items[i]);
    }
}

static bool is_asked_for(const struct run *run, const struct metric *metric)
{
    const char *question = run_question_text(run);
    bool asked = str_contains_nocase(question, metric->name);
    for (size_t i = 0; i < metric->synonyms.count; i++) {
        asked = asked || str_contains_nocase(question, metric->synonyms.items[i]);
    }
    return asked;
}

/* Is it computed with what a discount leaves: … * (1 - discount)? */
static bool leaves_discount(struct run *run, const struct sql_statement *statement)
{
    struct sql_nodes operators = {0};
    sql_collect(run->scratch, statement->root, SQL_BINARY, &operators);
    for (size_t i = 0; i < operators.count; i++) {
        const struct sql_node *left = operators.items[i]->children[PAIR_LEFT];
        if (str_equal(operators.items[i]->text, "-") && sql_is(left, SQL_NUMBER) &&
            str_equal(left->text, "1")) {
            return true;
        }
    }
    return false;
}

/* Does a column of it have this name? */
static bool selects_as(struct run *run, const struct sql_statement *statement,
                       const char *name)
{
    struct sql_nodes items = {0};
    sql_collect(run->scratch, statement->root, SQL_ITEM, &items);
    for (size_t i = 0; i < items.count; i++) {
        if (str_equal_nocase(items.items[i]->text, name)) {
            return true;
        }
    }
    return false;
}

/* The answer names a metric that dragoman chose itself, so that a user who defines it
 * differently notices. Nothing is taken off for it: it is the same in every answer
 * about this database. */
static void note_metrics(struct run *run)
{
    const struct answer *answer = &run->answer;
    const struct sql_statement *statement = run_statement(run, answer->sql);
    for (size_t i = 0; i < answer->tables.count; i++) {
        const struct table *table =
            schema_table(run_schema(run), answer->tables.items[i]);
        for (size_t k = 0; table && k < table->metrics.count; k++) {
            const struct metric *metric = &table->metrics.items[k];
            bool less = str_contains_nocase(metric->comment ? metric->comment : "",
                                            "less the discount");
            if (less && !leaves_discount(run, statement)) {
                continue; /* asked for before the discount */
            }
            if (metric->derived && metric->comment &&
                (is_asked_for(run, metric) || selects_as(run, statement, metric->name))) {
                VEC_PUSH(
                    run->arena, &run->answer.assumptions,
                    arena_format(run->arena, "%s is %s.", metric->name, metric->comment));
            }
        }
    }
}

void placing_note(struct run *run)
{
    struct answer *answer = &run->answer;
    struct coverage_words words;
    answer->unplaced = (struct unplaced){0};
    answer->assumptions = (struct texts){0};
    answer->words_placed = true;
    answer->words_assumed = 0;
    note_assumed(run);
    placing_note_keys(run);
    placing_note_dates(run);
    placing_note_ages(run);
    placing_note_detours(run);
    placing_note_amounts(run);
    if (answer->brain == BRAIN_LESSON ||
        !placing_find(run, answer->sql, placing_trust(run), &words)) {
        return;
    }
    const struct coverage_word *lost = placing_lost(&words);
    if (lost && answer->brain != BRAIN_PARSER &&
        placing_refresh(run, &answer->tables, lost->text)) {
        (void)placing_find(run, answer->sql, placing_trust(run), &words);
    }
    note_rewording(run);
    note_metrics(run);
    for (size_t i = 0; i < words.count; i++) {
        note_word(run, &words.items[i]);
    }
}

void placing_warn(struct run *run)
{
    if (!run->answer.words_placed) {
        placing_note(run);
    }
    const struct unplaced *unplaced = &run->answer.unplaced;
    struct texts words = {0};
    for (size_t i = 0; i < unplaced->count; i++) {
        VEC_PUSH(run->scratch, &words,
                 arena_format(run->scratch, "'%s'", unplaced->items[i].word));
    }
    if (words.count) {
        run_warn(run, "The answer does not take %s into account.",
                 str_join(run->scratch, &words, ", "));
    }
}
