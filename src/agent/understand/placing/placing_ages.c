/* "The oldest doctor" by the day of hiring: where the date is not one of birth, the answer says which date it
 * went by. */
#include "agent/run_statement.h"
#include "agent/understand/placing/placing.h"
#include "base/str.h"
#include "knowledge/words/words.h"
#include "sql/resolve/resolve.h"

enum { AGE_ASSUMED = 2 }; /* lowers the score like this number of assumed words */

/* Words about the age of people. "The oldest order" has a date of its own; these tell when somebody joined. */
static const char *const ages[] = {"oldest", "youngest", "older", "younger"};
static const char *const joinings[] = {"hire",   "join",  "signup", "sign_up",
                                       "regist", "enrol", "employ", "start"};

static bool tells_joining(const struct column *column)
{
    for (size_t i = 0; i < sizeof joinings / sizeof *joinings; i++) {
        if (str_contains_nocase(column->name, joinings[i])) {
            return true;
        }
    }
    return false;
}

/* The word as it was written; NULL: the question is not about an age. */
static const char *age_word(struct run *run)
{
    struct words words;
    struct word word;
    words_init(&words, run_question_text(run));
    while (words_next(&words, &word)) {
        if (str_is_among(word.folded, ages, sizeof ages / sizeof *ages)) {
            return arena_copy(run->arena, word.start, word.size);
        }
    }
    return NULL;
}

/* A year of birth, which is a number: "the riders over 60" may be a year younger. */
static bool is_birth_year(const struct column *column)
{
    return str_contains_nocase(column->name, "birth") &&
           str_contains_nocase(column->name, "year");
}

/* Is the question about ages and not about years of birth? */
static bool asks_for_age(const char *question)
{
    return !str_contains_nocase(question, "birth") &&
           !str_contains_nocase(question, "born") &&
           !str_contains_nocase(question, "oldest") &&
           !str_contains_nocase(question, "youngest");
}

/* Nothing is taken off for it: nobody could know better. */
static void note_years(struct run *run)
{
    struct answer *answer = &run->answer;
    if (!answer->sql || !run_schema(run) || run->request.given_sql ||
        !asks_for_age(run_question_text(run)) || !run_statement(run, answer->sql)->root) {
        return;
    }
    const struct sql_references *references = &run_resolved(run, answer->sql)->references;
    for (size_t i = 0; i < references->count; i++) {
        const struct column *column = references->items[i]->column;
        if (column && is_birth_year(column)) {
            VEC_PUSH(run->arena, &answer->assumptions,
                     arena_format(run->arena,
                                  "An age is this year minus %s: it can be one year too "
                                  "high.",
                                  column->name));
            return;
        }
    }
}

/* A column of the SQL that tells when somebody joined, and that the question does not name. */
static const struct column *joining_column(struct run *run)
{
    const char *sql = run->answer.sql;
    if (!sql || !run_schema(run) || run->request.given_sql ||
        !run_statement(run, sql)->root) {
        return NULL;
    }
    const struct sql_references *references = &run_resolved(run, sql)->references;
    for (size_t i = 0; i < references->count; i++) {
        const struct column *column = references->items[i]->column;
        if (column && tells_joining(column) &&
            !str_contains_nocase(run_question_text(run), column->name)) {
            return column;
        }
    }
    return NULL;
}

void placing_note_ages(struct run *run)
{
    struct answer *answer = &run->answer;
    note_years(run);
    const struct column *column = joining_column(run);
    const char *word = column ? age_word(run) : NULL;
    if (word) {
        answer->words_assumed += AGE_ASSUMED;
        VEC_PUSH(
            run->arena, &answer->assumptions,
            arena_format(run->arena,
                         "'%s' was taken to mean: by %s, which is not a date of birth.",
                         word, column->name));
    }
}
