/* Learns lessons from corrections and errors of a finished question. */
#include "agent/memory/learning.h"

#include <ctype.h>
#include <string.h>

#include "agent/memory/conversation.h"
#include "agent/memory/remembering.h"
#include "base/log.h"
#include "base/str.h"
#include "knowledge/words/phrase.h"
#include "model/actor.h"

static const double by_user = 0.95;
static const double by_error = 0.8;
static const double by_error_and_rule = 0.9;

enum {
    MISSPELT = 2, /* letters: the nearest name is found without a lesson */
    FUNCTION_MOST = 64,
};

static void keep(struct run *run, enum lesson_kind kind, const char *said,
                 const char *meant, const char *source, double confidence)
{
    struct lessons_scope scope = remembering_scope(run);
    struct lesson lesson = {.kind = kind,
                            .schema_name = said,
                            .actual_name = meant,
                            .source = source,
                            .confidence = confidence};
    struct err err;
    err_clear(&err);
    if (!lessons_learn(&scope, &lesson, &err)) {
        LOG(LOG_AGENT, LOG_INFO, "a lesson was not kept: %s", err.message);
    }
}

/* Does one name come from the other by a prefix or a suffix? */
static bool rule_leads(struct run *run, const char *from, const char *to)
{
    struct lesson pair = {
        .kind = LESSON_TABLE, .schema_name = from, .actual_name = to, .confidence = 1};
    struct err err;
    return lesson_check(run->scratch, remembering_scope(run).dialect, &pair, &err) &&
           pair.transformation_rule && str_starts(pair.transformation_rule, "add_");
}

/* The question in words that stand alone: as typed, or the full wording of a follow-up; NULL: there are none.
 * What a correction after an answer is about stands earlier in the conversation. */
static const char *own_question(struct run *run)
{
    const char *text = run->answer.rewritten;
    if (text && conversation_whole(run, text)) {
        return text;
    }
    return run->request.history.count ? NULL : run->question.text;
}

static const char *typed(struct run *run)
{
    const char *own = own_question(run);
    return own ? own : run->question.text;
}

/* The words of the question that name the table, as typed: "customer" for PROD_Customers.
 * NULL: it has none. */
static const char *words_for(struct run *run, const struct table *table)
{
    struct phrase_words question;
    struct phrase_words name;
    phrase_split(run->scratch, typed(run), &question);
    phrase_split(run->scratch, table->bare_name, &name);
    size_t best = 0;
    size_t best_at = 0;
    for (size_t i = 0; i < question.count; i++) {
        size_t size = 0;
        for (; i + size < question.count; size++) {
            struct phrase_words one = {&question.items[i + size], 1, 1};
            size_t first = 0;
            if (word_is_common(question.items[i + size].folded) ||
                !phrase_find(&name, &one, &first)) {
                break;
            }
        }
        if (size > best) {
            best = size;
            best_at = i;
        }
    }
    if (best == 0) {
        return NULL;
    }
    const char *start = question.items[best_at].start;
    const struct word *last = &question.items[best_at + best - 1];
    return arena_copy(run->scratch, start, (size_t)(last->start + last->size - start));
}

static bool says(struct run *run, const char *name)
{
    struct phrase_words question;
    struct phrase_words phrase;
    size_t first = 0;
    phrase_split(run->scratch, typed(run), &question);
    phrase_split(run->scratch, name, &phrase);
    return phrase_find(&question, &phrase, &first);
}

/* "Use PROD_Customers, not Customers": from now on the rejected name means the other
 * table, and so do its prefix and the words of the question for it. */
static void learn_table(struct run *run, const struct table *chosen)
{
    const char *said = NULL;
    const struct texts *refused = &run->request.correction.reject_tables;
    for (size_t i = 0; i < refused->count && !said; i++) {
        const struct table *other = schema_table(run_schema(run), refused->items[i]);
        const char *name = other ? other->bare_name : refused->items[i];
        bool meant = other || says(run, name); /* an option may be any word */
        said = meant && rule_leads(run, name, chosen->bare_name) ? name : NULL;
    }
    said = said ? said : words_for(run, chosen);
    if (said) {
        keep(run, LESSON_TABLE, said, chosen->name, "user_correction", by_user);
    }
}

void learning_keep_meaning(struct run *run)
{
    if (run->options->agent_learn && run->agent->store && !run->question.skip_memory) {
        keep(run, LESSON_COLUMN, run->request.meant_word, run->request.meant_column,
             "user_correction", by_user);
    }
}

static bool answers_with(const struct run *run, const struct table *table)
{
    for (size_t i = 0; i < run->answer.tables.count; i++) {
        if (schema_table(run_schema(run), run->answer.tables.items[i]) == table) {
            return true;
        }
    }
    return false;
}

static bool is_clock_made(const struct run *run)
{
    bool made = false;
    for (size_t i = 0; i < run->memory.known.count; i++) {
        made = made || run->memory.known.items[i].clock_made;
    }
    return made;
}

/* A table that is refused now may have been chosen by the correction just before. */
static void take_back(struct run *run)
{
    struct lessons_scope scope = remembering_scope(run);
    struct err err;
    err_clear(&err);
    if (!lessons_take_back(&scope, &run->request.correction.reject_tables, &err)) {
        LOG(LOG_AGENT, LOG_INFO, "a lesson was not taken back: %s", err.message);
    }
}

