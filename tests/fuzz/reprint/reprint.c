/*
 * Statements that are damaged at random, read into a tree, printed, and read again: the
 * same tree. The engine's own parser judges: what it takes it must take printed, and
 * understand alike.
 *
 *     reprint DIALECT [--root DIR] [--statements N] [--seconds S] [--seed N] [--show N]
 *
 * sqlite, duckdb and postgres have a judge, and mysql where a MariaDB server can be
 * started; of the other dialects only our own two readings are compared.
 *
 * Ends with 1 when a difference was found, with 77 when the engine is not here.
 */
#include <ctype.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/file.h"
#include "base/str.h"
#include "base/vec.h"
#include "fuzz/oracle/dice.h"
#include "judge.h"
#include "sql/lexer.h"
#include "sql/tree/parse/parse.h"
#include "sql/tree/print/print.h"

enum { TEXT_MOST = 8000, PIECES_MOST = 600, STACK_BYTES = 512 << 20 };

/* A statement of the corpus, in pieces. */
struct line {
    struct texts pieces;
};

struct lines {
    struct line *items;
    size_t count;
    size_t capacity;
};

struct run {
    const char *name;
    enum dialect dialect;
    const struct judge *judge; /* NULL: no parser of the engine can be loaded */
    const char *root;
    struct arena *arena;
    struct lines lines;
    uint64_t seed;
    long long statements;
    int64_t seconds;
    long show;
    /* what came of it */
    long long made, readable, taken, lost, changed, differs;
    int status;
};

/* ------------------------------------------------------------------ the corpus */

static void add_line(struct run *run, const char *sql)
{
    struct tokens tokens = {0};
    struct line line = {0};
    lexer_run(run->arena, run->dialect, sql, strlen(sql), &tokens);
    for (size_t i = 0; i < tokens.count; i++) {
        const struct token *token = &tokens.items[i];
        if (token->kind == TOKEN_BAD) {
            return;
        }
        VEC_PUSH(run->arena, &line.pieces,
                 arena_copy(run->arena, sql + token->start, token->end - token->start));
    }
    if (line.pieces.count > 1 && line.pieces.count < PIECES_MOST) {
        VEC_PUSH(run->arena, &run->lines, line);
    }
}

static void add_file(struct run *run, const char *name)
{
    struct err err;
    size_t size;
    struct texts lines = {0};
    char *text = file_read(run->arena, arena_format(run->arena, "%s/%s", run->root, name),
                           1 << 20, &size, &err);
    if (!text) {
        return;
    }
    str_split(run->arena, text, '\n', &lines);
    for (size_t i = 0; i < lines.count; i++) {
        const char *line = lines.items[i];
        if (str_starts_nocase(line, "SELECT") || str_starts_nocase(line, "WITH") ||
            str_starts_nocase(line, "VALUES") || str_starts_nocase(line, "FROM") ||
            str_starts(line, "(")) {
            add_line(run, line);
        }
    }
}

/* ------------------------------------------------------------------ damage */

static const char *any_piece(struct run *run, struct dice *dice)
{
    static const char *const common[] = {
        "(",        ")",        ",",         "+",          "-",          "*",
        "/",        "||",       "=",         "<>",         "<",          ">=",
        "AND",      "OR",       "NOT",       "IS",         "NULL",       "IN",
        "LIKE",     "ESCAPE",   "BETWEEN",   "CASE",       "WHEN",       "THEN",
        "ELSE",     "END",      "%",         "&",          "|",          "<<",
        "~",        "::",       "int",       "id",         "1",          "'x'",
        "1.5",      "AS",       "a",         ".",          "COLLATE",    "UNION",
        "ALL",      "SELECT",   "FROM",      "ORDER BY 1", "LIMIT 2",    "DISTINCT",
        "EXISTS",   "count(*)", "OVER ()",   "[",          "]",          "->",
        "->>",      "^",        "!",         "TRUE",       "IS NOT",     "NOT IN",
        "NOTNULL",  "ISNULL",   "INTERSECT", "EXCEPT",     "VALUES (1)", "CAST(",
        "AS text)", "JOIN",     "ON",        "USING (id)"};
    if (dice_chance(dice, 40)) {
        return common[dice_roll(dice, sizeof common / sizeof *common)];
    }
    const struct line *line =
        &run->lines.items[dice_roll(dice, (uint32_t)run->lines.count)];
    return line->pieces.items[dice_roll(dice, (uint32_t)line->pieces.count)];
}

enum kind { KIND_WORD, KIND_LITERAL, KIND_OPERATOR, KIND_OTHER };

static enum kind kind_of(const char *piece)
{
    return isalpha((unsigned char)*piece) || strchr("_\"`", *piece) ? KIND_WORD
           : isdigit((unsigned char)*piece) || *piece == '\''       ? KIND_LITERAL
           : strchr("(),.[]{};", *piece)                            ? KIND_OTHER
                                                                    : KIND_OPERATOR;
}

