/* What a SELECT gives, and for which groups. */
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/str.h"
#include "sql/describe_sentence.h"

const char *sentence_cut_alias(struct span *item)
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
    if ((describe_is_name(last) || text) && (after_value || after_call) &&
        last[-1].keyword != KEYWORD_over) {
        item->to--;
        return last->text;
    }
    return NULL;
}

/* The select list without DISTINCT. */
static struct span select_list(const struct sentence *sentence)
{
    struct span list = sentence->parts[PART_SELECT];
    while (
        list.from && list.from < list.to &&
        (list.from->keyword == KEYWORD_distinct || list.from->keyword == KEYWORD_all)) {
        list.from++;
    }
    return list;
}

bool sentence_item(const struct sentence *sentence, int64_t number, struct span *item)
{
    struct span list = select_list(sentence);
    bool found = false;
    while (number-- > 0) {
        found = list.from && span_next_item(&list, item);
        if (!found) {
            return false;
        }
    }
    return found && item->from < item->to;
}

static bool groups_by_all(const struct sentence *sentence)
{
    struct span group = sentence_body(sentence, PART_GROUP);
    return group.from && group.to - group.from == 1 && group.from->keyword == KEYWORD_all;
}

/* What it groups by, each rendered once: queries in queries would multiply. */
static void read_groups(struct sentence *sentence, struct texts *out)
{
    struct span rest = sentence_body(sentence, PART_GROUP);
    struct span item;
    while (out->count < DESCRIBE_GROUPS_MOST && rest.from &&
           span_next_item(&rest, &item)) {
        VEC_PUSH(sentence->names.arena, out, sentence_piece(sentence, item, false));
    }
}

