/*
 * Conditions that MongoDB can judge before anything is read: `column op literal`, joined
 * by AND, in the outermost WHERE. A filter may let more through than the condition, never
 * less: the SQL is judged once more where it runs. Names and values from the SQL become
 * names and values; the operators are the few that stand here.
 */
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/str.h"
#include "datasource/mongodb/mongodb_plan.h"

enum { PATH_MOST = 4096, LIST_MOST = 1000, KEY_SIZE = 24 };

struct filtering {
    struct mongodb_plan *plan;
    const struct mongodb_relations *relations;
};

static const struct {
    const char *sql;
    const char *operator; /* MongoDB's */
} comparisons[] = {
    {"=", "$eq"}, {"==", "$eq"},  {"<>", "$ne"}, {"!=", "$ne"},
    {"<", "$lt"}, {"<=", "$lte"}, {">", "$gt"},  {">=", "$gte"},
};

static const struct mongodb_column *column_find(const struct mongodb_part *part,
                                                const char *name)
{
    for (size_t i = 0; i < part->table->columns.count; i++) {
        if (str_equal_nocase(part->table->columns.items[i].name, name)) {
            return &part->table->columns.items[i];
        }
    }
    return NULL;
}

/* The one table that the name belongs to; NULL when that is not certain. */
static struct mongodb_part *part_of(const struct filtering *work, const char *qualifier,
                                    const char *name)
{
    struct mongodb_part *found = NULL;
    for (size_t i = 0; i < work->relations->count; i++) {
        const struct mongodb_relation *relation = &work->relations->items[i];
        if (qualifier) {
            if (relation->part && str_equal_nocase(relation->name, qualifier)) {
                if (found) {
                    return NULL;
                }
                found = relation->part;
            }
            continue;
        }
        if (!relation->part) {
            return NULL;
        }
        if (column_find(relation->part, name)) {
            if (found) {
                return NULL;
            }
            found = relation->part;
        }
    }
    return found;
}

/* A table that stands in the query twice is read once, for both. */
static bool part_stands_once(const struct mongodb_plan *plan,
                             const struct mongodb_part *part)
{
    size_t times = 0;
    for (size_t i = 0; i < plan->tokens.count; i++) {
        times += mongodb_names_table(plan, i, part);
    }
    return times == 1;
}

static bool column_path(const struct mongodb_column *column, struct buf *path)
{
    for (size_t i = 0; i < column->path.count; i++) {
        const char *name = column->path.items[i];
        if (!name[0] || name[0] == '$' || strchr(name, '.')) {
            return false;
        }
        (void)buf_format(path, "%s%s", i ? "." : "", name);
    }
    return column->path.count > 0 && !path->full;
}

static bool column_filters(const struct mongodb_part *part,
                           const struct mongodb_column *column)
{
    return column && !column->in_element && !column->is_position && !column->unlike &&
           column->kind >= MONGODB_BOOL && column->kind <= MONGODB_TIME &&
           (column->kind != MONGODB_TEXT || !part->shape->collated);
}

/* `filter` is kept as { "0": {…}, "1": {…} }: the list of an $and. */
static void condition_add(struct mongodb_part *part, const char *path,
                          const bson_t *judged)
{
    char key[KEY_SIZE];
    bson_iter_t iter;
    int place = 0;
    if (!part->filter) {
        part->filter = mongo.bson_new();
    }
    if (mongo.bson_iter_init(&iter, part->filter)) {
        while (mongo.bson_iter_next(&iter)) {
            place++;
        }
    }
    bson_t item;
    (void)snprintf(key, sizeof key, "%d", place);
    (void)mongo.bson_append_document_begin(part->filter, key, -1, &item);
    (void)mongo.bson_append_document(&item, path, -1, judged);
    (void)mongo.bson_append_document_end(part->filter, &item);
}

/* op literal | BETWEEN a AND b | IN (…) | IS NOT NULL; false: something else. *used: its
 * tokens. */
static bool condition_read(const struct token *tokens,
                           const struct mongodb_column *column, bson_t *judged,
                           size_t *used)
{
    size_t size = 0;
    for (size_t i = 0; i < sizeof comparisons / sizeof *comparisons; i++) {
        if (token_is_punct(tokens, comparisons[i].sql)) {
            bool ok = mongodb_literal(tokens + 1, column, judged,
                                      comparisons[i].operator, & size);
            *used = 1 + size;
            return ok;
        }
    }
    if (token_is(tokens, "between") &&
        mongodb_literal(tokens + 1, column, judged, "$gte", &size) &&
        token_is(tokens + 1 + size, "and")) {
        size_t second = 0;
        bool ok = mongodb_literal(tokens + 2 + size, column, judged, "$lte", &second);
        *used = 2 + size + second;
        return ok;
    }
    if (token_is(tokens, "in") && token_is_punct(tokens + 1, "(")) {
        bson_t list;
        char key[KEY_SIZE];
        size_t at = 2;
        bool ok = true;
        (void)mongo.bson_append_array_begin(judged, "$in", -1, &list);
        for (int i = 0; ok && i < LIST_MOST; i++) {
            (void)snprintf(key, sizeof key, "%d", i);
            ok = mongodb_literal(tokens + at, column, &list, key, &size);
            at += size;
            if (!ok || !token_is_punct(tokens + at, ",")) {
                break;
            }
            at++;
        }
        (void)mongo.bson_append_array_end(judged, &list);
        *used = at + 1;
        return ok && token_is_punct(tokens + at, ")");
    }
    if (token_is(tokens, "is") && token_is(tokens + 1, "not") &&
        token_is(tokens + 2, "null")) {
        *used = 3;
        return mongo.bson_append_null(judged, "$ne", -1);
    }
    return false;
}

