/* A query as one sentence, put together clause by clause. */
#include "sql/describe.h"

#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/str.h"
#include "sql/describe_words.h"
#include "sql/function.h"

enum {
    SENTENCE_MOST = 1200,
    PIECE_MOST = 240,
    ITEMS_MOST = 64,  /* of the select list */
    GROUPS_MOST = 16, /* of GROUP BY and of ORDER BY; the rest goes unsaid */
    DEPTH_MOST = 200,
};

enum part {
    PART_SELECT,
    PART_FROM,
    PART_WHERE,
    PART_GROUP,
    PART_HAVING,
    PART_QUALIFY,
    PART_WINDOW,
    PART_ORDER,
    PART_LIMIT,
    PART_OFFSET,
    PARTS
};

static const enum keyword part_keywords[PARTS] = {
    KEYWORD_select,  KEYWORD_from,   KEYWORD_where, KEYWORD_group, KEYWORD_having,
    KEYWORD_qualify, KEYWORD_window, KEYWORD_order, KEYWORD_limit, KEYWORD_offset,
};

struct sentence {
    struct arena *arena;
    enum dialect dialect;
    struct buf out;
    struct span parts[PARTS];
    struct describe_names names;
    struct texts ctes;
    struct texts groups; /* what it groups by, in words */
};

static bool is_set_operation(const struct token *token)
{
    return token->keyword == KEYWORD_union || token->keyword == KEYWORD_intersect ||
           token->keyword == KEYWORD_except;
}