static bool in_group(const struct texts *groups, const char *words, const char *alias,
                     int64_t number)
{
    for (size_t i = 0; i < groups->count; i++) {
        const char *group = groups->items[i];
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

/* "the total of amount"; "share (…)" for what was worked out and given a name. */
static const char *item_words(struct sentence *sentence, struct span item,
                              const char *text, const char *alias)
{
    const struct token *last = item.to - 1;
    bool same = alias && item.to > item.from && str_equal_nocase(last->text, alias) &&
                item.to - item.from <= 3;
    if (!alias || same || (describe_is_spoken(item) && !sentence->noun)) {
        return text;
    }
    if (sentence->noun) { /* the query around it speaks of it by this name */
        return arena_format(sentence->names.arena, "%s as %s", text, alias);
    }
    return arena_format(sentence->names.arena, "%s (%s)", alias, text);
}

/* "for each month of ordered_at", "for each city" */
static const char *group_words(struct sentence *sentence, struct span item,
                               const char *alias)
{
    const char *text = sentence_piece(sentence, item, false);
    if (str_starts(text, "the ")) {
        return text + 4;
    }
    return item_words(sentence, item, text, alias);
}

static void note_alias(struct sentence *sentence, struct span item, const char *alias,
                       const char *text, bool aggregate)
{
    struct describe_names *names = &sentence->names;
    VEC_PUSH(names->arena, &names->select_aliases, alias);
    VEC_PUSH(names->arena, &names->select_words, describe_is_spoken(item) ? text : alias);
    VEC_PUSH(names->arena, &names->numbers, aggregate ? alias : "");
}

/* What the query gives: columns that are not what it groups by. */
static void read_items(struct sentence *sentence, struct texts *words, bool *aggregates)
{
    struct span rest = select_list(sentence);
    struct span item;
    struct arena *arena = sentence->names.arena;
    struct texts groups = {0};
    int64_t number = 0;
    *aggregates = true;
    read_groups(sentence, &groups);
    for (int i = 0; i < DESCRIBE_ITEMS_MOST && rest.from && span_next_item(&rest, &item);
         i++) {
        number++;
        if (item.from == item.to) {
            continue;
        }
        const char *alias = sentence_cut_alias(&item);
        const char *text = sentence_piece(sentence, item, false);
        bool aggregate = describe_is_aggregate(sentence->names.dialect, item);
        if (alias) {
            note_alias(sentence, item, alias, text, aggregate);
        }
        if (groups_by_all(sentence) && !aggregate) {
            VEC_PUSH(arena, &sentence->groups, group_words(sentence, item, alias));
            continue;
        }
        if (in_group(&groups, text, alias, number)) {
            continue;
        }
        *aggregates = *aggregates && aggregate;
        VEC_PUSH(arena, words, item_words(sentence, item, text, alias));
    }
}

static void add_list(struct sentence *sentence, const struct texts *words)
{
    enum { SHOWN = 8 };
    for (size_t i = 0; i < words->count && i < SHOWN; i++) {
        const char *gap = i == 0 ? "" : i + 1 == words->count ? " and " : ", ";
        buf_format(sentence->out, "%s%s", gap, words->items[i]);
    }
    if (words->count > SHOWN) {
        buf_format(sentence->out, " and %zu more", words->count - SHOWN);
    }
}

static void add_tables(struct sentence *sentence, const char *before)
{
    for (size_t i = 0; i < sentence->shown.count; i++) {
        buf_format(sentence->out, "%s%s", i ? "" : before, sentence->shown.items[i]);
    }
}

void sentence_add_select(struct sentence *sentence)
{
    struct texts words = {0};
    bool aggregates;
    bool noun = sentence->noun;
    read_items(sentence, &words, &aggregates);
    const struct token *first = sentence->parts[PART_SELECT].from;
    bool distinct = first && first->keyword == KEYWORD_distinct;
    if (words.count == 1 && aggregates &&
        str_equal(words.items[0], "the number of rows")) {
        buf_text(sentence->out, noun ? "the number of rows" : "Counts rows");
        add_tables(sentence, " of ");
    } else if (words.count > 0 && aggregates) {
        buf_text(sentence->out, noun ? "" : "Works out ");
        add_list(sentence, &words);
        add_tables(sentence, " in ");
    } else if (words.count > 0) {
        buf_text(sentence->out, noun ? "" : "Shows ");
        buf_text(sentence->out, !distinct ? ""
                                : noun    ? "the different "
                                          : "each different ");
        add_list(sentence, &words);
        add_tables(sentence, noun ? " of " : " from ");
    } else if (noun) {
        add_tables(sentence, "");
    } else {
        buf_text(sentence->out, "Lists what there is");
        add_tables(sentence, " in ");
    }
}

/* GROUP BY 1, by an alias or by what it is. */
static const char *group_named(struct sentence *sentence, struct span group)
{
    int64_t number = 0;
    struct span item = group;
    bool single = group.to - group.from == 1;
    if (single && group.from->kind == TOKEN_NUMBER &&
        str_to_int(group.from->text, &number) && sentence_item(sentence, number, &item)) {
        const char *alias = sentence_cut_alias(&item);
        return group_words(sentence, item, alias);
    }
    struct span list = select_list(sentence);
    while (single && list.from && span_next_item(&list, &item)) {
        const char *alias = item.from < item.to ? sentence_cut_alias(&item) : NULL;
        if (alias && str_equal_nocase(alias, group.from->text)) {
            return group_words(sentence, item, alias);
        }
    }
    return group_words(sentence, group, NULL);
}

void sentence_add_groups(struct sentence *sentence)
{
    struct span rest = sentence_body(sentence, PART_GROUP);
    struct span item;
    bool all = groups_by_all(sentence);
    for (int i = 0;
         i < DESCRIBE_GROUPS_MOST && rest.from && !all && span_next_item(&rest, &item);
         i++) {
        VEC_PUSH(sentence->names.arena, &sentence->groups, group_named(sentence, item));
    }
    if (sentence->groups.count) {
        buf_text(sentence->out, sentence->noun ? " for each " : ", for each ");
        add_list(sentence, &sentence->groups);
    }
}
