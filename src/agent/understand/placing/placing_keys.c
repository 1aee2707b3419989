/* What the SQL assumes: joins by keys that nobody declared, and dates whose day and
 * month could be swapped. */
#include <string.h>

#include "agent/run_statement.h"
#include "agent/understand/placing/placing.h"
#include "base/str.h"
#include "model/kept.h"
#include "sql/resolve/resolve.h"

enum {
    KEYS_MOST = 6,
    /* Each lowers the score like this number of words whose meaning was assumed. */
    UNRELATED = 6,
    DATE_UNCLEAR = 3
};

/* One side of an equality: a column of a table of the schema. */
struct side {
    const struct table *table;
    const struct column *column;
};

static bool read_side(const struct sql_resolved *resolved, const struct sql_node *node,
                      struct side *out)
{
    const struct sql_reference *reference =
        sql_is(node, SQL_COLUMN) ? sql_reference_of(resolved, node) : NULL;
    *out = (struct side){0};
    if (reference && reference->column && !reference->fields) {
        out->column = reference->column;
        out->table = sql_reference_table(reference, NULL);
    }
    return out->table != NULL;
}

/* How sure the schema is of a key from the one column to the other; 0: it has none. */
static double key_confidence(const struct side *from, const struct side *to)
{
    const struct foreign_keys *keys = &from->table->foreign_keys;
    for (size_t i = 0; i < keys->count; i++) {
        const struct foreign_key *key = &keys->items[i];
        for (size_t c = 0; str_equal_nocase(key->table, to->table->name) &&
                           c < key->columns.count && c < key->references.count;
             c++) {
            if (str_equal_nocase(key->columns.items[c], from->column->name) &&
                str_equal_nocase(key->references.items[c], to->column->name)) {
                return key->confidence;
            }
        }
    }
    return 0;
}

/* Two tables with keys to the same column of a third belong together by them. */
static bool same_target(const struct side *a, const struct side *b)
{
    for (size_t i = 0; i < a->table->foreign_keys.count; i++) {
        const struct foreign_key *key = &a->table->foreign_keys.items[i];
        const struct table *table = NULL;
        for (size_t k = 0; k < b->table->foreign_keys.count; k++) {
            const struct foreign_key *other = &b->table->foreign_keys.items[k];
            bool same =
                key->columns.count == 1 && other->columns.count == 1 &&
                key->confidence >= 1 && other->confidence >= 1 &&
                str_equal_nocase(key->table, other->table) &&
                str_equal_nocase(key->references.items[0], other->references.items[0]) &&
                str_equal_nocase(key->columns.items[0], a->column->name) &&
                str_equal_nocase(other->columns.items[0], b->column->name);
            table = same ? b->table : table;
        }
        if (table) {
            return true;
        }
    }
    return false;
}

/* The sentence about a join; NULL: it goes by a declared key. */
static const char *about_join(struct run *run, const struct side *left,
                              const struct side *right)
{
    double forward = key_confidence(left, right);
    double backward = key_confidence(right, left);
    double sure = forward > backward ? forward : backward;
    const struct side *from = backward > forward ? right : left;
    const struct side *to = from == left ? right : left;
    if (sure >= 1 || same_target(left, right)) {
        return NULL;
    }
    return arena_format(run->arena, "No key is declared for %s.%s = %s.%s%s",
                        from->table->name, from->column->name, to->table->name,
                        to->column->name, sure > 0 ? "; the names and values fit." : ".");
}

static bool has_text(const struct texts *texts, const char *text)
{
    for (size_t i = 0; i < texts->count; i++) {
        if (str_equal(texts->items[i], text)) {
            return true;
        }
    }
    return false;
}

/* The column of `SELECT column FROM …`; NULL: the query has another form. */
static const struct sql_node *only_column(const struct sql_node *query)
{
    query = sql_is(query, SQL_SUBQUERY) ? query->children[SINGLE_VALUE] : query;
    const struct sql_node *select =
        sql_is(query, SQL_QUERY) ? query->children[QUERY_BODY] : NULL;
    const struct sql_node *items =
        sql_is(select, SQL_SELECT) ? select->children[SELECT_ITEMS] : NULL;
    const struct sql_node *item = items && items->count == 1 ? items->children[0] : NULL;
    return sql_is(item, SQL_ITEM) ? item->children[SINGLE_VALUE] : NULL;
}

