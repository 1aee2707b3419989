/* Finds the aggregates over rows that a join repeats. */
#include "sql/counting/fanout.h"

#include <stdint.h>
#include <string.h>

#include "base/str.h"
#include "base/vec.h"
#include "model/schema.h"
#include "sql/function.h"

/* Aggregates for which it does not matter how often a row comes. */
static const char *const immune[] = {"any",        "any_value",
                                     "anylast",    "approx_count_distinct",
                                     "arg_max",    "arg_min",
                                     "argmax",     "argmin",
                                     "bit_and",    "bit_or",
                                     "bool_and",   "bool_or",
                                     "every",      "first",
                                     "last",       "logical_and",
                                     "logical_or", "max",
                                     "max_by",     "min",
                                     "min_by",     "uniq",
                                     "uniqexact",  "uniqcombined",
                                     "uniqhll12",  "approx_distinct",
                                     "grouping",   "groupuniqarray"};

bool fanout_is_additive(enum dialect dialect, const struct sql_node *call)
{
    if (call->kind != SQL_CALL || call->children[CALL_OVER] ||
        sql_has(call, FLAG_DISTINCT) ||
        !function_has(function_find(dialect, call->text), 'a')) {
        return false;
    }
    for (size_t i = 0; i < sizeof immune / sizeof *immune; i++) {
        if (str_equal_nocase(call->text, immune[i])) {
            return false;
        }
    }
    return true;
}

/* A column whose value may belong to each use of the thing: the price of a product is paid
 * with every sale. Decides nothing where the question says whose value it asks for. */
static bool is_whole_name(const char *column)
{
    static const char *const words[] = {"shipping", "freight", "postage", "delivery"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (str_contains_nocase(column, words[i])) {
            return true;
        }
    }
    return false;
}

static bool is_rate_name(const char *column)
{
    static const char *const words[] = {
        "price",  "cost",  "fee",      "fare",  "rate",    "tariff",  "point", "duration",
        "credit", "calor", "distance", "hours", "minutes", "seconds", "unit"};
    if (is_whole_name(column)) {
        return false;
    }
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (str_contains_nocase(column, words[i])) {
            return true;
        }
    }
    return false;
}

/* ------------------------------------------------------------------ one aggregate */

struct finding {
    struct arena *arena;
    const struct sql_statement *statement;
    const struct grain *grain;
    struct fanouts *out;
};

/* The values that are added up: of CASE WHEN paid THEN amount END only the amount, of CASE WHEN
 * paid THEN 1 END none. */
static bool value_relations(const struct grain *grain, const struct sql_node *node,
                            bool *marked)
{
    if (node->kind != SQL_CASE) {
        return grain_relations_in(grain, node, marked);
    }
    const struct sql_node *whens = node->children[CASE_WHENS];
    bool certain = true;
    for (size_t i = 0; i < whens->count; i++) {
        certain &=
            value_relations(grain, whens->children[i]->children[PAIR_RIGHT], marked);
    }
    if (node->children[CASE_ELSE]) {
        certain &= value_relations(grain, node->children[CASE_ELSE], marked);
    }
    return certain;
}

/* Does any column of the value have such a name? */
static bool has_name(const struct grain *grain, const struct sql_node *node,
                     bool (*is_so)(const char *column))
{
    const struct sql_reference *reference =
        node->kind == SQL_COLUMN ? sql_reference_of(grain->resolved, node) : NULL;
    if (reference && reference->output && reference->output->name) {
        return is_so(reference->output->name);
    }
    for (size_t i = 0; i < node->count; i++) {
        if (node->children[i] && has_name(grain, node->children[i], is_so)) {
            return true;
        }
    }
    return false;
}

/* What GROUP BY says in this place: "1" and the alias of an item are that item. */
static const struct sql_node *grouped_value(const struct grain *grain, size_t place)
{
    const struct sql_node *value =
        grain->scope->node->children[SELECT_GROUP]->children[place];
    const struct sql_node *items = grain->scope->node->children[SELECT_ITEMS];
    size_t number = value->kind == SQL_NUMBER ? (size_t)(value->text[0] - '1') : SIZE_MAX;
    bool name = value->kind == SQL_COLUMN && value->count == 1;
    const struct sql_reference *reference =
        name ? sql_reference_of(grain->resolved, value) : NULL;
    for (size_t i = 0; i < items->count; i++) {
        const struct sql_node *item = items->children[i];
        bool alias = name && !(reference && reference->relation) &&
                     str_equal_nocase(item->text, value->children[0]->text);
        if (i == number || alias) {
            return item->children[SINGLE_VALUE];
        }
    }
    return value;
}

/* The values that a group has in common, as they can be written beside the joined rows. */
static struct sql_node *group_values(const struct grain *grain)
{
    const struct sql_node *group = grain->scope->node->children[SELECT_GROUP];
    struct sql_node *list = sql_node(grain->arena, SQL_LIST, NULL);
    if (!group || group->text || sql_has(group, FLAG_GROUP_ALL)) {
        return NULL;
    }
    for (size_t i = 0; i < group->count; i++) {
        bool marked[GRAIN_RELATIONS] = {false};
        const struct sql_node *value = grouped_value(grain, i);
        if (!grain_relations_in(grain, value, marked) ||
            !memchr(marked, true, sizeof marked)) {
            return NULL;
        }
        sql_add(grain->arena, list, sql_clone(grain->arena, value));
    }
    return list;
}

