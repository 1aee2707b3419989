/* Corrects figures over repeated rows, or warns about them. */
#include "agent/counting/counting.h"

#include <string.h>

#include "agent/counting/counting_state.h"
#include "agent/joins/join_probe.h"
#include "agent/run_statement.h"
#include "base/str.h"
#include "sql/counting/flat.h"
#include "sql/counting/split.h"

enum { ROUNDS_MOST = 8 }; /* each one corrects one SELECT */

static bool is_ours(const struct run *run)
{
    bool made = run->request.composed || !run->query.hit;
    return !run_has_own_sql(run) && made && !run->request.delivery &&
           !run->query.is_write;
}

const char *counting_table(const struct sql_relation *relation)
{
    return relation->table  ? relation->table->name
           : relation->name ? relation->name
                            : "a subquery";
}

bool counting_sql(struct run *run, struct counting_sql *out)
{
    const char *sql = run->answer.sql;
    out->statement = *run_statement(run, sql);
    out->resolved =
        run_schema(run) && out->statement.root ? run_resolved(run, sql) : NULL;
    return out->resolved != NULL;
}

bool counting_sql_anew(struct run *run, struct counting_sql *out)
{
    out->statement =
        sql_statement_copy(run->scratch, run_statement(run, run->answer.sql));
    out->resolved = run_schema(run) && out->statement.root
                        ? sql_resolve(run->scratch, &out->statement, run_schema(run))
                        : NULL;
    return out->resolved != NULL;
}

struct looked {
    struct sql_statement statement;
    const struct sql_resolved *resolved;
    struct fanouts found;
    struct mistakes mistakes;
};

/* What names and values say of two tables without a key. */
static const struct foreign_key *guess_key(void *context, const struct table *a,
                                           const struct table *b,
                                           const struct table **from)
{
    struct run *run = context;
    struct join_probe probe = join_probe_of(run);
    struct join_guess guess;
    if (!join_guess_only(run->scratch, a, b, &probe, &guess)) {
        return NULL;
    }
    struct foreign_key *key = ARENA_NEW(run->scratch, struct foreign_key);
    *from = guess.from;
    key->table = guess.to->name;
    key->confidence = guess.confidence;
    VEC_PUSH(run->scratch, &key->columns, guess.column->name);
    VEC_PUSH(run->scratch, &key->references, guess.key->name);
    return key;
}

/* again, into a tree that may be changed. */
static bool look(struct run *run, bool anew, struct looked *out)
{
    struct counting_sql read;
    *out = (struct looked){0};
    if (!(anew ? counting_sql_anew : counting_sql)(run, &read)) {
        return false;
    }
    out->statement = read.statement;
    out->resolved = read.resolved;
    fanout_find(run->scratch, &out->statement, out->resolved, &out->found);
    struct mistakes mistakes = {0};
    const struct mistake_keys keys = {guess_key, run};
    mistake_find(run->scratch, &out->statement, out->resolved, &keys, &mistakes);
    for (size_t i = 0; i < mistakes.count; i++) {
        bool meant = mistakes.items[i].kind == MISTAKE_UNJOINED &&
                     (run_has_own_sql(run) ? mistakes.items[i].crossed /* it says so */
                                           : counting_wants_pairs(run));
        if (!meant) {
            VEC_PUSH(run->scratch, &out->mistakes, mistakes.items[i]);
        }
    }
    return out->found.count > 0 || out->mistakes.count > 0;
}

/* There is a value that could be meant once per use, such as a price, and no word says
 * which. */
static bool may_be_meant(const struct fanout *fanout)
{
    return (fanout->grouped_by_repeater && !fanout->whole) ||
           (fanout->rate && fanout->looked_up);
}

/* A count may count any rows, unless the question names the thing. A value belongs to its
 * own thing, unless the question asks for it per another one. */
static bool is_wrong(struct run *run, const struct looked *looked,
                     const struct fanout *fanout)
{
    if (fanout->counts || fanout->mixed) {
        return fanout->counts && counting_is_asked(run, fanout->subject);
    }
    enum counting_holder holder = counting_holder(run, looked->resolved, fanout);
    return holder == HOLDER_SUBJECT || (holder == HOLDER_UNSAID && !may_be_meant(fanout));
}

/* Selects the figures of one SELECT that are corrected together. */
static void choose(struct run *run, const struct looked *looked, struct fanouts *out)
{
    for (size_t i = 0; i < looked->found.count; i++) {
        const struct fanout *fanout = &looked->found.items[i];
        bool same = !out->count || out->items[0].scope == fanout->scope;
        bool again = false; /* COUNT(*) is offered once for each table */
        for (size_t k = 0; k < out->count; k++) {
            again |= out->items[k].call == fanout->call;
        }
        if (same && !again && is_wrong(run, looked, fanout)) {
            VEC_PUSH(run->scratch, out, *fanout);
        }
    }
}