/* Numbers under different names that no key relates are numbers of different things. */
static bool are_unrelated(const struct side *left, const struct side *right)
{
    return key_confidence(left, right) <= 0 && key_confidence(right, left) <= 0 &&
           !left->column->is_text && !right->column->is_text &&
           !str_equal_nocase(left->column->name, right->column->name);
}

/* x IN (SELECT y …) relates the columns as a join does, also within a table. */
static const char *about_in(struct run *run, const struct sql_resolved *resolved,
                            const struct sql_node *in, bool *unrelated)
{
    struct side left;
    struct side right;
    const struct sql_node *inner = only_column(in->children[PAIR_RIGHT]);
    if (!inner || !read_side(resolved, in->children[PAIR_LEFT], &left) ||
        !read_side(resolved, inner, &right) || left.column == right.column) {
        return NULL;
    }
    const char *text = about_join(run, &left, &right);
    *unrelated = text && are_unrelated(&left, &right);
    return text;
}

static void note_ins(struct run *run, struct texts *found)
{
    struct sql_nodes ins = {0};
    const struct sql_resolved *resolved = run_resolved(run, run->answer.sql);
    sql_collect(run->scratch, run_statement(run, run->answer.sql)->root, SQL_IN, &ins);
    for (size_t i = 0; i < ins.count && found->count < KEYS_MOST; i++) {
        bool unrelated = false;
        const char *text = about_in(run, resolved, ins.items[i], &unrelated);
        if (text && !has_text(found, text)) {
            VEC_PUSH(run->scratch, found, text);
            VEC_PUSH(run->arena, &run->answer.assumptions, text);
            run->answer.words_assumed += unrelated ? UNRELATED : 0;
        }
    }
}

void placing_note_keys(struct run *run)
{
    struct answer *answer = &run->answer;
    struct sql_nodes pairs = {0};
    if (!run_schema(run) || !answer->sql || run->request.given_sql ||
        run->request.correction.joins.count || answer->brain == BRAIN_LESSON ||
        !run_statement(run, answer->sql)->root) {
        return;
    }
    const struct sql_resolved *resolved = run_resolved(run, answer->sql);
    struct texts found = {0};
    sql_collect(run->scratch, run_statement(run, answer->sql)->root, SQL_BINARY, &pairs);
    for (size_t i = 0; i < pairs.count && found.count < KEYS_MOST; i++) {
        struct side left;
        struct side right;
        const struct sql_node *pair = pairs.items[i];
        const char *text =
            str_equal(pair->text, "=") &&
                    read_side(resolved, pair->children[PAIR_LEFT], &left) &&
                    read_side(resolved, pair->children[PAIR_RIGHT], &right) &&
                    left.table != right.table
                ? about_join(run, &left, &right)
                : NULL;
        if (text && !has_text(&found, text)) {
            VEC_PUSH(run->scratch, &found, text);
            VEC_PUSH(run->arena, &answer->assumptions, text);
        }
    }
    note_ins(run, &found);
    answer->words_assumed += found.count > 0;
}

/* A date that is only shown is shown as it is. */
static bool is_only_shown(const struct sql_nodes *items, const struct sql_node *node)
{
    for (size_t i = 0; i < items->count; i++) {
        if (items->items[i]->children[SINGLE_VALUE] == node) {
            return true;
        }
    }
    return false;
}

void placing_note_dates(struct run *run)
{
    struct sql_nodes items = {0};
    struct texts told = {0};
    const char *sql = run->answer.sql;
    if (!run_schema(run) || !sql || !run_statement(run, sql)->root) {
        return;
    }
    const struct sql_resolved *resolved = run_resolved(run, sql);
    sql_collect(run->scratch, run_statement(run, sql)->root, SQL_ITEM, &items);
    for (size_t i = 0; i < resolved->references.count; i++) {
        const struct sql_reference *reference = resolved->references.items[i];
        struct kept kept = {0};
        if (!reference->column || is_only_shown(&items, reference->node) ||
            has_text(&told, reference->column->name)) {
            continue;
        }
        kept_of(reference->column, &kept);
        if (kept.unclear) {
            VEC_PUSH(run->scratch, &told, reference->column->name);
            run_warn(run,
                     "%s is text such as '%s': nothing says whether the day or the month "
                     "comes first, so it is compared as text.",
                     reference->column->name, kept.example);
        }
    }
    run->answer.words_assumed += told.count ? DATE_UNCLEAR : 0;
}
