/* Which of several keys the SQL joins by, and which it should join by. */
#include "agent/joins/join_choice.h"

#include <string.h>

#include "agent/run_statement.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/str.h"
#include "knowledge/words/words.h"

enum { SQL_MOST = 1 << 20, NEAR = 4 };

/* The parts of "flights.origin_id = airports.id". */
struct pair {
    const char *tables[2];
    const char *columns[2];
};

static bool pair_side(struct pair *pair, int side, struct arena *arena, const char *text)
{
    const char *clean = str_trim(arena, text);
    const char *dot = strrchr(clean, '.');
    if (!dot || strchr(clean, ' ')) {
        return false;
    }
    pair->tables[side] = arena_copy(arena, clean, (size_t)(dot - clean));
    pair->columns[side] = dot + 1;
    return true;
}

static bool pair_read(struct pair *pair, struct arena *arena, const char *condition)
{
    const char *equals = strchr(condition, '=');
    return equals &&
           pair_side(pair, 0, arena,
                     arena_copy(arena, condition, (size_t)(equals - condition))) &&
           pair_side(pair, 1, arena, equals + 1);
}

/* The first condition of a join, when it is a.x = b.y. */
static const struct sql_node *equality_of(const struct sql_node *join)
{
    const struct sql_node *on = join->children[JOIN_ON];
    while (sql_is(on, SQL_BINARY) && str_equal(on->text, "AND")) {
        on = on->children[PAIR_LEFT];
    }
    bool is = sql_is(on, SQL_BINARY) && str_equal(on->text, "=");
    for (size_t i = 0; is && i < PAIR_SLOTS; i++) {
        is = on->children[i]->kind == SQL_COLUMN && on->children[i]->count == 2;
    }
    return is ? on : NULL;
}

static struct pair pair_of(const struct sql_node *equality)
{
    const struct sql_node *left = equality->children[PAIR_LEFT];
    const struct sql_node *right = equality->children[PAIR_RIGHT];
    return (struct pair){{left->children[0]->text, right->children[0]->text},
                         {left->children[1]->text, right->children[1]->text}};
}

/* Between the same two tables; *turned: the other way round. */
static bool same_tables(const struct pair *a, const struct pair *b, bool *turned)
{
    *turned = str_equal_nocase(a->tables[0], b->tables[1]) &&
              str_equal_nocase(a->tables[1], b->tables[0]);
    return *turned || (str_equal_nocase(a->tables[0], b->tables[0]) &&
                       str_equal_nocase(a->tables[1], b->tables[1]));
}

static bool same_columns(const struct pair *a, const struct pair *b, bool turned)
{
    return str_equal_nocase(a->columns[0], b->columns[turned]) &&
           str_equal_nocase(a->columns[1], b->columns[!turned]);
}

/* The condition of the only join between the two tables; NULL: none, or several. */
static const struct sql_node *only_join(struct run *run, const char *sql,
                                        const struct pair *pair)
{
    const struct sql_node *found = NULL;
    struct sql_nodes joins = {0};
    sql_collect(run->scratch, run_statement(run, sql)->root, SQL_JOIN, &joins);
    for (size_t i = 0; i < joins.count; i++) {
        const struct sql_node *equality = equality_of(joins.items[i]);
        bool turned;
        if (!equality) {
            continue;
        }
        struct pair here = pair_of(equality);
        if (same_tables(pair, &here, &turned)) {
            if (found) {
                return NULL;
            }
            found = equality;
        }
    }
    return found;
}

static bool text_has(const char *text, const char *folded)
{
    struct words words;
    struct word word;
    words_init(&words, text);
    while (words_next(&words, &word)) {
        size_t size = strlen(folded);
        if (str_equal(word.folded, folded) ||
            (size >= NEAR && strncmp(word.folded, folded, NEAR) == 0)) {
            return true;
        }
    }
    return false;
}

/* Does the question contain a word of this option's columns that no other option has? */
static bool is_named(const struct run *run, const struct joins_result *result, size_t own)
{
    const char *question = run->question.text;
    struct words words;
    struct word word;
    words_init(&words, result->options.items[own].condition);
    while (words_next(&words, &word)) {
        bool shared = false;
        for (size_t i = 0; i < result->options.count; i++) {
            shared = shared || (i != own && text_has(result->options.items[i].condition,
                                                     word.folded));
        }
        if (!shared && text_has(question, word.folded)) {
            return true;
        }
    }
    return false;
}

/* Does SQL join by this option? */
static bool joins_by(struct run *run, const char *sql, const struct pair *option)
{
    const struct sql_node *join = only_join(run, sql, option);
    bool turned = false;
    struct pair here = join ? pair_of(join) : *option;
    return join && same_tables(option, &here, &turned) &&
           same_columns(option, &here, turned);
}

/* A change keeps the joins of the query before: what its user saw answered is not asked again. */
static bool joined_before(struct run *run, const struct pair *option)
{
    const struct messages *history = &run->request.history;
    for (size_t i = history->count; i-- > 0;) {
        if (history->items[i].sql) {
            return joins_by(run, history->items[i].sql, option);
        }
    }
    return false;
}

bool join_choice_open(struct run *run, const struct joins_result *result, const char *sql)
{
    bool used = false;
    if (!sql || !result->declared || result->options.count < 2) {
        return false;
    }
    for (size_t i = 0; i < result->options.count; i++) {
        struct pair option;
        if (is_named(run, result, i) ||
            !pair_read(&option, run->scratch, result->options.items[i].condition)) {
            return false;
        }
        bool by_this = joins_by(run, sql, &option);
        if (by_this && joined_before(run, &option)) {
            return false;
        }
        used = used || by_this;
    }
    return used;
}

bool join_choice_unclear(struct run *run, const struct run_reading *reading)
{
    const struct table **tables =
        arena_array(run->scratch, reading->tables.count + 1, sizeof *tables);
    size_t count = 0;
    for (size_t i = 0; i < reading->tables.count; i++) {
        tables[count] = schema_table(run_schema(run), reading->tables.items[i]);
        count += tables[count] != NULL;
    }
    struct joins_result result;
    joins_infer(run->scratch, run_schema(run), tables, count, NULL, &result);
    return join_choice_open(run, &result, reading->sql);
}

static const char *apply_one(struct run *run, const char *sql, const struct pair *wanted)
{
    bool turned;
    const struct sql_node *join = only_join(run, sql, wanted);
    struct pair here = join ? pair_of(join) : *wanted;
    if (!join || !same_tables(wanted, &here, &turned) ||
        same_columns(wanted, &here, turned)) {
        return sql;
    }
    enum dialect dialect = datasource_dialect(run_datasource(run));
    struct buf out;
    buf_init(&out, SQL_MOST);
    (void)buf_add(&out, sql, join->start);
    for (int side = 0; side < 2; side++) {
        (void)buf_text(&out, side ? " = " : "");
        dialect_quote(&out, dialect, here.tables[side], false);
        (void)buf_char(&out, '.');
        dialect_quote(&out, dialect, wanted->columns[turned ? !side : side], false);
    }
    (void)buf_text(&out, sql + join->children[PAIR_RIGHT]->end);
    const char *text = out.full ? sql : buf_clone(&out, run->arena);
    buf_release(&out);
    return text;
}

const char *join_choice_apply(struct run *run, const char *sql)
{
    const struct texts *joins = &run->request.correction.joins;
    for (size_t i = 0; i < joins->count; i++) {
        struct pair wanted;
        if (pair_read(&wanted, run->scratch, joins->items[i])) {
            sql = apply_one(run, sql, &wanted);
        }
    }
    return sql;
}
