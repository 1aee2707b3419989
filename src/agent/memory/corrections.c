/* Parses, checks and stores users' corrections. */
#include "agent/memory/corrections.h"

#include <string.h>

#include "agent/joins/joins.h"
#include "agent/memory/conversation.h"
#include "agent/run_statement.h"
#include "agent/suggest/suggest.h"
#include "agent/understand/understanding.h"
#include "base/str.h"
#include "knowledge/words/words.h"

enum { MOST_OPTIONS = 6 };

/* Number of words of the text that are in the name. */
static size_t shared_words(const char *text, const char *name)
{
    size_t shared = 0;
    struct words said;
    struct word word;
    words_init(&said, text);
    while (words_next(&said, &word)) {
        struct words own;
        struct word part;
        bool found = false;
        words_init(&own, name);
        while (!word_is_common(word.folded) && !found && words_next(&own, &part)) {
            found = str_equal(word.folded, part.folded);
        }
        shared += found;
    }
    return shared;
}

const char *corrections_option(const struct clarification *back, const char *text)
{
    size_t best = 0;
    const char *found = NULL;
    for (size_t i = 0; i < back->options.count; i++) {
        size_t shared = shared_words(text, back->options.items[i].value);
        if (shared > best) {
            best = shared;
            found = back->options.items[i].value;
        } else if (shared == best) {
            found = NULL;
        }
    }
    return best ? found : NULL;
}

static bool offers(const struct clarification *back, const char *value)
{
    for (size_t i = 0; i < back->options.count; i++) {
        if (str_equal_nocase(back->options.items[i].value, value)) {
            return true;
        }
    }
    return false;
}

static void offer(struct run *run, struct clarification *back, const char *value,
                  const char *label)
{
    if (back->options.count < MOST_OPTIONS && !offers(back, value)) {
        VEC_PUSH(run->arena, &back->options,
                 ((struct clarification_option){value, label}));
    }
}

/* Offers tables by similarity with the question, if there are no other options. */
static void offer_candidates(struct run *run, struct clarification *back)
{
    size_t count = 0;
    const struct table **tables = understanding_candidates(run, &count);
    for (size_t i = 0; i < count; i++) {
        offer(run, back, tables[i]->name,
              suggest_table_label(run->arena, tables[i], NULL));
    }
}

static bool tables_known(struct run *run, const struct texts *names,
                         const struct clarification *back)
{
    for (size_t i = 0; i < names->count; i++) {
        if (understanding_find_table(run, names->items[i])) {
            continue;
        }
        struct clarification again = *back;
        again.kind = CLARIFY_TABLES;
        again.message = arena_format(
            run->arena, "There is no table '%.80s'. Which one should be used?",
            names->items[i]);
        if (back->kind != CLARIFY_TABLES || !back->options.count) {
            again.options = (struct clarification_options){0};
            offer_candidates(run, &again);
        }
        run->answer.clarification = again;
        return false;
    }
    return true;
}

static bool joins_known(struct run *run, const struct texts *joins,
                        const struct clarification *back)
{
    for (size_t i = 0; i < joins->count; i++) {
        if (joins_valid(run->scratch, run_schema(run), joins->items[i])) {
            continue;
        }
        struct clarification again = *back;
        again.kind = CLARIFY_JOIN;
        again.message =
            arena_format(run->arena,
                         "'%.120s' names no two columns of the schema. How do "
                         "the tables belong together? Write it like this: "
                         "orders.customer_id = customers.id",
                         joins->items[i]);
        run->answer.clarification = again;
        return false;
    }
    return true;
}

/* Would the correction leave any of the offered tables? */
static bool leaves_some(struct run *run, const struct correction *correction,
                        const struct clarification *back)
{
    if (correction->use_tables.count || back->kind != CLARIFY_TABLES) {
        return true;
    }
    for (size_t i = 0; i < back->options.count; i++) {
        bool out = false;
        for (size_t k = 0; k < correction->reject_tables.count && !out; k++) {
            out = str_equal_nocase(correction->reject_tables.items[k],
                                   back->options.items[i].value);
        }
        if (!out) {
            return true;
        }
    }
    struct clarification again = {
        .kind = CLARIFY_TABLES,
        .message = "This excludes all available tables. Which one should be used?"};
    offer_candidates(run, &again);
    run->answer.clarification = again;
    return false;
}

bool corrections_known(struct run *run, const struct correction *correction,
                       const struct clarification *back)
{
    return tables_known(run, &correction->use_tables, back) &&
           joins_known(run, &correction->joins, back) &&
           leaves_some(run, correction, back);
}