static void learn_from_user(struct run *run)
{
    const struct correction *correction = &run->request.correction;
    take_back(run);
    for (size_t i = 0; i < correction->use_tables.count; i++) {
        const struct table *table =
            schema_table(run_schema(run), correction->use_tables.items[i]);
        if (table && answers_with(run, table)) {
            learn_table(run, table);
        }
    }
    bool corrected = correction->use_tables.count || correction->reject_tables.count ||
                     correction->joins.count;
    const char *question = own_question(run);
    /* SQL has values, and the account's lessons are for all its people: also for those whose claims
     * hide these values. The history, which is the person's own, keeps the answer. */
    bool for_all = !actor_has_claims(run->question.account);
    if (corrected && for_all && question && !run->request.details.count &&
        !is_clock_made(run)) {
        keep(run, LESSON_QUERY, question,
             run->query.unlimited ? run->query.unlimited : run->answer.sql,
             "user_correction", by_user);
    }
}

/* The only item of one list that the other lacks; NULL when there are more, or none. */
static const char *only_new(const struct texts *list, const struct texts *other)
{
    const char *found = NULL;
    for (size_t i = 0; i < list->count; i++) {
        bool there = false;
        for (size_t k = 0; k < other->count && !there; k++) {
            there = str_equal_nocase(list->items[i], other->items[k]);
        }
        if (!there && found && !str_equal_nocase(found, list->items[i])) {
            return NULL;
        }
        found = there ? found : list->items[i];
    }
    return found;
}

static void learn_table_name(struct run *run, const struct guard_result *failed,
                             const struct guard_result *worked)
{
    const char *wrong = only_new(&failed->tables, &worked->tables);
    const char *right = only_new(&worked->tables, &failed->tables);
    const struct table *table = right ? schema_table(run_schema(run), right) : NULL;
    if (!wrong || !table || schema_table(run_schema(run), wrong)) {
        return;
    }
    bool rule = rule_leads(run, wrong, table->bare_name);
    if (rule || str_distance(wrong, table->bare_name, MISSPELT) > MISSPELT) {
        keep(run, LESSON_TABLE, wrong, table->name, "error_recovery",
             rule ? by_error_and_rule : by_error);
    }
}

static const char *bare(const char *name)
{
    const char *dot = name ? strrchr(name, '.') : NULL;
    return dot ? dot + 1 : name;
}

/* "table.column" of a column that one table of the query has. */
static const char *full_column(struct run *run, const struct guard_result *sql,
                               const char *name)
{
    const struct table *owner = NULL;
    const char *dot = strrchr(name, '.');
    const char *of = dot ? arena_copy(run->scratch, name, (size_t)(dot - name)) : NULL;
    for (size_t i = 0; i < sql->tables.count; i++) {
        const struct table *table = schema_table(run_schema(run), sql->tables.items[i]);
        if (table && table_column(table, bare(name)) &&
            (!of || schema_table(run_schema(run), of) == table)) {
            if (owner && owner != table) {
                return NULL;
            }
            owner = table;
        }
    }
    return owner ? arena_format(run->scratch, "%s.%s", owner->name, bare(name)) : NULL;
}

static void learn_column_name(struct run *run, const struct guard_result *failed,
                              const struct guard_result *worked)
{
    struct texts none = {0};
    const char *wrong = bare(only_new(&failed->unknown, &none));
    const char *right = only_new(&worked->columns, &failed->columns);
    const char *full = right ? full_column(run, worked, right) : NULL;
    if (wrong && full && failed->verdict == GUARD_READ &&
        str_distance(wrong, bare(full), MISSPELT) > MISSPELT) {
        keep(run, LESSON_COLUMN, wrong, full, "error_recovery", by_error);
    }
}

static bool learning_is_plain(const char *name)
{
    size_t size = name ? strlen(name) : 0;
    for (size_t i = 0; i < size; i++) {
        if (!isalnum((unsigned char)name[i]) && name[i] != '_') {
            return false;
        }
    }
    return size > 0 && size <= FUNCTION_MOST;
}

/* A function of another dialect: what stood in its place when the SQL worked. The words
 * are ours: what a message or a reply says may come from anywhere. */
static void learn_function(struct run *run, const struct guard_result *failed,
                           const struct guard_result *worked)
{
    const char *wrong = failed->unlisted
                            ? failed->word
                            : only_new(&failed->functions, &worked->functions);
    const char *right = only_new(&worked->functions, &failed->functions);
    if (learning_is_plain(wrong) && learning_is_plain(right) &&
        str_contains_nocase(run->query.first_error->message, wrong)) {
        keep(run, LESSON_ERROR, wrong,
             arena_format(run->scratch, "Use the function %s instead of %s.", right,
                          wrong),
             "error_recovery", failed->unlisted ? by_error_and_rule : by_error);
    }
}

static void learn_from_error(struct run *run)
{
    enum dialect dialect = remembering_scope(run).dialect;
    struct guard_result plain = {0};
    struct guard_result failed = {0};
    struct guard_result worked = {0};
    const char *first = run->query.first_failed_sql;
    const char *sql = run->answer.sql;
    guard_check(run->scratch, dialect, first, strlen(first), NULL, &plain);
    guard_check(run->scratch, dialect, first, strlen(first), run_schema(run), &failed);
    guard_check(run->scratch, dialect, sql, strlen(sql), run_schema(run), &worked);
    if (worked.verdict == GUARD_READ && plain.verdict == GUARD_READ) {
        learn_table_name(run, &plain, &worked);
        learn_column_name(run, &failed, &worked);
    }
    if (worked.verdict == GUARD_READ && run->query.first_error) {
        learn_function(run, &plain, &worked);
    }
}

void learning_rest(struct run *run)
{
    bool success = run->state == STATE_FINISHED && run->answer.has_rows &&
                   run->answer.sql && !run->query.is_write && !run->request.given_sql &&
                   !run->query.hit;
    if (!success || !run->options->agent_learn || !run->agent->store ||
        !run_schema(run)) {
        return;
    }
    learn_from_user(run);
    if (run->query.first_failed_sql) {
        learn_from_error(run);
    }
}