/* The corrected text must pass the same checks as the original. */
const char *counting_accepted(struct run *run, const char *sql)
{
    struct guard_result result;
    struct datasource_limits limits = run_limits(run);
    struct err trouble;
    err_clear(&trouble);
    if (!sql) {
        return NULL;
    }
    run_guard(run, sql, run_schema(run), &result);
    bool good = result.verdict == GUARD_READ && !result.unknown.count &&
                datasource_check(run_datasource(run), result.sql, &limits, &trouble);
    return good ? arena_text(run->arena, result.sql) : NULL;
}

static bool same_number(const struct value *a, const struct value *b)
{
    if (a->kind != b->kind) {
        return false;
    }
    switch ((int)a->kind) {
    case VALUE_INT:
        return a->integer == b->integer;
    case VALUE_REAL:
        return a->real == b->real;
    case VALUE_NUMBER:
    case VALUE_TEXT:
        return a->text.size == b->text.size &&
               memcmp(a->text.data, b->text.data, a->text.size) == 0;
    default:
        return a->kind == VALUE_NULL;
    }
}

/* Measures the figure as written and with each row counted once; false if that is not
 * possible. */
static bool measure_both(struct run *run, const struct looked *looked,
                         const struct fanout *fanout, const struct value **written,
                         const struct value **once)
{
    const char *both =
        fanout_both(run->scratch, &looked->statement, run_schema(run), fanout);
    struct rows rows;
    if (!both || !counting_measure(run, both, 2, &rows)) {
        return false;
    }
    *written = rows_cell(&rows, 0, 0);
    *once = rows_cell(&rows, 0, 1);
    return true;
}

/* ": over all rows it is 96 instead of 218", or nothing. */
static const char *difference(struct run *run, const struct looked *looked,
                              const struct fanout *fanout)
{
    const struct value *written;
    const struct value *once;
    if (!measure_both(run, looked, fanout, &written, &once) ||
        same_number(written, once)) {
        return "";
    }
    return arena_format(run->scratch, ": over all rows it is %s instead of %s",
                        counting_number(run, once), counting_number(run, written));
}

/* With a subquery that only joins as a part of the SELECT around it; NULL: there is none. */
static const char *flat_of(struct run *run)
{
    struct counting_sql read;
    const char *sql = counting_sql(run, &read) &&
                              flat_is_possible(&read.statement, read.resolved) &&
                              counting_sql_anew(run, &read)
                          ? flat_sql(run->scratch, &read.statement, read.resolved)
                          : NULL;
    return sql ? counting_accepted(run, sql) : NULL;
}

/* Are figures over the rows of a subquery wrong that only joins? Then its joins are
 * corrected in the SELECT itself. */
static void flatten(struct run *run)
{
    const char *before = run->answer.sql;
    const char *flat = flat_of(run);
    struct looked looked;
    struct fanouts chosen = {0};
    run->answer.sql = flat ? flat : before;
    if (flat && look(run, false, &looked)) {
        choose(run, &looked, &chosen);
    }
    run->answer.sql = chosen.count ? flat : before;
}

static void correct_figures(struct run *run)
{
    struct looked looked;
    for (int i = 0; i < ROUNDS_MOST && look(run, false, &looked); i++) {
        struct fanouts chosen = {0};
        choose(run, &looked, &chosen);
        if (!chosen.count || !look(run, true, &looked)) {
            return;
        }
        chosen = (struct fanouts){0};
        choose(run, &looked, &chosen);
        const struct fanout fanout = chosen.items[0];
        const char *numbers = difference(run, &looked, &fanout);
        const char *sql = counting_accepted(
            run, fanout_once(run->scratch, &looked.statement, looked.resolved, &chosen));
        if (!sql) {
            return;
        }
        run_warn(run,
                 "Each row of %s comes once for every matching row of %s; the query was "
                 "changed so that it counts once%s%s.",
                 counting_table(fanout.subject), counting_table(fanout.repeater),
                 fanout.grouped_by_repeater ? " in each group" : "", numbers);
        run->answer.sql = sql;
    }
}

/* SUM(a.x - b.y) over rows that repeat each other, as two sums. What still comes several times
 * is corrected afterwards. */
static void split(struct run *run)
{
    struct counting_sql read;
    struct fanout fanout;
    const char *text =
        counting_sql_anew(run, &read)
            ? split_sums(run->scratch, &read.statement, read.resolved, &fanout)
            : NULL;
    const char *sql = text ? counting_accepted(run, text) : NULL;
    if (sql) {
        run->answer.sql = sql;
    }
}