static void drop(struct texts *from, const struct texts *names)
{
    size_t kept = 0;
    for (size_t i = 0; i < from->count; i++) {
        bool out = false;
        for (size_t k = 0; k < names->count && !out; k++) {
            out = str_equal_nocase(from->items[i], names->items[k]);
        }
        if (!out) {
            from->items[kept++] = from->items[i];
        }
    }
    from->count = kept;
}

static void add_all(struct run *run, struct texts *to, const struct texts *from)
{
    drop(to, from); /* once each */
    for (size_t i = 0; i < from->count; i++) {
        VEC_PUSH(run->arena, to, arena_text(run->arena, from->items[i]));
    }
}

void corrections_add(struct run *run, const struct correction *correction)
{
    struct correction *all = &run->request.correction;
    drop(&all->use_tables, &correction->reject_tables);
    drop(&all->reject_tables, &correction->use_tables);
    add_all(run, &all->use_tables, &correction->use_tables);
    add_all(run, &all->reject_tables, &correction->reject_tables);
    if (correction->joins.count) {
        all->joins = (struct texts){0}; /* another join instead of the one before */
        add_all(run, &all->joins, &correction->joins);
    }
    all->text = correction->text;
}

static bool are_tables(const struct run *run, const struct texts *names)
{
    for (size_t i = 0; i < names->count; i++) {
        if (!schema_table(run_schema(run), names->items[i])) {
            return false;
        }
    }
    return true;
}

static bool are_joins(const struct run *run, const struct texts *joins)
{
    for (size_t i = 0; i < joins->count; i++) {
        if (!joins_valid(run->scratch, run_schema(run), joins->items[i])) {
            return false;
        }
    }
    return true;
}

/* Are the names variants of each other, such as Customers and PROD_Customers? */
static bool are_twins(const struct table *a, const struct table *b)
{
    return a != b && (str_contains_nocase(a->bare_name, b->bare_name) ||
                      str_contains_nocase(b->bare_name, a->bare_name));
}

/* Only "PROD_Customers" after an answer from Customers. */
static bool name_alone(struct run *run, struct correction *correction)
{
    const char *text = str_trim(run->scratch, run->question.text);
    const char *name = arena_copy(run->scratch, text, strcspn(text, " .!?;"));
    const struct table *wanted = schema_table(run_schema(run), name);
    const char *sql = NULL;
    for (size_t i = run->request.history.count; i-- > 0 && !sql;) {
        sql = run->request.history.items[i].sql;
    }
    if (!wanted || !sql || strlen(text) > strlen(name) + 1) {
        return false;
    }
    struct guard_result result;
    run_guard(run, sql, run_schema(run), &result);
    const struct table *twin = NULL;
    for (size_t i = 0; i < result.tables.count; i++) {
        const struct table *used = schema_table(run_schema(run), result.tables.items[i]);
        if (used == wanted) {
            return false;
        }
        twin = used && are_twins(used, wanted) ? used : twin;
    }
    if (twin) {
        correction->text = arena_text(run->arena, text);
        VEC_PUSH(run->arena, &correction->use_tables,
                 arena_text(run->arena, wanted->name));
        VEC_PUSH(run->arena, &correction->reject_tables,
                 arena_text(run->arena, twin->name));
    }
    return twin != NULL;
}

bool corrections_follow(struct run *run)
{
    struct correction correction = {0};
    if (!run->request.history.count || run->request.given_sql ||
        str_equal(run->request.correction.text, run->question.text)) {
        return false;
    }
    /* "not Rome" speaks of a cell, not of a table */
    if (!name_alone(run, &correction) &&
        (!correction_parse(&correction, run->arena, run->question.text) ||
         !are_tables(run, &correction.use_tables) ||
         !are_tables(run, &correction.reject_tables) ||
         !are_joins(run, &correction.joins))) {
        return false;
    }
    for (size_t i = run->request.history.count; i-- > 0;) {
        const struct message *message = &run->request.history.items[i];
        struct correction earlier = {0};
        if (!str_equal(message->role, "user") ||
            (correction_parse(&earlier, run->scratch, message->content) &&
             are_tables(run, &earlier.use_tables) &&
             are_tables(run, &earlier.reject_tables))) {
            continue;
        }
        run->answer.rewritten = arena_text(run->arena, conversation_words(message));
        corrections_add(run, &correction);
        run->request.corrected_tables =
            correction.use_tables.count > 0 || correction.reject_tables.count > 0;
        return true;
    }
    return false;
}