/* Of the same kind, so that the grammar often holds. */
static const char *piece_like(struct run *run, struct dice *dice, const char *piece)
{
    enum { TRIES = 12 };
    for (int i = 0; i < TRIES; i++) {
        const char *other = any_piece(run, dice);
        if (kind_of(other) == kind_of(piece)) {
            return other;
        }
    }
    return piece;
}

static void insert(struct texts *pieces, size_t at, const char *piece)
{
    if (pieces->count >= PIECES_MOST) {
        return;
    }
    memmove(&pieces->items[at + 1], &pieces->items[at],
            (pieces->count - at) * sizeof *pieces->items);
    pieces->items[at] = piece;
    pieces->count++;
}

static void damage(struct run *run, struct dice *dice, struct texts *pieces)
{
    size_t at = dice_roll(dice, (uint32_t)pieces->count);
    switch (dice_roll(dice, 12)) {
    case 0: /* one goes */
        memmove(&pieces->items[at], &pieces->items[at + 1],
                (pieces->count - at - 1) * sizeof *pieces->items);
        pieces->count -= pieces->count > 1;
        break;
    case 1: /* two change places */
        if (at + 1 < pieces->count) {
            const char *swap = pieces->items[at];
            pieces->items[at] = pieces->items[at + 1];
            pieces->items[at + 1] = swap;
        }
        break;
    case 2: { /* parentheses around some */
        size_t end = at + 1 + dice_roll(dice, 5);
        insert(pieces, end < pieces->count ? end : pieces->count, ")");
        insert(pieces, at, "(");
        break;
    }
    case 3: { /* a stretch of another statement */
        const struct line *line =
            &run->lines.items[dice_roll(dice, (uint32_t)run->lines.count)];
        size_t from = dice_roll(dice, (uint32_t)line->pieces.count);
        size_t count = 1 + dice_roll(dice, 8);
        for (size_t i = 0; i < count && from + i < line->pieces.count; i++) {
            insert(pieces, at + i, line->pieces.items[from + i]);
        }
        break;
    }
    case 4: /* an operator and a value */
        insert(pieces, at, any_piece(run, dice));
        insert(pieces, at, any_piece(run, dice));
        break;
    case 5:
    case 6: /* another one in its place */
        pieces->items[at] = any_piece(run, dice);
        break;
    default:
        pieces->items[at] = piece_like(run, dice, pieces->items[at]);
        break;
    }
}

static void make(struct run *run, struct dice *dice, struct buf *out)
{
    static const char *room[PIECES_MOST + 16];
    const struct line *line =
        &run->lines.items[dice_roll(dice, (uint32_t)run->lines.count)];
    struct texts pieces = {.items = room, .count = line->pieces.count};
    memcpy(room, line->pieces.items, pieces.count * sizeof *room);
    /* at least once: the unit tests read the corpus as it is */
    for (uint32_t i = 1 + dice_roll(dice, 4); i > 0 && pieces.count > 1; i--) {
        damage(run, dice, &pieces);
    }
    for (size_t i = 0; i < pieces.count; i++) {
        (void)buf_text(out, i ? " " : "");
        (void)buf_text(out, pieces.items[i]);
    }
}

/* ------------------------------------------------------------------ judging */

static void found(struct run *run, long long *count, const char *what, const char *sql,
                  const char *printed)
{
    if ((*count)++ < run->show) {
        (void)printf("%s (%s, seed %llu, statement %lld)\n  %s\n  %s\n", what, run->name,
                     (unsigned long long)run->seed, run->made, sql,
                     printed ? printed : "");
        (void)fflush(stdout);
    }
    run->status = 1;
}

/* Texts that mean the same, though the engine's tree of them differs: LIMIT ALL is no
 * limit, (a[1]).b is a[1].b, current_date() is current_date, and x.upper() is upper(x)
 * once names are looked up. */
static bool is_known(const struct run *run, const char *sql)
{
    static const char *const known[] = {
        "LIMIT ALL",        " ] ) . ",          " ] . ",
        "current_date ( )", "current_time ( )", "current_timestamp ( )"};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (strcasestr(sql, known[i])) {
            return true;
        }
    }
    if (run->dialect == DIALECT_MYSQL && *sql == '(') {
        return true; /* MariaDB tells parentheses around a whole query */
    }
    for (const char *dot = sql;
         run->dialect == DIALECT_DUCKDB && (dot = strstr(dot, " . "));) {
        dot += 3;
        const char *end = dot + strcspn(dot, " ");
        if (strncmp(end, " (", 2) == 0) {
            return true;
        }
    }
    return false;
}

/* Where the engine's two readings part. */
static void show_difference(const char *first, const char *second)
{
    size_t at = 0;
    while (first[at] &&
           tolower((unsigned char)first[at]) == tolower((unsigned char)second[at])) {
        at++;
    }
    if (*first) {
        size_t from = at > 60 ? at - 60 : 0;
        (void)printf("    %.140s\n    %.140s\n", first + from, second + from);
    }
}