/* Cuts one SELECT into its clauses; returns the set operation after it, or `to`. */
static const struct token *cut_parts(struct sentence *sentence, struct span span)
{
    int open = -1;
    const struct token *at = span.from;
    while (at < span.to && !(is_set_operation(at) && open >= 0)) {
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

/* GROUP BY x -> x */
static struct span part_body(const struct sentence *sentence, enum part part)
{
    struct span span = sentence->parts[part];
    if (span.from && span.from < span.to && span.from->keyword == KEYWORD_by) {
        span.from++;
    }
    return span;
}

static bool is_name(const struct token *token)
{
    return token->kind == TOKEN_NAME ||
           (token->kind == TOKEN_WORD && !keyword_reserved(token->keyword));
}

/* The alias at the end of an item, cut off; NULL when there is none. */
static const char *cut_alias(struct span *item)
{
    const struct token *last = item->to - 1;
    if (item->to - item->from >= 2 && last[-1].keyword == KEYWORD_exclude) {
        return NULL; /* * EXCLUDE name */
    }
    if (item->to - item->from >= 3 && last[-1].keyword == KEYWORD_as) {
        item->to -= 2;
        return last->text;
    }
    bool after_value = item->to - item->from >= 2 && last[-1].kind != TOKEN_PUNCT;
    bool after_call = item->to - item->from >= 2 && token_is_punct(last - 1, ")");
    bool text = last->kind == TOKEN_STRING && after_call;
    if ((is_name(last) || text) && (after_value || after_call) &&
        last[-1].keyword != KEYWORD_over) {
        item->to--;
        return last->text;
    }
    return NULL;
}

/* "orders joined with customers" */
static void read_tables(struct sentence *sentence)
{
    struct span from = sentence->parts[PART_FROM];
    bool expected = true;
    for (const struct token *at = from.from; at && at < from.to;) {
        if (at->keyword == KEYWORD_join || token_is_punct(at, ",")) {
            expected = true;
            at++;
            continue;
        }
        bool name = is_name(at) && at->keyword != KEYWORD_lateral;
        if (!expected || (!name && !token_is_punct(at, "("))) {
            at = span_skip(at, from.to);
            continue;
        }
        expected = false;
        const char *table = name ? at->text : "another query";
        at = span_skip(at, from.to);
        while (name && at + 1 < from.to && token_is_punct(at, ".")) {
            table = at[1].text;
            at += 2;
        }
        if (at < from.to && token_is_punct(at, "(")) {
            at = span_skip(at, from.to);
        }
        at += at < from.to && at->keyword == KEYWORD_as;
        const char *alias = table;
        if (at < from.to && is_name(at)) {
            alias = at->text;
        }
        VEC_PUSH(sentence->arena, &sentence->names.tables, table);
        VEC_PUSH(sentence->arena, &sentence->names.aliases, alias);
    }
}

static void add_tables(struct sentence *sentence, const char *before)
{
    const struct texts *tables = &sentence->names.tables;
    for (size_t i = 0; i < tables->count; i++) {
        buf_format(&sentence->out, "%s%s", i ? " joined with " : before,
                   tables->items[i]);
    }
}

/* A piece of bounded length, so that one long condition does not drown the rest. */
static const char *piece(struct sentence *sentence, struct span span, bool condition)
{
    struct buf buf;
    buf_init(&buf, SENTENCE_MOST);
    if (condition) {
        describe_condition(&buf, &sentence->names, span);
    } else {
        describe_value(&buf, &sentence->names, span);
    }
    char *text = arena_text(sentence->arena, buf_get(&buf));
    bool cut = buf.full || buf.size > PIECE_MOST;
    buf_release(&buf);
    if (cut) {
        size_t size = strlen(text) < PIECE_MOST ? strlen(text) : PIECE_MOST;
        while (size && ((unsigned char)text[size] & 0xC0) == 0x80) {
            size--;
        }
        text[size] = '\0';
        return arena_format(sentence->arena, "%s…", text);
    }
    return text;
}

static bool groups_by_all(const struct sentence *sentence)
{
    struct span group = part_body(sentence, PART_GROUP);
    return group.from && group.to - group.from == 1 && group.from->keyword == KEYWORD_all;
}

static bool in_group(struct sentence *sentence, const char *words, const char *alias,
                     int64_t number)
{
    struct span rest = part_body(sentence, PART_GROUP);
    struct span item;
    for (int i = 0; i < GROUPS_MOST && rest.from && span_next_item(&rest, &item); i++) {
        const char *group = piece(sentence, item, false);
        int64_t ordinal = 0;
        if (str_to_int(group, &ordinal) && ordinal == number) {
            return true;
        }
        if (str_equal_nocase(group, words) || (alias && str_equal_nocase(group, alias))) {
            return true;
        }
    }
    return false;
}

/* What the query gives: columns that are not what it groups by. */
static void read_items(struct sentence *sentence, struct texts *words, bool *aggregates)
{
    struct span rest = sentence->parts[PART_SELECT];
    struct span item;
    int64_t number = 0;
    *aggregates = true;
    while (
        rest.from && rest.from < rest.to &&
        (rest.from->keyword == KEYWORD_distinct || rest.from->keyword == KEYWORD_all)) {
        rest.from++;
    }
    for (int i = 0; i < ITEMS_MOST && rest.from && span_next_item(&rest, &item); i++) {
        if (item.from == item.to) {
            continue;
        }
        const char *alias = cut_alias(&item);
        const char *text = piece(sentence, item, false);
        bool aggregate = describe_is_aggregate(sentence->dialect, item);
        if (alias) {
            VEC_PUSH(sentence->arena, &sentence->names.select_aliases, alias);
            VEC_PUSH(sentence->arena, &sentence->names.select_words,
                     describe_is_spoken(item) ? text : alias);
            VEC_PUSH(sentence->arena, &sentence->names.numbers, aggregate ? alias : "");
        }
        bool spoken = describe_is_spoken(item);
        if (groups_by_all(sentence) && !aggregate) {
            VEC_PUSH(sentence->arena, &sentence->groups, alias ? alias : text);
            continue;
        }
        if (in_group(sentence, text, alias, ++number)) {
            continue;
        }
        *aggregates = *aggregates && aggregate;
        VEC_PUSH(sentence->arena, words, spoken || !alias ? text : alias);
    }
}

static void add_list(struct sentence *sentence, const struct texts *words)
{
    enum { SHOWN = 8 };
    for (size_t i = 0; i < words->count && i < SHOWN; i++) {
        const char *gap = i == 0 ? "" : i + 1 == words->count ? " and " : ", ";
        buf_format(&sentence->out, "%s%s", gap, words->items[i]);
    }
    if (words->count > SHOWN) {
        buf_format(&sentence->out, " and %zu more", words->count - SHOWN);
    }
}

static void add_select(struct sentence *sentence)
{
    struct texts words = {0};
    bool aggregates;
    read_items(sentence, &words, &aggregates);
    const struct token *first = sentence->parts[PART_SELECT].from;
    bool distinct = first && first->keyword == KEYWORD_distinct;
    if (words.count == 1 && aggregates &&
        str_equal(words.items[0], "the number of rows")) {
        buf_text(&sentence->out, "Counts rows");
        add_tables(sentence, " of ");
    } else if (words.count > 0 && aggregates) {
        buf_text(&sentence->out, "Works out ");
        add_list(sentence, &words);
        add_tables(sentence, " in ");
    } else if (words.count > 0) {
        buf_format(&sentence->out, "Shows %s", distinct ? "each different " : "");
        add_list(sentence, &words);
        add_tables(sentence, " from ");
    } else {
        buf_text(&sentence->out, "Lists what there is");
        add_tables(sentence, " in ");
    }
}

static const char *group_words(struct sentence *sentence, struct span item)
{
    int64_t number = 0;
    if (item.to - item.from == 1 && item.from->kind == TOKEN_NUMBER &&
        str_to_int(item.from->text, &number)) {
        struct span list = sentence->parts[PART_SELECT];
        while (number-- > 0 && span_next_item(&list, &item)) {}
        const char *alias = item.from < item.to ? cut_alias(&item) : NULL;
        return alias ? alias : piece(sentence, item, false);
    }
    return piece(sentence, item, false);
}

static void add_group(struct sentence *sentence)
{
    struct span rest = part_body(sentence, PART_GROUP);
    struct span item;
    bool all = groups_by_all(sentence);
    for (int i = 0; i < GROUPS_MOST && rest.from && !all && span_next_item(&rest, &item);
         i++) {
        VEC_PUSH(sentence->arena, &sentence->groups, group_words(sentence, item));
    }
    if (sentence->groups.count) {
        buf_text(&sentence->out, ", for each ");
        add_list(sentence, &sentence->groups);
    }
}

static void add_conditions(struct sentence *sentence)
{
    static const struct {
        enum part part;
        const char *words;
    } conditions[] = {
        {PART_WHERE, ", where "},
        {PART_HAVING, ", keeping only groups where "},
        {PART_QUALIFY, ", keeping only rows where "},
    };
    for (size_t i = 0; i < sizeof conditions / sizeof *conditions; i++) {
        struct span span = sentence->parts[conditions[i].part];
        if (span.from && span.from < span.to) {
            buf_format(&sentence->out, "%s%s", conditions[i].words,
                       piece(sentence, span, true));
        }
    }
}

static void add_order(struct sentence *sentence)
{
    struct span rest = part_body(sentence, PART_ORDER);
    struct span item;
    bool first = true;
    for (int i = 0; i < GROUPS_MOST && rest.from && span_next_item(&rest, &item); i++) {
        bool down = false;
        const struct token *end = item.from;
        while (end < item.to && end->keyword != KEYWORD_asc &&
               end->keyword != KEYWORD_desc && end->keyword != KEYWORD_nulls) {
            end = span_skip(end, item.to);
        }
        down = end < item.to && end->keyword == KEYWORD_desc;
        item.to = end;
        if (item.from == item.to) {
            continue;
        }
        const char *words = piece(sentence, item, false);
        bool number = describe_is_aggregate(sentence->dialect, item);
        for (size_t j = 0; j < sentence->names.select_aliases.count; j++) {
            if (str_equal_nocase(sentence->names.select_aliases.items[j], words)) {
                number = number || sentence->names.numbers.items[j][0];
                words = sentence->names.select_words.items[j];
            }
        }
        if (number && first) {
            buf_text(&sentence->out, down ? ", largest first" : ", smallest first");
        } else {
            buf_format(&sentence->out, "%s%s%s", first ? ", sorted by " : ", then by ",
                       words, down ? " from high to low" : "");
        }
        first = false;
    }
}

static void add_limit(struct sentence *sentence)
{
    struct span span = sentence->parts[PART_LIMIT];
    if (span.from && span.to - span.from == 1 && span.from->kind == TOKEN_NUMBER) {
        buf_format(&sentence->out, ", at most %s", span.from->text);
    } else if (span.from && span.to - span.from == 3 &&
               token_is_punct(span.from + 1, ",")) {
        buf_format(&sentence->out, ", at most %s", span.to[-1].text);
    }
}

static void add_query(struct sentence *sentence, struct span span)
{
    while (span.from < span.to && token_is_punct(span.from, "(")) {
        span.to = span_skip(span.from, span.to) - 1;
        span.from++;
    }
    const struct token *end = cut_parts(sentence, span);
    read_tables(sentence);
    add_select(sentence);
    add_group(sentence);
    add_conditions(sentence);
    add_order(sentence);
    add_limit(sentence);
    if (end < span.to) {
        buf_text(&sentence->out, end->keyword == KEYWORD_union
                                     ? ", together with the rows of another query"
                                 : end->keyword == KEYWORD_except
                                     ? ", without the rows of another query"
                                     : ", only rows that another query gives too");
    }
}

/* WITH a AS (…), b AS (…): the names; returns where the query itself begins. */
static const struct token *skip_with(struct sentence *sentence, struct span span)
{
    const struct token *at = span.from + 1;
    while (at < span.to && at->keyword != KEYWORD_select && at->keyword != KEYWORD_from) {
        if (is_name(at) && at->keyword == KEYWORD_NONE &&
            (at[1].keyword == KEYWORD_as || token_is_punct(at + 1, "("))) {
            VEC_PUSH(sentence->arena, &sentence->ctes, at->text);
        }
        at = span_skip(at, span.to);
    }
    return at;
}

static void add_write(struct sentence *sentence, struct span span)
{
    const struct token *first = span.from;
    const char *verb = first->keyword == KEYWORD_insert   ? "Adds rows to"
                       : first->keyword == KEYWORD_update ? "Changes rows of"
                                                          : "Deletes rows of";
    const struct token *at = first + 1;
    while (at < span.to && !is_name(at)) {
        at++;
    }
    buf_format(&sentence->out, "%s %s", verb, at < span.to ? at->text : "a table");
    cut_parts(sentence, span);
    struct span where = sentence->parts[PART_WHERE];
    if (where.from && first->keyword != KEYWORD_insert) {
        buf_format(&sentence->out, ", where %s", piece(sentence, where, true));
    } else if (first->keyword != KEYWORD_insert) {
        buf_text(&sentence->out, ", all of them");
    }
}

/* Words are made by functions that call themselves: bound how often. */
static bool too_deep(const struct tokens *tokens)
{
    int depth = 0;
    int deepest = 0;
    for (size_t i = 0; i < tokens->count; i++) {
        depth += token_is_punct(&tokens->items[i], "(");
        depth -= token_is_punct(&tokens->items[i], ")");
        deepest = depth > deepest ? depth : deepest;
    }
    return deepest > DEPTH_MOST;
}

char *describe_sql(struct arena *arena, enum dialect dialect, const char *sql)
{
    struct tokens tokens = {0};
    lexer_run(arena, dialect, sql, strlen(sql), &tokens);
    while (tokens.count && token_is_punct(&tokens.items[tokens.count - 1], ";")) {
        tokens.count--;
    }
    if (tokens.count == 0 || tokens.items[tokens.count - 1].kind == TOKEN_BAD ||
        too_deep(&tokens)) {
        return arena_text(arena, "Not a query.");
    }
    struct sentence sentence = {.arena = arena, .dialect = dialect};
    buf_init(&sentence.out, SENTENCE_MOST);
    struct span span = {tokens.items, tokens.items + tokens.count};
    enum keyword first = span.from->keyword;
    if (first == KEYWORD_with) {
        span.from = skip_with(&sentence, span);
    }
    if (first == KEYWORD_insert || first == KEYWORD_update || first == KEYWORD_delete) {
        add_write(&sentence, span);
    } else if (first == KEYWORD_values) {
        buf_text(&sentence.out, "Shows fixed values");
    } else if (first == KEYWORD_select || first == KEYWORD_with ||
               first == KEYWORD_from || token_is_punct(span.from, "(")) {
        add_query(&sentence, span);
    } else {
        buf_text(&sentence.out, "Not a query");
    }
    if (sentence.ctes.count) {
        buf_format(&sentence.out, " (%s %s worked out first)",
                   str_join(arena, &sentence.ctes, ", "),
                   sentence.ctes.count > 1 ? "are" : "is");
    }
    bool full = sentence.out.full;
    char *text = arena_format(arena, "%s%s", buf_get(&sentence.out), full ? "…" : ".");
    buf_release(&sentence.out);
    return str_squeeze(arena, text);
}
