/* Damage: statements of the grammar and the corpus, cut, joined and salted with attacks.
 */
#include <string.h>

#include "oracle.h"

static const char *const salt[] = {
    ";",
    "; DROP TABLE orders",
    "; DELETE FROM customers --",
    "--",
    "/*",
    "*/",
    "/*! DROP TABLE orders */",
    "INTO",
    "INTO OUTFILE 'x.csv'",
    "INSERT INTO orders VALUES (9)",
    "DELETE FROM orders",
    "UPDATE orders SET total = 0",
    "RETURNING *",
    "CREATE TABLE z(a)",
    "CREATE TEMP TABLE z AS",
    "PRAGMA user_version = 7",
    "ATTACH 'x.db' AS x",
    "VACUUM INTO 'x.db'",
    "COPY orders TO 'x.csv'",
    "EXPORT DATABASE 'x'",
    "FROM vault",
    "vault_keys",
    "secret",
    "sqlite_master",
    "sqlite_schema",
    "pragma_table_info('vault')",
    "information_schema.tables",
    "duckdb_settings()",
    "read_csv('canary.csv')",
    "read_text('canary.txt')",
    "'canary.csv'",
    "\"canary.csv\"",
    "glob('*')",
    "query('SELECT * FROM vault')",
    "query_table('vault')",
    "load_extension('x')",
    "fts3_tokenizer('simple')",
    "randomblob(1000000000)",
    "zeroblob(900000000)",
    "printf('%.*c', 900000000, 'x')",
    "repeat('x', 1000000000)",
    "range(1000000000000)",
    "getvariable('x')",
    "current_setting('x')",
    "nextval('s')",
    "writefile('x', 'y')",
    "json_execute_serialized_sql('{}')",
    "UNION SELECT",
    "UNION ALL SELECT * FROM vault",
    "WITH",
    "AS MATERIALIZED",
    "LATERAL",
    "EXPLAIN",
    "CALL",
    "SET x = 1",
    "BEGIN",
    "COMMIT",
    "FOR UPDATE",
    "(",
    ")",
    "'",
    "\"",
    "`",
    "[",
    "]",
    "$$",
    "$a$",
    "E'\\'",
    "x'",
    "\\",
    "?",
    ":a",
    "@x",
    "#",
    "\xEF\xBB\xBF",
    "\r",
    "\xC2\xA0",
    "\xEF\xBC\x9B",
    "COLUMNS('.*')",
    "* EXCLUDE (id)",
    "PIVOT",
    "SUMMARIZE",
    "DESCRIBE",
    "SHOW TABLES",
    "USING SAMPLE 10%",
    "POSITIONAL JOIN orders",
    "ASOF JOIN",
    "x -> x + 1",
    "::INTEGER",
    "QUALIFY",
    "MATCH",
    "NOT INDEXED",
    "rowid",
    "_rowid_",
    "1e999",
    "0x7fffffffffffffff",
};

/* Where a word begins or ends near a place. */
static size_t boundary(const struct buf *text, size_t at)
{
    const char *data = text->data;
    while (at < text->size && data[at] != ' ') {
        at++;
    }
    return at;
}

static void splice(struct buf *out, size_t from, size_t to, const char *by, size_t size)
{
    struct buf made;
    buf_init(&made, 1 << 20);
    (void)buf_add(&made, out->data, from);
    (void)buf_add(&made, by, size);
    (void)buf_add(&made, out->data + to, out->size - to);
    buf_clear(out);
    (void)buf_add(out, buf_get(&made), made.size);
    buf_release(&made);
}

