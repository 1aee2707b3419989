/* A whole query in words: clauses, set operations, queries in queries. */
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/str.h"
#include "sql/describe_sentence.h"

static const char *comma(const struct sentence *sentence)
{
    return sentence->noun ? "" : ",";
}

/* The condition under which a table that is there twice is joined with itself. */
static void add_self_join(struct sentence *sentence)
{
    const struct texts *tables = &sentence->names.tables;
    struct span from = sentence->parts[PART_FROM];
    if (tables->count != 2 || !str_equal_nocase(tables->items[0], tables->items[1])) {
        return;
    }
    const struct token *on = span_find(from, KEYWORD_on);
    if (on < from.to) {
        buf_format(sentence->out, " by %s",
                   sentence_piece(sentence, (struct span){on + 1, from.to}, true));
    }
}

static void add_conditions(struct sentence *sentence)
{
    static const struct {
        enum part part;
        const char *words;
    } conditions[] = {
        {PART_WHERE, " where "},
        {PART_HAVING, " keeping only groups where "},
        {PART_QUALIFY, " keeping only rows where "},
    };
    for (size_t i = 0; i < sizeof conditions / sizeof *conditions; i++) {
        struct span span = sentence->parts[conditions[i].part];
        if (span.from && span.from < span.to) {
            buf_format(sentence->out, "%s%s%s", comma(sentence), conditions[i].words,
                       sentence_piece(sentence, span, true));
        }
    }
}

/* One part of ORDER BY: what it is called, whether it is a figure, which way it goes. */
struct order {
    const char *words;
    bool figure;
    bool down;
};

static bool read_order(struct sentence *sentence, struct span item, struct order *order)
{
    const struct token *end = item.from;
    while (end < item.to && end->keyword != KEYWORD_asc && end->keyword != KEYWORD_desc &&
           end->keyword != KEYWORD_nulls && !token_is(end, "collate")) {
        end = span_skip(end, item.to);
    }
    order->down = span_find((struct span){end, item.to}, KEYWORD_desc) < item.to;
    item.to = end;
    if (item.from == item.to) {
        return false;
    }
    int64_t number = 0;
    const char *alias = NULL;
    if (item.to - item.from == 1 && item.from->kind == TOKEN_NUMBER &&
        str_to_int(item.from->text, &number) && sentence_item(sentence, number, &item)) {
        alias = sentence_cut_alias(&item);
    }
    const struct describe_names *names = &sentence->names;
    order->figure = describe_is_aggregate(names->dialect, item);
    order->words = alias ? alias : sentence_piece(sentence, item, false);
    for (size_t j = 0; j < names->select_aliases.count; j++) {
        if (str_equal_nocase(names->select_aliases.items[j], order->words)) {
            order->figure = order->figure || names->numbers.items[j][0];
            order->words = names->select_words.items[j];
        }
    }
    return true;
}

/* How many figures the query gives: with several it must be said which is sorted by. */
static size_t figures_of(const struct sentence *sentence)
{
    struct span rest = sentence->parts[PART_SELECT];
    struct span item;
    size_t count = 0;
    while (rest.from && span_next_item(&rest, &item)) {
        count += describe_is_aggregate(sentence->names.dialect, item);
    }
    return count;
}

static void add_order(struct sentence *sentence)
{
    struct span rest = sentence_body(sentence, PART_ORDER);
    struct span item;
    bool first = true;
    for (int i = 0; i < DESCRIBE_GROUPS_MOST && rest.from && span_next_item(&rest, &item);
         i++) {
        struct order order;
        if (!read_order(sentence, item, &order)) {
            continue;
        }
        if (order.figure && first && figures_of(sentence) <= 1) {
            buf_format(sentence->out, "%s %s", comma(sentence),
                       order.down ? "largest first" : "smallest first");
        } else {
            buf_format(sentence->out, "%s %s %s%s", first ? comma(sentence) : ",",
                       first ? "sorted by" : "then by", order.words,
                       order.down ? " from high to low" : "");
        }
        first = false;
    }
}

static void add_limit(struct sentence *sentence)
{
    struct span span = sentence->parts[PART_LIMIT];
    struct span skip = sentence->parts[PART_OFFSET];
    const char *most = NULL;
    const char *after = NULL;
    if (span.from && span.to - span.from == 1 && span.from->kind == TOKEN_NUMBER) {
        most = span.from->text;
    } else if (span.from && span.to - span.from == 3 &&
               token_is_punct(span.from + 1, ",")) {
        most = span.to[-1].text;
        after = span.from->text;
    }
    if (skip.from && skip.from < skip.to && skip.from->kind == TOKEN_NUMBER) {
        after = skip.from->text;
    }
    if (most) {
        buf_format(sentence->out, "%s at most %s", comma(sentence), most);
    }
    if (after && !str_equal(after, "0")) {
        buf_format(sentence->out, "%s after the first %s", most ? "" : comma(sentence),
                   after);
    }
}