/* NaN is greater than every number in DuckDB, and than none in MongoDB. */
static bool nan_matters(const struct mongodb_column *column, const struct token *operator)
{
    return column->kind == MONGODB_REAL &&
           (token_is_punct(operator, ">") || token_is_punct(operator, ">="));
}

static void conjunct_read(struct filtering *work, size_t at, size_t end)
{
    const struct token *tokens = work->plan->tokens.items;
    const char *qualifier = NULL;
    if (tokens[at].kind != TOKEN_NAME && tokens[at].kind != TOKEN_WORD) {
        return;
    }
    if (token_is_punct(&tokens[at + 1], ".")) {
        qualifier = tokens[at].text;
        at += 2;
    }
    struct mongodb_part *part = part_of(work, qualifier, tokens[at].text);
    const struct mongodb_column *column =
        part ? column_find(part, tokens[at].text) : NULL;
    if (!part || !column_filters(part, column) || !part_stands_once(work->plan, part) ||
        nan_matters(column, &tokens[at + 1])) {
        return;
    }
    struct buf path;
    bson_t judged;
    size_t used = 0;
    buf_init(&path, PATH_MOST);
    mongo.bson_init(&judged);
    if (column_path(column, &path) &&
        condition_read(&tokens[at + 1], column, &judged, &used) && at + 1 + used == end) {
        condition_add(part, buf_get(&path), &judged);
    }
    mongo.bson_destroy(&judged);
    buf_release(&path);
}

/* The end of the condition that begins here; *last: the clause ends with it. */
static size_t conjunct_end(const struct mongodb_plan *plan, size_t at, bool * or)
{
    const struct token *tokens = plan->tokens.items;
    int depth = 0;
    bool between = false;
    for (; at < plan->tokens.count; at++) {
        depth += token_is_punct(&tokens[at], "(") - token_is_punct(&tokens[at], ")");
        if (depth > 0 || token_is_punct(&tokens[at], ")")) {
            continue;
        }
        * or = * or || token_is(&tokens[at], "or");
        if (token_is(&tokens[at], "between")) {
            between = true;
        } else if (token_is(&tokens[at], "and") && between) {
            between = false;
        } else if (token_is(&tokens[at], "and") || token_is(&tokens[at], "group") ||
                   token_is(&tokens[at], "having") || token_is(&tokens[at], "order") ||
                   token_is(&tokens[at], "limit") || token_is(&tokens[at], "window") ||
                   token_is(&tokens[at], "qualify") || token_is(&tokens[at], "offset") ||
                   token_is(&tokens[at], "fetch") || token_is_punct(&tokens[at], ";")) {
            break;
        }
    }
    return at;
}

static bool where_has_or(const struct filtering *work)
{
    const struct token *tokens = work->plan->tokens.items;
    bool or = false;
    size_t at = work->relations->where;
    do {
        at = conjunct_end(work->plan, at + 1, & or);
    } while (token_is(&tokens[at], "and"));
    return or ;
}

/* A list of conditions becomes { $and: […] }. */
static void filter_wrap(struct mongodb_part *part)
{
    bson_t *whole = mongo.bson_new();
    (void)mongo.bson_append_array(whole, "$and", -1, part->filter);
    mongo.bson_destroy(part->filter);
    part->filter = whole;
}

void mongodb_filter_make(struct mongodb_plan *plan,
                         const struct mongodb_relations *relations)
{
    struct filtering work = {.plan = plan, .relations = relations};
    const struct token *tokens = plan->tokens.items;
    size_t at = relations->where;
    bool ignored = false;
    if (!token_is(&tokens[at], "where") || where_has_or(&work)) {
        return;
    }
    do {
        size_t end = conjunct_end(plan, at + 1, &ignored);
        conjunct_read(&work, at + 1, end);
        at = end;
    } while (token_is(&tokens[at], "and"));
    for (size_t i = 0; i < plan->parts.count; i++) {
        if (plan->parts.items[i].filter) {
            filter_wrap(&plan->parts.items[i]);
        }
    }
}