static void damage(struct dice *dice, const struct corpus *corpus, struct buf *out)
{
    size_t at = dice_roll(dice, (uint32_t)out->size + 1);
    size_t word = boundary(out, at);
    size_t end = boundary(out, word < out->size ? word + 1 : word);
    switch (dice_roll(dice, 8)) {
    case 0: /* a word goes */
        splice(out, word, end, "", 0);
        break;
    case 1: /* a byte changes */
        if (at < out->size) {
            out->data[at] = (char)dice_roll(dice, 256);
        }
        break;
    case 2: /* it ends early */
        splice(out, at, out->size, "", 0);
        break;
    case 3: { /* a piece of an attack comes in */
        const struct attack *attack =
            &corpus->attacks.items[dice_roll(dice, (uint32_t)corpus->attacks.count)];
        if (attack->size > 0 && attack->size < 400) {
            size_t start = dice_roll(dice, (uint32_t)attack->size);
            splice(out, word, word, attack->sql + start, attack->size - start);
        }
        break;
    }
    default: { /* salt, with a blank on both sides or none */
        const char *grain = salt[dice_roll(dice, sizeof salt / sizeof *salt)];
        size_t to = dice_roll(dice, 2) ? end : word;
        splice(out, word, to, " ", 1);
        splice(out, word + 1, word + 1, grain, strlen(grain));
        splice(out, word + 1 + strlen(grain), word + 1 + strlen(grain), " ", 1);
        break;
    }
    }
}

/* What leaves a query a query, mostly: other signs between the words, other names, other
 * numbers, one query around another. */
static void disguise(struct dice *dice, enum dialect dialect, struct buf *out)
{
    static const char *const gaps[] = {"\t",      "\n",       " \r\n ",   "/**/",
                                       "/* ; */", " -- '\n ", "/* -- */", " /*\"*/ "};
    static const char *const words[] = {
        "orders",  "customers", "a0.id",    "a0.name", "a0.total", "a1.id",
        "b0.city", "\"id\"",    "1",        "'paid'",  "NULL",     "9223372036854775807",
        "-1",      "1e308",     "x'00'",    "'%'",     "+",        "=",
        "<>",      "||",        "AND",      "OR",      "NOT",      "id",
        "name",    "count(*)",  "DISTINCT", "ROWS",    "rowid",    "vault"};
    size_t word = boundary(out, dice_roll(dice, (uint32_t)out->size + 1));
    size_t next = word < out->size ? word + 1 : word;
    size_t end = boundary(out, next);
    uint32_t roll = dice_roll(dice, 10);
    const char *gap = gaps[dice_roll(dice, sizeof gaps / sizeof *gaps)];
    const char *name = words[dice_roll(dice, sizeof words / sizeof *words)];
    if (roll < 4) {
        splice(out, word, next, gap, strlen(gap));
    } else if (roll < 6) {
        for (size_t i = next; i < end; i++) { /* SeLeCt; letters alone */
            char letter = (char)(out->data[i] | 32);
            out->data[i] =
                letter >= 'a' && letter <= 'z' && i % 2 ? letter : out->data[i];
        }
    } else if (roll < 8) {
        splice(out, next, end, name, strlen(name));
    } else if (roll < 9) {
        splice(out, 0, 0, "SELECT * FROM ( ", 16);
        (void)buf_text(out, dice_roll(dice, 2) ? " ) AS u" : " ) u LIMIT 3");
    } else if (dialect == DIALECT_DUCKDB || dice_roll(dice, 2)) {
        splice(out, 0, 0, "WITH u AS ( ", 12);
        (void)buf_text(out, " ) SELECT * FROM u ;");
    } else {
        splice(out, 0, 0, "VALUES (1) UNION ALL ", 21);
    }
}

void mutate_statement(struct dice *dice, enum dialect dialect,
                      const struct corpus *corpus, struct buf *out)
{
    const struct attack *attack =
        &corpus->attacks.items[dice_roll(dice, (uint32_t)corpus->attacks.count)];
    if (dice_roll(dice, 100) < 30 && attack->size < 2000) {
        (void)buf_add(out, attack->sql, attack->size);
    } else {
        grammar_statement(dice, dialect, corpus, out);
        if (dice_roll(dice, 100) < 60) {
            for (uint32_t i = 1 + dice_roll(dice, 4); i > 0; i--) {
                disguise(dice, dialect, out);
            }
            return;
        }
    }
    uint32_t wounds = 1 + dice_roll(dice, 3);
    for (uint32_t i = 0; i < wounds; i++) {
        damage(dice, corpus, out);
    }
}
