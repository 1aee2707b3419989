/* Averages of averages and of ratios: corrected where an average over all rows is asked
 * for; otherwise a warning with both figures. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "agent/counting/counting_state.h"
#include "base/buf.h"
#include "base/str.h"
#include "knowledge/words/words.h"
#include "sql/counting/averages.h"

enum { AVERAGES_MOST = 4 }; /* per statement; more warnings would not be read */

/* What the question says about groups. */
enum wanted {
    WANTED_OVERALL, /* no groups: one average over all rows */
    WANTED_UNSURE,  /* "per", "by", "each": groups may be meant */
    WANTED_TWICE    /* "the average of the average": that very thing */
};

static bool starts_with_any(const struct word *word, const char *const *list)
{
    for (; *list; list++) {
        if (word->size >= strlen(*list) && str_starts_nocase(word->start, *list)) {
            return true;
        }
    }
    return false;
}

static enum wanted wanted(struct run *run)
{
    static const char *const figures[] = {"average", "avg", "mean", NULL};
    static const char *const groups[] = {"per", "each", "every", "across", NULL};
    struct words words;
    struct word word;
    int averages = 0;
    bool grouped = false;
    words_init(&words, run_question_text(run));
    while (words_next(&words, &word)) {
        averages += starts_with_any(&word, figures);
        grouped |= starts_with_any(&word, groups) ||
                   (word.size == 2 && str_starts_nocase(word.start, "by"));
    }
    return averages > 1 ? WANTED_TWICE : grouped ? WANTED_UNSURE : WANTED_OVERALL;
}

static bool counting_averages_find(struct run *run, bool anew, struct counting_sql *read,
                                   struct averages_list *out)
{
    *out = (struct averages_list){0};
    if (!(anew ? counting_sql_anew : counting_sql)(run, read)) {
        return false;
    }
    averages_find(run->scratch, &read->statement, read->resolved, out);
    return out->count > 0;
}

static bool number_of(const struct value *value, double *out)
{
    if (value->kind == VALUE_INT || value->kind == VALUE_REAL) {
        *out = value->kind == VALUE_INT ? (double)value->integer : value->real;
        return true;
    }
    if (value->kind != VALUE_NUMBER && value->kind != VALUE_TEXT) {
        return false;
    }
    char text[64];
    char *end;
    (void)snprintf(text, sizeof text, "%.*s", (int)value->text.size, value->text.data);
    *out = strtod(text, &end);
    return end != text && !*end;
}

/* The two figures in words; NULL: they are equal. False: they cannot be measured. */
static bool measure(struct run *run, size_t place, const char **written,
                    const char **overall)
{
    enum { PARTS = 1000000 }; /* a millionth is no difference */
    struct counting_sql read;
    struct averages_list found;
    struct rows rows;
    double a;
    double b;
    *written = *overall = NULL;
    if (!counting_averages_find(run, true, &read, &found) || place >= found.count) {
        return false;
    }
    const char *sql = averages_both(run->scratch, &read.statement, &found.items[place]);
    if (!sql || !counting_measure(run, sql, 2, &rows) ||
        !number_of(rows_cell(&rows, 0, 0), &a) ||
        !number_of(rows_cell(&rows, 0, 1), &b)) {
        return false;
    }
    if (fabs(a - b) > fabs(a) / PARTS) {
        *written = counting_number(run, rows_cell(&rows, 0, 0));
        *overall = counting_number(run, rows_cell(&rows, 0, 1));
    }
    return true;
}

void counting_weigh_averages(struct run *run)
{
    struct counting_sql read;
    struct averages_list found;
    const char *written;
    const char *overall;
    if (!counting_averages_find(run, false, &read, &found) ||
        found.items[0].kind != AVERAGES_OF_AVERAGES || wanted(run) != WANTED_OVERALL) {
        return;
    }
    bool measured = measure(run, 0, &written, &overall);
    if ((measured && !written) || !counting_averages_find(run, true, &read, &found)) {
        return;
    }
    const char *sql = counting_accepted(
        run, averages_weigh(run->scratch, &read.statement, &found.items[0]));
    if (sql) {
        run_warn(run,
                 "The query took the average of averages; it was changed so that each "
                 "row counts the same%s%s%s%s.",
                 measured ? ": " : "", measured ? overall : "",
                 measured ? " instead of " : "", measured ? written : "");
        run->answer.sql = sql;
    }
}

static void tell(struct run *run, const struct averages *average, const char *figure,
                 const char *written, const char *overall)
{
    if (average->kind == AVERAGES_OF_PARTS) {
        run_warn(
            run,
            "%s divides sums over different rows: some rows have only one of the two "
            "values. It is %s as written, and %s over the rows that have both.",
            figure, written, overall);
    } else if (average->kind == AVERAGES_OF_RATIOS) {
        run_warn(run,
                 "%s gives each row the same weight: over all rows it is %s, and the "
                 "ratio of the sums is %s.",
                 figure, written, overall);
    } else if (written) {
        run_warn(run,
                 "%s is an average of averages: each group counts the same, whatever its "
                 "number of rows. It is %s over all groups, and %s over all rows.",
                 figure, written, overall);
    } else {
        run_warn(run,
                 "%s is an average of averages: each group counts the same, whatever its "
                 "number of rows.",
                 figure);
    }
}

void counting_tell_averages(struct run *run)
{
    struct counting_sql read;
    struct averages_list found;
    bool own = run_has_own_sql(run);
    if (!counting_averages_find(run, false, &read, &found) ||
        (!own && wanted(run) == WANTED_TWICE)) {
        return;
    }
    for (size_t i = 0; i < found.count && i < AVERAGES_MOST; i++) {
        const struct averages *average = &found.items[i];
        const char *written;
        const char *overall;
        bool ratio =
            average->kind == AVERAGES_OF_RATIOS || average->kind == AVERAGES_OF_PARTS;
        const char *figure =
            sql_statement_print(run->scratch, read.statement.dialect, average->call);
        bool measured = measure(run, i, &written, &overall);
        if (measured ? written != NULL : !ratio) {
            run->query.doubtful |= !ratio;
            tell(run, average, figure, written, overall);
        }
    }
}