/* Joins without a condition, columns that are not grouped by. */
static bool correct_mistakes(struct run *run, struct err *err)
{
    const struct mistake_keys keys = {guess_key, run};
    struct looked looked;
    for (int i = 0; i < ROUNDS_MOST; i++) {
        if (!look(run, false, &looked) || !looked.mistakes.count ||
            !look(run, true, &looked)) {
            break;
        }
        const struct mistake mistake = looked.mistakes.items[0];
        const char *message = mistake_message(run->scratch, &mistake);
        const char *sql = counting_accepted(
            run, mistake_mend(run->scratch, &looked.statement, looked.resolved,
                              run_schema(run), &keys, &mistake));
        if (!sql) {
            if (mistake.column) {
                err->position = (int)mistake.column->start;
            }
            return err_set(err, ERR_INVALID_SQL, "%s", message);
        }
        run_warn(run, "%s The query was corrected.", message);
        run->answer.sql = sql;
    }
    return true;
}

bool counting_correct(struct run *run, struct err *err)
{
    const char *before = run->answer.sql;
    if (!is_ours(run)) {
        return true;
    }
    if (!correct_mistakes(run, err)) {
        run->answer.sql = before;
        return false;
    }
    counting_part_namesakes(run);
    split(run);
    const char *written = run->answer.sql;
    counting_join_variants(run);
    counting_keep_kept(run);
    const char *read = run->answer.sql != written ? written : NULL;
    counting_keep_childless(run);
    counting_keep_rows(run);
    counting_skip_nulls(run);
    counting_weigh_averages(run);
    const char *joined = run->answer.sql;
    flatten(run);
    correct_figures(run);
    counting_count_things(run);
    run->query.counted_from = read ? read : run->answer.sql != joined ? joined : NULL;
    if (run->answer.sql != before) {
        run_tell(run, OBSERVE_SQL, run->answer.sql);
    }
    return true;
}

/* ------------------------------------------------------------------ telling */

static void tell(struct run *run, const struct looked *looked,
                 const struct fanout *fanout)
{
    enum dialect dialect = looked->statement.dialect;
    const char *figure = sql_statement_print(run->scratch, dialect, fanout->call);
    const char *subject = counting_table(fanout->subject);
    const char *repeater = counting_table(fanout->repeater);
    bool asked = !fanout->counts && !run_has_own_sql(run) &&
                 counting_holder(run, looked->resolved, fanout) == HOLDER_REPEATER;
    const struct value *written;
    const struct value *once;
    if (fanout->mixed) {
        run->query.doubtful = true;
        run_warn(run,
                 "%s counts values of %s several times: each row of it comes once for "
                 "every matching row of %s. Values of these tables must be added up "
                 "separately.",
                 figure, subject, repeater);
    } else if (!measure_both(run, looked, fanout, &written, &once)) {
        run->query.doubtful |= !asked;
        run_warn(run, "%s counts each row of %s once for every matching row of %s.",
                 figure, subject, repeater);
    } else if (!same_number(written, once)) {
        run->query.doubtful |= !asked;
        run_warn(run,
                 "%s counts each row of %s once for every matching row of %s: over "
                 "all rows it is %s, and %s when each counts once%s.",
                 figure, subject, repeater, counting_number(run, written),
                 counting_number(run, once),
                 fanout->grouped_by_repeater ? " in each group" : "");
    }
}

/* COUNT(s.id) in a user's SQL: the key shows what is meant to be counted. */
static bool counts_key(const struct looked *looked, const struct fanout *fanout)
{
    const struct sql_node *arguments = fanout->call->children[CALL_ARGUMENTS];
    const struct sql_reference *reference =
        arguments->count == 1 ? sql_reference_of(looked->resolved, arguments->children[0])
                              : NULL;
    return fanout->key->count == 1 && reference &&
           reference->output == fanout->key->items[0];
}

static void tell_all(struct run *run)
{
    struct looked looked;
    if (!look(run, false, &looked)) {
        return;
    }
    for (size_t i = 0; i < looked.mistakes.count; i++) {
        run_warn(run, "%s", mistake_message(run->scratch, &looked.mistakes.items[i]));
        run->query.doubtful = true;
    }
    for (size_t i = 0; i < looked.found.count; i++) {
        const struct fanout *fanout = &looked.found.items[i];
        bool told = fanout->counts
                        ? (run_has_own_sql(run) ? counts_key(&looked, fanout) &&
                                                      !fanout->grouped_by_repeater
                                                : counting_is_asked(run, fanout->subject))
                        : true;
        if (told) {
            tell(run, &looked, fanout);
        }
    }
}

void counting_tell(struct run *run)
{
    if (run->request.delivery || run->query.is_write) {
        return;
    }
    if (run_has_own_sql(run)) {
        counting_tell_kept(run);
    }
    counting_tell_variants(run);
    counting_tell_left_out(run);
    counting_tell_unequal(run);
    if (!run_has_own_sql(run)) {
        counting_tell_namesakes(run);
        counting_tell_things(run);
    }
    counting_tell_childless(run);
    counting_tell_averages(run);
    tell_all(run);
    const char *sql = run->answer.sql;
    const char *flat = flat_of(run);
    if (flat) {
        run->answer.sql = flat;
        tell_all(run);
        run->answer.sql = sql;
    }
}
