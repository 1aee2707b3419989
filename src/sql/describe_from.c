/* A SELECT cut into its clauses, and its tables in words. */
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/str.h"
#include "sql/describe_sentence.h"

static const enum keyword part_keywords[PARTS] = {
    KEYWORD_select,  KEYWORD_from,   KEYWORD_where, KEYWORD_group, KEYWORD_having,
    KEYWORD_qualify, KEYWORD_window, KEYWORD_order, KEYWORD_limit, KEYWORD_offset,
};

static bool is_set_operation(const struct token *token)
{
    return token->keyword == KEYWORD_union || token->keyword == KEYWORD_intersect ||
           token->keyword == KEYWORD_except;
}

const struct token *sentence_cut(struct sentence *sentence, struct span span)
{
    int open = -1;
    const struct token *at = span.from;
    /* SELECT * EXCEPT (a) is no set operation */
    while (at < span.to &&
           !(is_set_operation(at) && open >= 0 && !token_is_punct(at - 1, "*"))) {
        int found = -1;
        for (int i = 0; i < PARTS && at->keyword != KEYWORD_NONE; i++) {
            found = at->keyword == part_keywords[i] ? i : found;
        }
        bool needs_by = found == PART_GROUP || found == PART_ORDER; /* not WITHIN GROUP */
        bool begins = found >= 0 && (!needs_by || at[1].keyword == KEYWORD_by);
        if (begins && !sentence->parts[found].from) {
            if (open >= 0) {
                sentence->parts[open].to = at;
            }
            open = found;
            sentence->parts[open] = (struct span){at + 1, span.to};
        }
        at = span_skip(at, span.to);
    }
    if (open >= 0) {
        sentence->parts[open].to = at;
    }
    return at;
}

struct span sentence_body(const struct sentence *sentence, enum part part)
{
    struct span span = sentence->parts[part];
    if (span.from && span.from < span.to && span.from->keyword == KEYWORD_by) {
        span.from++;
    }
    return span;
}

bool describe_is_name(const struct token *token)
{
    return token->kind == TOKEN_NAME ||
           (token->kind == TOKEN_WORD && !keyword_reserved(token->keyword));
}

const char *sentence_piece(struct sentence *sentence, struct span span, bool condition)
{
    struct buf buf;
    buf_init(&buf, DESCRIBE_MOST);
    if (condition) {
        describe_condition(&buf, &sentence->names, span);
    } else {
        describe_value(&buf, &sentence->names, span);
    }
    struct arena *arena = sentence->names.arena;
    char *text = arena_text(arena, buf_get(&buf));
    bool cut = buf.full || buf.size > DESCRIBE_PIECE_MOST;
    buf_release(&buf);
    if (cut) {
        size_t size = strlen(text);
        size = size < DESCRIBE_PIECE_MOST ? size : DESCRIBE_PIECE_MOST;
        while (size && ((unsigned char)text[size] & 0xC0) == 0x80) {
            size--;
        }
        text[size] = '\0';
        return arena_format(arena, "%s…", text);
    }
    return text;
}

/* How a table is joined with those before it. */
static const char *join_words(const struct token *from, const struct token *join)
{
    const char *words = " joined with ";
    for (const struct token *at = join - 1; at >= from && at >= join - 3; at--) {
        words = at->keyword == KEYWORD_left    ? " with or without "
                : at->keyword == KEYWORD_right ? " joined with all of "
                : at->keyword == KEYWORD_full  ? " and all of "
                : at->keyword == KEYWORD_cross ? " in every pair with "
                                               : words;
        if (!keyword_reserved(at->keyword) && !token_is(at, "outer")) {
            break;
        }
    }
    return words;
}

/* A query in the place of a table. */
static const char *query_words(struct sentence *sentence, struct span span)
{
    struct buf buf;
    buf_init(&buf, DESCRIBE_PIECE_MOST);
    buf_char(&buf, '(');
    describe_noun(&buf, &sentence->names, span);
    buf_text(&buf, buf.full ? "…)" : ")");
    const char *text = arena_text(sentence->names.arena, buf_get(&buf));
    buf_release(&buf);
    return text;
}

static void add_table(struct sentence *sentence, const char *gap, const char *table,
                      const char *alias, const char *words)
{
    struct arena *arena = sentence->names.arena;
    VEC_PUSH(arena, &sentence->names.tables, table);
    VEC_PUSH(arena, &sentence->names.aliases, alias);
    VEC_PUSH(arena, &sentence->shown, arena_format(arena, "%s%s", gap, words));
}

