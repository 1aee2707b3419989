/* The suite's statements, which are plain SQL, as ClickHouse wants them: types that may
 * be NULL say so, tables have an engine and an order, keys to other tables do not exist.
 */
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/str.h"
#include "clickhouse_script.h"
#include "conformance.h"
#include "sql/lexer.h"

enum { SQL_MOST = 64 << 20, WIDE = 100 };

struct translating {
    const char *sql;
    const struct token *at;
    struct buf out;
    struct buf key; /* columns of the primary key */
    const struct token *keys[8];
    size_t key_count;
    size_t columns;
};

static bool word(const struct translating *work, const char *text)
{
    return token_is(work->at, text);
}

static bool punct(const struct translating *work, const char *text)
{
    return token_is_punct(work->at, text);
}

static void copy_to(struct translating *work, struct buf *out, const struct token *end)
{
    (void)buf_add(out, work->sql + work->at->start, end[-1].end - work->at->start);
}

/* ( … ) passed over. */
static void skip_brackets(struct translating *work)
{
    int depth = 0;
    do {
        depth += punct(work, "(");
        depth -= punct(work, ")");
        work->at++;
    } while (depth > 0 && work->at->kind != TOKEN_END);
}

static const char *type_of(const struct token *token)
{
    static const char *const types[][2] = {
        {"integer", "Int32"}, {"varchar", "String"}, {"date", "Date"}};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        if (token_is(token, types[i][0])) {
            return types[i][1];
        }
    }
    return NULL;
}

static void key_add(struct translating *work, const struct token *name)
{
    assert_true(work->key_count < sizeof work->keys / sizeof *work->keys);
    work->keys[work->key_count++] = name;
    (void)buf_format(&work->key, "%s%.*s", work->key.size ? ", " : "",
                     (int)(name->end - name->start), work->sql + name->start);
}

/* PRIMARY KEY (a, b) stands behind the columns, but says something about them. */
static void keys_find(struct translating *work)
{
    const struct token *at = work->at;
    for (; at->kind != TOKEN_END; at++) {
        if (token_is(at, "primary") && token_is_punct(&at[2], "(")) {
            for (at += 3; !token_is_punct(at, ")"); at++) {
                if (!token_is_punct(at, ",")) {
                    key_add(work, at);
                }
            }
        }
    }
}

static bool is_key(const struct translating *work, const struct token *name)
{
    bool found = false;
    for (size_t i = 0; i < work->key_count; i++) {
        found = found || str_equal(work->keys[i]->text, name->text);
    }
    return found;
}

/* name TYPE [PRIMARY KEY] [NOT NULL] [DEFAULT x] [REFERENCES t [(c)]] */
static void column(struct translating *work)
{
    const struct token *name = work->at++;
    const char *type = type_of(work->at);
    const struct token *from = work->at++;
    char decimal[64] = "";
    if (punct(work, "(")) { /* DECIMAL(10, 2) */
        skip_brackets(work);
        (void)snprintf(decimal, sizeof decimal, "%.*s",
                       (int)(work->at[-1].end - from->start), work->sql + from->start);
    }
    bool must = is_key(work, name);
    work->columns++;
    const struct token *fallback = NULL;
    while (!punct(work, ",") && !punct(work, ")") && work->at->kind != TOKEN_END) {
        if (word(work, "primary")) {
            key_add(work, name);
            must = true;
        }
        must = must || word(work, "not");
        fallback = word(work, "default") ? work->at + 1 : fallback;
        if (punct(work, "(")) {
            skip_brackets(work);
        } else {
            work->at++;
        }
    }
    (void)buf_format(&work->out, must ? "%.*s %s" : "%.*s Nullable(%s)",
                     (int)(name->end - name->start), work->sql + name->start,
                     type         ? type
                     : decimal[0] ? decimal
                                  : "String");
    if (fallback) {
        (void)buf_format(&work->out, " DEFAULT %.*s",
                         (int)(fallback->end - fallback->start),
                         work->sql + fallback->start);
    }
}

static void create_table(struct translating *work)
{
    const struct token *from = work->at;
    while (!punct(work, "(")) {
        work->at++;
    }
    const struct token *open = work->at++;
    keys_find(work);
    (void)buf_add(&work->out, work->sql + from->start, open->end - from->start);
    for (bool first = true;; first = false) {
        if (word(work, "primary")) {
            work->at += 2; /* PRIMARY KEY */
            skip_brackets(work);
        } else if (word(work, "foreign")) {
            while (!punct(work, ",") && work->at->kind != TOKEN_END &&
                   !(punct(work, ")") && work->at[1].kind == TOKEN_END)) {
                if (punct(work, "(")) {
                    skip_brackets(work);
                } else {
                    work->at++;
                }
            }
        } else {
            (void)buf_text(&work->out, first ? "" : ", ");
            column(work);
        }
        if (!punct(work, ",")) {
            break;
        }
        work->at++;
    }
    if (work->columns > WIDE) { /* each column of a part takes a megabyte to write */
        (void)buf_text(&work->out, ") ENGINE = Memory");
        return;
    }
    (void)buf_format(&work->out, ") ENGINE = MergeTree ORDER BY (%s)",
                     work->key.size ? buf_get(&work->key) : "tuple()");
}

/* One statement; empty where the engine has nothing of the kind. */
static void translate(struct translating *work, const struct token *end)
{
    bool engine = false;
    for (const struct token *token = work->at; token < end; token++) {
        engine = engine || token_is(token, "engine");
    }
    if (word(work, "analyze") || word(work, "comment") ||
        (word(work, "create") && token_is(&work->at[1], "index"))) {
        return;
    }
    if (word(work, "create") && token_is(&work->at[1], "schema")) {
        (void)buf_format(&work->out, "CREATE DATABASE %s", work->at[2].text);
    } else if (word(work, "create") && token_is(&work->at[1], "table") && !engine) {
        create_table(work);
    } else if (word(work, "delete")) { /* DELETE FROM t */
        (void)buf_format(&work->out, "ALTER TABLE %s DELETE WHERE 1", work->at[2].text);
    } else if (word(work, "update")) { /* UPDATE t SET a = 1 */
        (void)buf_format(&work->out,
                         "ALTER TABLE %s UPDATE %s = CAST(%s AS"
                         " Nullable(Decimal(10, 2))) WHERE 1",
                         work->at[1].text, work->at[3].text, work->at[5].text);
    } else {
        copy_to(work, &work->out, end);
    }
}

void clickhouse_script(struct arena *arena, const char *sql, struct texts *out)
{
    struct tokens tokens = {0};
    lexer_run(arena, DIALECT_CLICKHOUSE, sql, strlen(sql), &tokens);
    for (size_t i = 0; i < tokens.count;) {
        size_t end = i;
        while (end < tokens.count && !token_is_punct(&tokens.items[end], ";")) {
            end++;
        }
        struct token stop = tokens.items[end];
        tokens.items[end].kind = TOKEN_END;
        struct translating work = {.sql = sql, .at = &tokens.items[i]};
        buf_init(&work.out, SQL_MOST);
        buf_init(&work.key, SQL_MOST);
        if (end > i) {
            translate(&work, &tokens.items[end]);
        }
        if (work.out.size > 0) {
            VEC_PUSH(arena, out, buf_clone(&work.out, arena));
        }
        tokens.items[end] = stop;
        buf_release(&work.out);
        buf_release(&work.key);
        i = end + 1;
    }
}