static struct span unwrapped(struct span span)
{
    while (span.from < span.to && token_is_punct(span.from, "(") &&
           span_skip(span.from, span.to) == span.to) {
        span.from++;
        span.to -= span.to > span.from;
    }
    return span;
}

/* The other operands of a set operation; their ORDER BY is the whole's. */
static void add_operands(struct sentence *sentence, const struct token *at,
                         const struct token *to)
{
    while (at < to) {
        enum keyword kind = at->keyword;
        at++;
        at += at < to && (at->keyword == KEYWORD_all || at->keyword == KEYWORD_distinct);
        struct sentence other = {.out = sentence->out, .noun = true};
        other.names = (struct describe_names){.arena = sentence->names.arena,
                                              .dialect = sentence->names.dialect,
                                              .depth = sentence->names.depth + 1,
                                              .outer = sentence->names.outer};
        bool wrapped = at < to && token_is_punct(at, "(");
        const struct token *end =
            wrapped ? span_skip(at, to) : sentence_cut(&other, (struct span){at, to});
        buf_text(sentence->out, kind == KEYWORD_union    ? ", together with ("
                                : kind == KEYWORD_except ? ", without ("
                                                         : ", only those also in (");
        const struct token *stop = end;
        for (int i = PART_ORDER; i <= PART_OFFSET && !wrapped; i++) {
            const struct token *from = other.parts[i].from;
            stop = from && from - 1 < stop ? from - 1 : stop;
        }
        describe_noun(sentence->out, &sentence->names, (struct span){at, stop});
        buf_char(sentence->out, ')');
        at = end;
        if (at >= to) { /* of the last one; its names are the first one's columns */
            memcpy(&sentence->parts[PART_ORDER], &other.parts[PART_ORDER],
                   sizeof sentence->parts[0] * (PARTS - PART_ORDER));
        }
    }
}

/* One SELECT, and what is done to it with others. */
static void add_select_and_operands(struct sentence *sentence, struct span span)
{
    const struct token *end = sentence_cut(sentence, span);
    sentence_tables(sentence);
    sentence_add_select(sentence);
    add_self_join(sentence);
    sentence_add_groups(sentence);
    add_conditions(sentence);
    if (end < span.to) {
        add_operands(sentence, end, span.to);
    }
    add_order(sentence);
    add_limit(sentence);
}

/* WITH a AS (…), b AS (…): each as a noun, before the query that uses it. */
static const struct token *add_with(struct sentence *sentence, struct span span)
{
    const struct token *at = span.from + 1;
    const char *gap = sentence->noun ? "" : "First works out ";
    while (at < span.to && at->keyword != KEYWORD_select && at->keyword != KEYWORD_from) {
        const char *name =
            describe_is_name(at) && !token_is(at, "recursive") ? at->text : NULL;
        at = span_skip(at, span.to);
        const struct token *as = at;
        while (name && as < span.to && as->keyword != KEYWORD_as &&
               token_is_punct(as, "(")) {
            as = span_skip(as, span.to);
        }
        if (!name || as >= span.to || as->keyword != KEYWORD_as) {
            continue;
        }
        at = as + 1;
        while (at < span.to && !token_is_punct(at, "(")) { /* [NOT] MATERIALIZED */
            at++;
        }
        const struct token *end = at < span.to ? span_skip(at, span.to) : span.to;
        if (!sentence->noun && at < span.to) {
            buf_format(sentence->out, "%s%s (", gap, name);
            describe_noun(sentence->out, &sentence->names,
                          (struct span){at + 1, end - 1});
            buf_char(sentence->out, ')');
            gap = " and ";
        }
        at = end;
    }
    if (!str_equal(gap, "First works out ") && !sentence->noun) {
        buf_text(sentence->out, ". ");
    }
    return at;
}

void sentence_add_query(struct sentence *sentence, struct span span)
{
    span = unwrapped(span);
    if (span.from < span.to && span.from->keyword == KEYWORD_with) {
        span.from = add_with(sentence, span);
    }
    if (span.from < span.to && token_is_punct(span.from, "(")) {
        /* (SELECT …) UNION … */
        const struct token *end = span_skip(span.from, span.to);
        struct span first = {span.from + 1, end - 1};
        add_select_and_operands(sentence, first);
        memset(&sentence->parts[PART_ORDER], 0,
               sizeof sentence->parts[0] * (PARTS - PART_ORDER));
        add_operands(sentence, end, span.to);
        add_order(sentence);
        add_limit(sentence);
        return;
    }
    add_select_and_operands(sentence, span);
}

void describe_noun(struct buf *out, const struct describe_names *outer, struct span span)
{
    if (outer->depth >= DESCRIBE_DEPTH) {
        buf_text(out, "the results of another query");
        return;
    }
    if (span.from < span.to && span.from->keyword == KEYWORD_values) {
        buf_text(out, "fixed values");
        return;
    }
    struct sentence sentence = {.out = out, .noun = true};
    sentence.names = (struct describe_names){.arena = outer->arena,
                                             .dialect = outer->dialect,
                                             .depth = outer->depth + 1,
                                             .outer = outer};
    sentence_add_query(&sentence, span);
}