/* One table and its alias; returns what follows. */
static const struct token *read_table(struct sentence *sentence, const struct token *at,
                                      const struct token *to, const char *gap)
{
    bool name = describe_is_name(at);
    const char *table = name ? at->text : NULL;
    struct span query = {at + 1, at + 1};
    const struct token *next = span_skip(at, to);
    if (!name) {
        query.to = next > at + 1 ? next - 1 : next;
    }
    at = next;
    while (name && at + 1 < to && token_is_punct(at, ".")) {
        table = at[1].text;
        at += 2;
    }
    if (at < to && name && token_is_punct(at, "(")) {
        at = span_skip(at, to);
    }
    at += at < to && at->keyword == KEYWORD_as;
    const char *alias = at < to && describe_is_name(at) ? at->text : table;
    const char *words = name ? table : query_words(sentence, query);
    alias = alias ? alias : "another query";
    add_table(sentence, gap, name ? table : alias, alias, words);
    return at;
}

/* A table that is there twice is told apart by what the query calls it. */
static void name_twins(struct sentence *sentence)
{
    const struct texts *tables = &sentence->names.tables;
    for (size_t i = 0; i < tables->count; i++) {
        const char *alias = sentence->names.aliases.items[i];
        bool twin = false;
        for (size_t k = 0; k < tables->count; k++) {
            twin =
                twin || (k != i && str_equal_nocase(tables->items[i], tables->items[k]));
        }
        if (twin && !str_equal(alias, tables->items[i])) {
            sentence->shown.items[i] = arena_format(sentence->names.arena, "%s (%s)",
                                                    sentence->shown.items[i], alias);
        }
    }
}

/* The table that the query calls this. */
static const char *table_called(const struct sentence *sentence, const char *alias)
{
    const struct describe_names *names = &sentence->names;
    for (size_t i = 0; i < names->aliases.count; i++) {
        if (str_equal_nocase(names->aliases.items[i], alias)) {
            return names->tables.items[i];
        }
    }
    return alias;
}

/* customer_id speaks of customers by itself; origin_id does not of airports. */
static bool speaks_of(const char *column, const char *table)
{
    enum { ENOUGH = 4 };
    size_t size = strlen(table);
    size = size < ENOUGH ? size : ENOUGH;
    char begin[ENOUGH + 1];
    memcpy(begin, table, size);
    begin[size] = '\0';
    return str_contains_nocase(column, begin);
}

/* ON a.x = b.y where the names alone do not tell which key is meant. */
static void add_key(struct sentence *sentence, const struct token *on,
                    const struct token *to)
{
    const struct token *at = on + 1;
    if (on + 8 > to || !token_is_punct(at + 1, ".") || !token_is_punct(at + 3, "=") ||
        !token_is_punct(at + 5, ".")) {
        return;
    }
    const char *tables[] = {table_called(sentence, at[0].text),
                            table_called(sentence, at[4].text)};
    const char *columns[] = {at[2].text, at[6].text};
    bool first = !str_equal_nocase(columns[0], "id"); /* whose column refers */
    const char *key = columns[!first];
    if (str_equal_nocase(columns[0], columns[1]) ||
        str_equal_nocase(tables[0], tables[1]) ||
        (first && !str_equal_nocase(columns[1], "id")) || speaks_of(key, tables[first])) {
        return;
    }
    struct texts *shown = &sentence->shown;
    shown->items[shown->count - 1] = arena_format(sentence->names.arena, "%s by %s",
                                                  shown->items[shown->count - 1], key);
}

void sentence_tables(struct sentence *sentence)
{
    struct span from = sentence->parts[PART_FROM];
    const char *gap = "";
    bool expected = true;
    for (const struct token *at = from.from; at && at < from.to;) {
        if (at->keyword == KEYWORD_join || token_is_punct(at, ",")) {
            gap =
                at->keyword == KEYWORD_join ? join_words(from.from, at) : " joined with ";
            expected = true;
            at++;
            continue;
        }
        bool table = (describe_is_name(at) && at->keyword != KEYWORD_lateral) ||
                     token_is_punct(at, "(");
        if (!expected && at->keyword == KEYWORD_on && sentence->shown.count) {
            add_key(sentence, at, from.to);
        }
        if (!expected || !table) {
            at = span_skip(at, from.to);
            continue;
        }
        expected = false;
        at = read_table(sentence, at, from.to, gap);
    }
    name_twins(sentence);
}