static void judge_print(struct run *run, const char *sql, const char *printed)
{
    struct buf first;
    struct buf second;
    buf_init(&first, 1 << 22);
    buf_init(&second, 1 << 22);
    if (run->judge->read(sql, &first)) {
        run->taken++;
        bool taken = run->judge->read(printed, &second);
        bool same =
            taken && (first.full || strcasecmp(buf_get(&first), buf_get(&second)) == 0);
        if (!same && !is_known(run, sql)) {
            bool shown = taken && run->differs < run->show;
            found(run, taken ? &run->differs : &run->lost,
                  taken ? "The print is read differently" : "The print is not taken", sql,
                  printed);
            show_difference(shown ? buf_get(&first) : "", buf_get(&second));
        }
    }
    buf_release(&first);
    buf_release(&second);
}

static void one(struct run *run, struct arena *arena, struct buf *text)
{
    struct sql_parsed parsed;
    struct sql_parsed again;
    struct buf printed;
    sql_parse(arena, run->dialect, text->data, text->size, &parsed);
    if (!parsed.root) {
        return;
    }
    run->readable++;
    buf_init(&printed, 1 << 20);
    sql_print(&printed, run->dialect, parsed.root);
    sql_parse(arena, run->dialect, printed.data, printed.size, &again);
    if (!again.root || !sql_equal(parsed.root, again.root)) {
        found(run, &run->changed, "The print is another statement", text->data,
              printed.data);
    } else if (run->judge) {
        judge_print(run, text->data, printed.data);
    }
    buf_release(&printed);
}

static void *work(void *context)
{
    struct run *run = context;
    struct arena *arena = arena_new();
    struct buf text;
    buf_init(&text, TEXT_MOST);
    int64_t until_ms = clock_ms() + run->seconds * 1000;
    for (; run->made < run->statements && (!run->seconds || clock_ms() < until_ms);
         run->made++) {
        struct dice dice = dice_for(run->seed, (uint64_t)run->made);
        buf_clear(&text);
        make(run, &dice, &text);
        if (text.size && !text.full) {
            one(run, arena, &text);
        }
        arena_reset(arena);
    }
    buf_release(&text);
    arena_free(arena);
    return NULL;
}

static void read_corpus(struct run *run)
{
    const char *name = run->name;
    add_file(run, "tests/fixtures/guard/honest/common.sql");
    add_file(run, arena_format(run->arena, "tests/fixtures/guard/honest/%s.sql", name));
    add_file(run, arena_format(run->arena, "tests/fixtures/guard/%s.allowed.sql", name));
    add_file(run, arena_format(run->arena, "tests/fixtures/dialects/%s.txt", name));
}

int main(int count, char **arguments)
{
    static const struct judge *const judges[] = {&judge_sqlite, &judge_duckdb,
                                                 &judge_postgres, &judge_mysql};
    struct run run = {.root = ".", .statements = INT64_MAX, .seed = 1, .show = 20};
    bool known = count > 1 && dialect_find(arguments[1], &run.dialect);
    for (size_t i = 0; known && i < sizeof judges / sizeof *judges; i++) {
        run.judge = judges[i]->dialect == run.dialect ? judges[i] : run.judge;
    }
    for (int i = 2; i + 1 < count; i += 2) {
        const char *value = arguments[i + 1];
        if (strcmp(arguments[i], "--root") == 0) {
            run.root = value;
        } else if (strcmp(arguments[i], "--statements") == 0) {
            run.statements = strtoll(value, NULL, 10);
        } else if (strcmp(arguments[i], "--seconds") == 0) {
            run.seconds = strtoll(value, NULL, 10);
        } else if (strcmp(arguments[i], "--seed") == 0) {
            run.seed = strtoull(value, NULL, 10);
        } else if (strcmp(arguments[i], "--show") == 0) {
            run.show = strtol(value, NULL, 10);
        }
    }
    if (!known) {
        (void)fprintf(stderr, "usage: reprint DIALECT [--root DIR] …\n");
        return 2;
    }
    run.name = dialect_name(run.dialect);
    run.arena = arena_new();
    read_corpus(&run);
    bool judged = run.judge && run.judge->open(run.root);
    if (!judged && run.judge && run.judge->optional) {
        (void)fprintf(stderr, "reprint: no server of %s: no judge\n", run.name);
        run.judge = NULL;
    }
    if (!run.lines.count || (run.judge && !judged)) {
        (void)fprintf(stderr, "reprint: %s is not here: skipped\n", run.name);
        arena_free(run.arena);
        return 77;
    }
    pthread_attr_t attributes;
    pthread_t thread;
    (void)pthread_attr_init(&attributes);
    (void)pthread_attr_setstacksize(&attributes, STACK_BYTES);
    (void)pthread_create(&thread, &attributes, work, &run);
    (void)pthread_join(thread, NULL);
    (void)printf("reprint: %s: %lld statements, %lld readable, %lld taken by the engine; "
                 "%lld changed, %lld not taken, %lld read differently\n",
                 run.name, run.made, run.readable, run.taken, run.changed, run.lost,
                 run.differs);
    arena_free(run.arena);
    return run.status;
}