/* Is a relation outside of `covered` part of what is grouped by? */
static bool groups_by_others(const struct grain *grain, const bool *covered)
{
    const struct sql_node *group = grain->scope->node->children[SELECT_GROUP];
    bool marked[GRAIN_RELATIONS] = {false};
    for (size_t i = 0; group && i < group->count; i++) {
        if (!grain_relations_in(grain, grouped_value(grain, i), marked)) {
            return true;
        }
    }
    for (size_t i = 0; i < grain->scope->relations.count; i++) {
        if (marked[i] && !covered[i]) {
            return true;
        }
    }
    return group && (sql_has(group, FLAG_GROUP_ALL) || group->text);
}

/* Which relation repeats: the one of which there may be several; by preference one that
 * refers to what is covered. */
static const struct sql_relation *repeater_of(const struct grain *grain,
                                              const bool *covered)
{
    for (int direct = 1; direct >= 0; direct--) {
        for (size_t i = 0; i < grain->equalities.count && direct; i++) {
            const struct grain_equality *equal = &grain->equalities.items[i];
            if (equal->right != GRAIN_FIXED &&
                covered[equal->left] != covered[equal->right]) {
                return grain->scope->relations
                    .items[covered[equal->left] ? equal->right : equal->left];
            }
        }
        for (size_t i = 0; i < grain->scope->relations.count && !direct; i++) {
            if (!covered[i]) {
                return grain->scope->relations.items[i];
            }
        }
    }
    return NULL;
}

/* Several rows have the same value in this column, as far as the rows were counted. */
static bool is_repeated(const struct sql_relation *relation,
                        const struct sql_output *output)
{
    const struct table *table = relation->table;
    const struct column *column = output ? output->column : NULL;
    if (!table || !column || !table->row_count_exact || column->distinct < 0) {
        return false;
    }
    double nulls = column->null_share > 0 ? column->null_share : 0;
    return (double)column->distinct < (double)table->row_count * (1 - nulls) - 0.5;
}

/* A table without any key, such as the lines of an uploaded file: it repeats what it is
 * joined to by one column that has values several times. */
static bool repeats_others(const struct grain *grain, size_t relation)
{
    const struct sql_output *joined = NULL;
    size_t count = 0;
    for (size_t i = 0; i < grain->equalities.count; i++) {
        const struct grain_equality *equal = &grain->equalities.items[i];
        if (equal->left == relation || equal->right == relation) {
            joined = equal->left == relation ? equal->left_column : equal->right_column;
            count++;
        }
    }
    return count == 1 && is_repeated(grain->scope->relations.items[relation], joined);
}

/* A relation whose keys are unknown is not proven to repeat rows. */
static bool keys_known(const struct grain *grain, const bool *covered)
{
    for (size_t i = 0; i < grain->scope->relations.count; i++) {
        if (!covered[i] && !grain->keys[i].count && !repeats_others(grain, i)) {
            return false;
        }
    }
    return true;
}

static bool determines(const struct grain *grain, size_t relation, size_t other)
{
    bool marked[GRAIN_RELATIONS] = {false};
    marked[relation] = true;
    grain_close(grain, marked);
    return marked[other];
}

/* Within a group there is one row of it anyway. */
static bool is_in_group(const struct grain *grain, size_t relation)
{
    bool marked[GRAIN_RELATIONS] = {false};
    grain_close_group(grain, marked);
    return marked[relation];
}

/* Does the join repeat the rows of this relation? */
static bool judge_subject(struct finding *finding, struct sql_node *call, size_t subject,
                          struct fanout *out)
{
    const struct grain *grain = finding->grain;
    bool covered[GRAIN_RELATIONS] = {false};
    bool in_group[GRAIN_RELATIONS] = {false};
    covered[subject] = in_group[subject] = true;
    if (grain_close(grain, covered) || grain_close_group(grain, in_group) ||
        !keys_known(grain, covered)) {
        return false;
    }
    const struct sql_relation *repeater = repeater_of(grain, covered);
    const struct grain_key *key = grain_key_of(grain, subject);
    if (!repeater || !key) {
        return false;
    }
    *out = (struct fanout){
        .scope = grain->scope,
        .call = call,
        .subject = grain->scope->relations.items[subject],
        .repeater = repeater,
        .key = key,
        .counts = str_starts_nocase(call->text, "count"),
        .looked_up = determines(grain, repeater->place, subject),
        .rate = has_name(grain, call->children[CALL_ARGUMENTS], is_rate_name),
        .whole = has_name(grain, call->children[CALL_ARGUMENTS], is_whole_name),
        .grouped_by_repeater = groups_by_others(grain, covered)};
    out->within = out->grouped_by_repeater ? group_values(grain) : NULL;
    return !out->counts || !is_in_group(grain, subject);
}

