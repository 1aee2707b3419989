/* A query taken apart into what the stages talk about. */
#include "agent/understand/sql_parts.h"

#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "sql/lexer.h"

enum part {
    PART_NONE,
    PART_SELECT,
    PART_FROM,
    PART_ON,
    PART_WHERE,
    PART_GROUP,
    PART_HAVING,
    PART_ORDER,
    PART_LIMIT,
    PART_END
};

/* The words that begin a part; those of a join end the condition before it. */
static const enum part openings[KEYWORD_COUNT] = {
    [KEYWORD_select] = PART_SELECT, [KEYWORD_from] = PART_FROM,
    [KEYWORD_on] = PART_ON,         [KEYWORD_join] = PART_FROM,
    [KEYWORD_left] = PART_FROM,     [KEYWORD_inner] = PART_FROM,
    [KEYWORD_cross] = PART_FROM,    [KEYWORD_where] = PART_WHERE,
    [KEYWORD_group] = PART_GROUP,   [KEYWORD_having] = PART_HAVING,
    [KEYWORD_order] = PART_ORDER,   [KEYWORD_limit] = PART_LIMIT,
    [KEYWORD_union] = PART_END,     [KEYWORD_except] = PART_END,
    [KEYWORD_intersect] = PART_END,
};

struct walk {
    struct arena *arena;
    const char *sql;
    struct sql_parts *out;
    enum part part;
    size_t from;  /* where the present piece begins */
    bool between; /* the next AND belongs to a BETWEEN */
};

static bool adds_up(const char *item)
{
    static const char *const functions[] = {"count(", "sum(", "avg(", "min(", "max("};
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        if (str_contains_nocase(item, functions[i])) {
            return true;
        }
    }
    return false;
}

/* The piece up to here belongs to the present part. */
static void close_piece(struct walk *walk, size_t to)
{
    struct sql_parts *out = walk->out;
    struct texts *const lists[] = {
        [PART_SELECT] = &out->items,
        [PART_ON] = &out->joins,
        [PART_WHERE] = &out->filters,
        [PART_GROUP] = &out->groups,
        [PART_HAVING] = &out->conditions,
        [PART_ORDER] = &out->order,
        [PART_END] = NULL,
    };
    const char *text =
        str_trim(walk->arena, arena_copy(walk->arena, walk->sql + walk->from,
                                         to > walk->from ? to - walk->from : 0));
    if (str_empty(text)) {
        return;
    }
    if (walk->part == PART_LIMIT) {
        out->limit = text;
    } else if (lists[walk->part]) {
        VEC_PUSH(walk->arena, lists[walk->part], text);
    }
    if (walk->part == PART_SELECT && adds_up(text)) {
        VEC_PUSH(walk->arena, &out->aggregations, text);
    }
}

/* Does the token part two pieces of the same list? */
static bool parts_pieces(struct walk *walk, const struct token *token)
{
    bool by_and =
        walk->part == PART_ON || walk->part == PART_WHERE || walk->part == PART_HAVING;
    if (!by_and) {
        return token_is_punct(token, ",");
    }
    if (token->keyword == KEYWORD_between) {
        walk->between = true;
    } else if (token->keyword == KEYWORD_and) {
        bool splits = !walk->between;
        walk->between = false;
        return splits;
    }
    return false;
}

void sql_parts_read(struct arena *arena, enum dialect dialect, const char *sql,
                    struct sql_parts *out)
{
    struct tokens tokens = {0};
    struct walk walk = {.arena = arena, .sql = sql, .out = out};
    int depth = 0;
    *out = (struct sql_parts){0};
    lexer_run(arena, dialect, sql, strlen(sql), &tokens);
    for (size_t i = 0; i < tokens.count && walk.part != PART_END; i++) {
        const struct token *token = &tokens.items[i];
        enum part part = depth == 0 ? openings[token->keyword] : PART_NONE;
        if (part != PART_NONE) {
            close_piece(&walk, token->start);
            walk.part = part;
            walk.from = token->end;
        } else if (depth == 0 && parts_pieces(&walk, token)) {
            close_piece(&walk, token->start);
            walk.from = token->end;
        } else if (token->keyword == KEYWORD_by && depth == 0) {
            walk.from = token->end; /* of GROUP BY and ORDER BY */
        }
        depth += token_is_punct(token, "(") ? 1 : token_is_punct(token, ")") ? -1 : 0;
    }
    if (walk.part != PART_END) {
        close_piece(&walk, strlen(sql));
    }
}

static void add_step(struct arena *arena, struct texts *out, const char *before,
                     const struct texts *texts, const char *between)
{
    if (texts->count) {
        VEC_PUSH(arena, out,
                 arena_format(arena, "%s %s.", before, str_join(arena, texts, between)));
    }
}

void sql_parts_steps(struct arena *arena, const struct sql_parts *parts,
                     const struct texts *tables, struct texts *out)
{
    add_step(arena, out, "Read", tables, ", ");
    add_step(arena, out, "Join them where", &parts->joins, " and ");
    add_step(arena, out, "Keep the rows where", &parts->filters, " and ");
    add_step(arena, out, "Make a group for each", &parts->groups, ", ");
    add_step(arena, out, "Work out", &parts->aggregations, ", ");
    add_step(arena, out, "Keep the groups where", &parts->conditions, " and ");
    add_step(arena, out, "Sort by", &parts->order, ", ");
    if (parts->limit) {
        VEC_PUSH(arena, out, arena_format(arena, "Take the first %s.", parts->limit));
    }
}
