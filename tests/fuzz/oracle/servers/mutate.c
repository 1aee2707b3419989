/* Near misses: a statement of the corpus or the grammar with words lost, doubled,
 * exchanged or brought in from elsewhere. */
#include <string.h>

#include "base/str.h"
#include "corpus.h"
#include "grammar.h"

static const char *const salt[] = {
    ";",
    "; DROP TABLE orders",
    "--",
    "/*",
    "*/",
    "/*!",
    "INTO",
    "INTO OUTFILE 'x'",
    "INTO @x",
    "RETURNING *",
    "FOR UPDATE",
    "FOR SHARE",
    "LOCK IN SHARE MODE",
    "vault",
    "FROM vault",
    "TABLE vault",
    "secret",
    "SELECT",
    "UNION SELECT",
    "WITH",
    "LATERAL",
    "ONLY",
    "ROWS FROM (",
    "TABLESAMPLE SYSTEM (50)",
    ".",
    "::",
    "[",
    "]",
    "(",
    ")",
    ",",
    "*",
    "'",
    "\"",
    "`",
    "$$",
    "$q$",
    "E'\\'",
    "U&'",
    "\\",
    "?",
    "$1",
    ":a",
    "@x",
    "@@version",
    ":=",
    "=>",
    "pg_sleep ( 0 )",
    "pg_sleep",
    "trap",
    "trap ( )",
    ". trap",
    "nextval ( 'counter' )",
    "set_config ( 'a.b' , 'c' , false )",
    "OPERATOR ( pg_catalog . + )",
    "COLLATE \"C\"",
    "regclass",
    ":: regclass",
    ":: xml",
    "VARIADIC",
    "DISTINCT",
    "FILTER ( WHERE TRUE )",
    "WITHIN GROUP ( ORDER BY 1 )",
    "OVER ( )",
    "ARRAY [ 1 ]",
    "ROW ( 1 , 2 )",
    "VALUES ( 1 )",
    "NULL",
    "1",
    "'x'",
    "0x41",
    "sleep ( 0 )",
    "load_file ( 'x' )",
    "PROCEDURE ANALYSE ( )",
    "USE INDEX ( a )",
    "PARTITION ( p )",
    "NATURAL JOIN vault",
    ", vault",
    "JOIN vault USING ( id )",
    "EXPLAIN",
    "EXECUTE x",
    "CALL x ( )",
    "\xC2\xA0",
    "\xEF\xBC\x9B",
    "\xEF\xBB\xBF",
    "#",
    "# '\n",
    "current_user",
    "IS NOT DISTINCT FROM",
    "AT TIME ZONE 'UTC'",
    "INTERVAL '1 day'",
    "EXTRACT ( year FROM now ( ) )",
    "CAST ( 1 AS text )",
    "GROUPING SETS ( ( ) )",
    "FETCH FIRST ROW ONLY",
};

/* For ClickHouse, half of the time. */
static const char *const clickhouse_salt[] = {
    "IN",
    "IN vault_one",
    "IN ( vault_one )",
    "NOT IN ( vault )",
    "GLOBAL",
    "AS",
    "AS x",
    "->",
    "x ->",
    "ARRAY JOIN",
    "PREWHERE",
    "FINAL",
    "SAMPLE 0.5",
    "LIMIT 1 BY",
    "WITH TOTALS",
    "SETTINGS readonly = 0",
    "FORMAT CSV",
    "INTO OUTFILE 'x'",
    "{x:String}",
    "$$",
    "\\'",
    "\xE2\x80\x98",
    "\xE2\x80\x99",
    "\xE2\x80\x9C",
    "\xE2\x80\x9D",
    "COLUMNS ( '.*' )",
    "APPLY",
    "APPLY ( trap )",
    "EXCEPT",
    "REPLACE",
    "file ( 'canary.txt' )",
    "numbers ( 3 )",
    "dictGet ( 'secrets' , 'value' , 1 )",
    "vault_one",
    "shop . vault_one",
    "vault_join",
    "system . one",
    ". 1",
    ". *",
    "[ 1 ]",
    "? 1 : 2",
    "-- \r",
    "#!",
    "OVER w",
    "QUALIFY",
    "INTERPOLATE",
    "view (",
    "FROM vault_one",
    "VALUES",
    "WITH vault_one AS x",
};

static const char *some_salt(struct dice *dice, enum dialect dialect)
{
    if (dialect == DIALECT_CLICKHOUSE && dice_chance(dice, 50)) {
        return clickhouse_salt[dice_roll(dice, sizeof clickhouse_salt /
                                                   sizeof *clickhouse_salt)];
    }
    return salt[dice_roll(dice, sizeof salt / sizeof *salt)];
}