/* COUNT(*) counts whatever the rows are; whether that is meant, the question tells. The same
 * goes for a figure that counts the rows for which something holds. */
static void judge_star(struct finding *finding, struct sql_node *call,
                       const struct indicator *indicator)
{
    const struct sql_node *arguments = call->children[CALL_ARGUMENTS];
    bool star = str_equal_nocase(call->text, "count") && arguments->count == 1 &&
                sql_is(arguments->children[0], SQL_STAR) && !call->children[CALL_FILTER];
    if (!star && !indicator->condition) {
        return;
    }
    for (size_t i = 0; i < finding->grain->scope->relations.count; i++) {
        struct fanout fanout;
        if (judge_subject(finding, call, i, &fanout)) {
            fanout.star = true;
            fanout.counts = true;
            fanout.indicator = *indicator;
            VEC_PUSH(finding->arena, finding->out, fanout);
        }
    }
}

/* x, or COALESCE(x, 0) */
static const struct sql_reference *term_of(const struct grain *grain,
                                           const struct sql_node *node)
{
    static const char *const same[] = {"coalesce", "ifnull", "nvl", "abs", "round"};
    const struct sql_node *inner = NULL;
    for (size_t i = 0; node->kind == SQL_CALL && i < sizeof same / sizeof *same; i++) {
        inner = str_equal_nocase(node->text, same[i])
                    ? sql_child(node->children[CALL_ARGUMENTS], 0)
                    : inner;
    }
    node = inner ? inner : node;
    return node->kind == SQL_COLUMN ? sql_reference_of(grain->resolved, node) : NULL;
}

/* The values that a chain of + and - adds up: the first one whose rows the join repeats. What
 * is multiplied or divided is for each line. */
static bool judge_terms(struct finding *finding, struct sql_node *call,
                        const struct sql_node *node, struct fanout *out)
{
    const struct grain *grain = finding->grain;
    if (sql_is(node, SQL_BINARY) && strpbrk(node->text, "+-") && !node->text[1]) {
        return judge_terms(finding, call, node->children[PAIR_LEFT], out) ||
               judge_terms(finding, call, node->children[PAIR_RIGHT], out);
    }
    const struct sql_reference *term = term_of(grain, node);
    if (!term || !term->relation || term->relation->scope != grain->scope ||
        !judge_subject(finding, call, term->relation->place, out)) {
        return false;
    }
    out->rate = term->output && term->output->name && is_rate_name(term->output->name);
    return !out->grouped_by_repeater && !(out->rate && out->looked_up);
}

/* SUM(a.x - b.y), where the join repeats the rows of a or b. */
static void judge_mixed(struct finding *finding, struct sql_node *call)
{
    const struct sql_node *arguments = call->children[CALL_ARGUMENTS];
    struct fanout fanout;
    bool average = str_equal_nocase(call->text, "avg");
    if (arguments->count == 1 && (average || str_equal_nocase(call->text, "sum")) &&
        judge_terms(finding, call, arguments->children[0], &fanout) &&
        !(average && fanout.looked_up)) {
        fanout.mixed = true;
        VEC_PUSH(finding->arena, finding->out, fanout);
    }
}

static void judge(struct finding *finding, struct sql_node *call)
{
    const struct grain *grain = finding->grain;
    const struct sql_node *arguments = call->children[CALL_ARGUMENTS];
    bool subjects[GRAIN_RELATIONS] = {false};
    size_t subject = 0;
    size_t several = 0;
    struct indicator indicator;
    if (indicator_read(call, &indicator)) {
        judge_star(finding, call, &indicator);
        return;
    }
    for (size_t i = 0; i < arguments->count; i++) {
        if (!value_relations(grain, arguments->children[i], subjects)) {
            return;
        }
    }
    for (size_t i = 0; i < grain->scope->relations.count; i++) {
        several += subjects[i];
        subject = subjects[i] ? i : subject;
    }
    struct fanout fanout;
    if (several == 0) {
        judge_star(finding, call, &indicator);
    } else if (several == 1 && judge_subject(finding, call, subject, &fanout)) {
        VEC_PUSH(finding->arena, finding->out, fanout);
    } else if (several > 1) {
        judge_mixed(finding, call);
    }
}

static bool visit(void *context, struct sql_node *node)
{
    struct finding *finding = context;
    if (node->kind == SQL_QUERY || node->kind == SQL_SELECT) {
        return false; /* a subquery has its own rows */
    }
    if (fanout_is_additive(finding->statement->dialect, node)) {
        judge(finding, node);
        return false;
    }
    return true;
}

void fanout_find(struct arena *arena, const struct sql_statement *statement,
                 const struct sql_resolved *resolved, struct fanouts *out)
{
    for (size_t i = 0; i < resolved->scopes.count; i++) {
        struct grain grain;
        const struct sql_scope *scope = resolved->scopes.items[i];
        if (scope->relations.count < 2 || !grain_read(arena, resolved, scope, &grain)) {
            continue;
        }
        struct finding finding = {arena, statement, &grain, out};
        sql_walk(scope->node->children[SELECT_ITEMS], visit, &finding);
        sql_walk(scope->node->children[SELECT_HAVING], visit, &finding);
    }
}
