/*
 * Parts and differences of dates as rebuild_date.c writes them, read back: whatever we
 * have answered in some dialect can be followed up.
 */
#include <string.h>
#include <strings.h>

#include "base/buf.h"
#include "base/str.h"
#include "base/vec.h"
#include "parser/to_sql/rebuild.h"
#include "parser/from_sql/sql_to_ir_state.h"

enum { HOLES = 2, TEMPLATE_MOST = 1024 };

/* Where the tokens of $a and $b stand. */
struct hole {
    size_t first;
    size_t end;
};

static int hole_of(const struct token *token)
{
    return token_is(token, "hole_a") ? 0 : token_is(token, "hole_b") ? 1 : -1;
}

static bool same_token(const struct token *a, const struct token *b)
{
    return a->kind == b->kind &&
           (a->kind == TOKEN_STRING ? strcmp(a->text, b->text) == 0
                                    : strcasecmp(a->text, b->text) == 0);
}

/* The first token at or after `at` that is `stop` and outside of brackets. */
static size_t hole_end(const struct sql_reading *reading, size_t at,
                       const struct token *stop)
{
    int depth = 0;
    for (; at < reading->tokens.count; at++) {
        const struct token *token = &reading->tokens.items[at];
        if (depth == 0 && same_token(token, stop)) {
            return at;
        }
        depth += token_is_punct(token, "(");
        depth -= token_is_punct(token, ")");
        if (depth < 0) {
            return at;
        }
    }
    return at;
}

static bool same_tokens(const struct sql_reading *reading, struct hole hole, size_t at)
{
    for (size_t i = hole.first; i < hole.end; i++, at++) {
        if (at >= reading->tokens.count ||
            !same_token(&reading->tokens.items[i], &reading->tokens.items[at])) {
            return false;
        }
    }
    return true;
}

/* Where the template ends that starts here; 0: it does not. */
static size_t match(const struct sql_reading *reading, const struct tokens *template,
                    struct hole *holes)
{
    size_t at = reading->at;
    for (size_t i = 0; i < template->count; i++) {
        const struct token *token = &template->items[i];
        int number = hole_of(token);
        if (number < 0) {
            if (at >= reading->tokens.count ||
                !same_token(token, &reading->tokens.items[at])) {
                return 0;
            }
            at++;
            continue;
        }
        struct hole *hole = &holes[number];
        if (hole->end == 0) {
            *hole = (struct hole){at, hole_end(reading, at, &template->items[i + 1])};
        } else if (!same_tokens(reading, *hole, at)) {
            return 0;
        }
        at += hole->end - hole->first;
    }
    return at;
}

static void lex_template(struct sql_reading *reading, const char *template,
                         struct tokens *out)
{
    struct buf text;
    buf_init(&text, TEMPLATE_MOST);
    while (*template) {
        size_t before = strcspn(template, "$");
        (void)buf_add(&text, template, before);
        template += before;
        if (*template) {
            (void)buf_text(&text, template[1] == 'a' ? "hole_a" : "hole_b");
            template += 2;
        }
    }
    const char *copy = buf_clone(&text, reading->arena);
    lexer_run(reading->arena, reading->request->dialect, copy, text.size, out);
    buf_release(&text);
}

static struct ir_node *read_hole(struct sql_reading *reading, struct hole hole)
{
    if (hole.end <= hole.first) {
        return NULL;
    }
    reading->at = hole.first;
    struct ir_node *node = sql_read_expression(reading);
    const char *today = reading->request->today;
    bool now = node->kind == IR_NODE_TEXT && today && str_equal(node->text, today);
    return now ? sql_call(reading, IR_NOW, NULL, NULL) : node;
}

/* In SQLite, where people write by hand, the other files read more than we write. */
static bool is_tried(const struct sql_reading *reading, enum ir_keyword keyword,
                     const char *template)
{
    const char *first = sql_peek(reading, 0)->text;
    size_t size = strcspn(template, "( ");
    return (reading->request->dialect != DIALECT_SQLITE || keyword == IR_WEEK) &&
           strlen(first) == size && strncasecmp(first, template, size) == 0;
}

struct ir_node *sql_read_template(struct sql_reading *reading)
{
    enum ir_keyword keyword = IR_PAD;
    enum ir_keyword best = IR_PAD;
    struct hole best_holes[HOLES] = {{0, 0}, {0, 0}};
    size_t best_end = 0;
    const char *template = NULL;
    for (size_t i = 0;
         rebuild_date_template(i, reading->request->dialect, &keyword, &template); i++) {
        struct hole holes[HOLES] = {{0, 0}, {0, 0}};
        struct tokens tokens = {0};
        if (!template || !is_tried(reading, keyword, template)) {
            continue;
        }
        lex_template(reading, template, &tokens);
        size_t end = match(reading, &tokens, holes);
        if (end > best_end) {
            best_end = end;
            best = keyword;
            memcpy(best_holes, holes, sizeof holes);
        }
    }
    if (best_end == 0) {
        return NULL;
    }
    struct ir_node *a = read_hole(reading, best_holes[0]);
    struct ir_node *b = read_hole(reading, best_holes[1]);
    if (reading->failed || !a) {
        return a;
    }
    reading->at = best_end;
    return sql_call(reading, best, a, b);
}
