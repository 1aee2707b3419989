/* "Revenue" where no column is called so: the answer says which amount was added up. */
#include "agent/memory/remembering.h"
#include "agent/run_statement.h"
#include "agent/understand/placing/placing.h"
#include "base/str.h"
#include "knowledge/words/words.h"
#include "sql/resolve/resolve.h"

/* Words for money that comes in; which of several amounts they mean is a matter of the company. */
static const char *const takings[] = {"revenue",  "revenues", "turnover", "income",
                                      "earnings", "takings",  "proceeds"};

/* The word as it was written; NULL: there is none. */
static const char *takings_word(struct run *run)
{
    struct words words;
    struct word word;
    words_init(&words, run_question_text(run));
    while (words_next(&words, &word)) {
        const char *text = arena_copy(run->arena, word.start, word.size);
        if (str_is_among(str_lower(run->scratch, text), takings,
                         sizeof takings / sizeof *takings)) {
            return text;
        }
    }
    return NULL;
}

/* A figure that the dictionary or the names of columns define: that is said elsewhere. */
static bool is_metric(struct run *run, const char *word)
{
    const struct answer *answer = &run->answer;
    for (size_t i = 0; i < answer->tables.count; i++) {
        const struct table *table =
            schema_table(run_schema(run), answer->tables.items[i]);
        for (size_t k = 0; table && k < table->metrics.count; k++) {
            const struct metric *metric = &table->metrics.items[k];
            bool same = str_contains_nocase(metric->name, word);
            for (size_t n = 0; n < metric->synonyms.count; n++) {
                same = same || str_contains_nocase(metric->synonyms.items[n], word);
            }
            if (same) {
                return true;
            }
        }
    }
    return false;
}

/* The user has said what it means: that is said with the answer, too. */
static bool is_learned(const struct run *run, const char *word)
{
    for (size_t i = 0; remembering_any(run) && i < run->memory.remembered->count; i++) {
        const struct remembered_lesson *item = &run->memory.remembered->items[i];
        if (item->said && str_equal_nocase(item->said, word)) {
            return true;
        }
    }
    return false;
}

/* The only column that the SQL adds up; NULL: none, or several. */
static const struct sql_reference *only_sum(struct run *run,
                                            const struct sql_statement *statement)
{
    const struct sql_resolved *resolved = run_resolved(run, run->answer.sql);
    const struct sql_reference *found = NULL;
    struct sql_nodes calls = {0};
    sql_collect(run->scratch, statement->root, SQL_CALL, &calls);
    for (size_t i = 0; i < calls.count; i++) {
        const struct sql_node *arguments = calls.items[i]->children[CALL_ARGUMENTS];
        const struct sql_node *only =
            str_equal_nocase(calls.items[i]->text, "sum") && arguments->count == 1
                ? arguments->children[0]
                : NULL;
        const struct sql_reference *reference =
            sql_is(only, SQL_COLUMN) ? sql_reference_of(resolved, only) : NULL;
        if (!reference || !reference->column) {
            continue;
        }
        if (found && found->column != reference->column) {
            return NULL;
        }
        found = reference;
    }
    return found;
}

/* Nothing is taken off for it: it is the usual reading, and the user may know better. */
void placing_note_amounts(struct run *run)
{
    struct answer *answer = &run->answer;
    const char *word = answer->brain == BRAIN_PARSER ? takings_word(run) : NULL;
    if (!word || !answer->sql || !run_schema(run) || is_metric(run, word) ||
        is_learned(run, word)) {
        return;
    }
    const struct sql_reference *sum = only_sum(run, run_statement(run, answer->sql));
    const struct table *table = sum ? sql_reference_table(sum, NULL) : NULL;
    if (table && !str_contains_nocase(sum->column->name, word) &&
        !str_contains_nocase(table->bare_name, word)) {
        VEC_PUSH(run->arena, &answer->assumptions,
                 arena_format(run->arena, "'%s' was taken to mean the sum of %s of %s.",
                              word, sum->column->name, table->name));
    }
}