static const struct piece *some_piece(struct dice *dice, const struct pieces *pieces)
{
    return &pieces->items[dice_roll(dice, (uint32_t)pieces->count)];
}

static void insert(struct arena *arena, struct pieces *pieces, size_t at,
                   const struct piece *added, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        (void)VEC_ADD(arena, pieces);
    }
    memmove(pieces->items + at + count, pieces->items + at,
            (pieces->count - count - at) * sizeof *pieces->items);
    memcpy(pieces->items + at, added, count * sizeof *added);
}

static void drop(struct pieces *pieces, size_t at, size_t count)
{
    count = at + count > pieces->count ? pieces->count - at : count;
    memmove(pieces->items + at, pieces->items + at + count,
            (pieces->count - at - count) * sizeof *pieces->items);
    pieces->count -= count;
}

/* A run of pieces of another statement. */
static void splice(struct dice *dice, const struct corpus *corpus, struct arena *arena,
                   struct pieces *pieces, size_t at)
{
    struct pieces other = {0};
    const char *text =
        corpus->statements.items[dice_roll(dice, (uint32_t)corpus->statements.count)];
    pieces_read(arena, text, strlen(text), &other);
    if (other.count == 0) {
        return;
    }
    size_t from = dice_roll(dice, (uint32_t)other.count);
    size_t most = other.count - from;
    size_t count = 1 + dice_roll(dice, (uint32_t)(most > 12 ? 12 : most));
    count = count > most ? most : count;
    other.items[from].gap = true;
    if (dice_chance(dice, 50)) {
        drop(pieces, at, count);
    }
    insert(arena, pieces, at, other.items + from, count);
}

static void word_in(struct dice *dice, struct arena *arena, struct pieces *pieces,
                    size_t at, const char *word, bool instead)
{
    const struct piece piece = {word, strlen(word), true};
    if (instead && at < pieces->count) {
        pieces->items[at] = piece;
    } else {
        insert(arena, pieces, at, &piece, 1);
    }
    if (at + 1 < pieces->count) {
        pieces->items[at + 1].gap = pieces->items[at + 1].gap || dice_chance(dice, 70);
    }
}

static void wound(struct dice *dice, const struct vocabulary *words,
                  const struct corpus *corpus, struct arena *arena, struct pieces *pieces)
{
    size_t at = dice_roll(dice, (uint32_t)pieces->count + 1);
    size_t in = at < pieces->count ? at : pieces->count - 1;
    struct piece kept;
    switch (dice_roll(dice, 10)) {
    case 0:
        drop(pieces, in, 1 + dice_roll(dice, 3));
        break;
    case 1:
        kept = pieces->items[in];
        insert(arena, pieces, in, &kept, 1);
        break;
    case 2: {
        size_t other = dice_roll(dice, (uint32_t)pieces->count);
        kept = pieces->items[in];
        pieces->items[in] = pieces->items[other];
        pieces->items[other] = kept;
        break;
    }
    case 3:
        kept = *some_piece(dice, pieces);
        pieces->items[in] = kept;
        break;
    case 4:
    case 5:
        splice(dice, corpus, arena, pieces, at);
        break;
    case 6:
        word_in(dice, arena, pieces, at,
                words->names.items[dice_roll(dice, (uint32_t)words->names.count)], true);
        break;
    case 7:
        word_in(dice, arena, pieces, at,
                words->dangerous.items[dice_roll(dice, (uint32_t)words->dangerous.count)],
                true);
        break;
    default:
        word_in(dice, arena, pieces, at, some_salt(dice, words->dialect),
                dice_chance(dice, 50));
        break;
    }
}

void mutate_statement(struct dice *dice, const struct vocabulary *words,
                      const struct corpus *corpus, struct arena *arena, struct buf *out)
{
    struct pieces pieces = {0};
    struct buf text;
    buf_init(&text, 1 << 20);
    if (dice_chance(dice, 70)) {
        (void)buf_text(&text,
                       corpus->statements
                           .items[dice_roll(dice, (uint32_t)corpus->statements.count)]);
    } else {
        grammar_statement(dice, words, arena, &text);
    }
    pieces_read(arena, buf_get(&text), text.size, &pieces);
    for (uint32_t i = 1 + dice_roll(dice, 3); i > 0 && pieces.count > 0; i--) {
        wound(dice, words, corpus, arena, &pieces);
    }
    pieces_write(&pieces, out);
    if (out->size > 0 && dice_roll(dice, 30) == 0) {
        out->data[dice_roll(dice, (uint32_t)out->size)] = (char)dice_roll(dice, 256);
    }
    buf_release(&text);
}
