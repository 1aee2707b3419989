/* What a SELECT gives, and for which groups. */
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/str.h"
#include "sql/describe/describe_sentence.h"

/* The items of the select list; none for FROM without SELECT. */
static size_t sentence_item_count(const struct sentence *sentence)
{
    const struct sql_node *items = sentence->select->children[SELECT_ITEMS];
    /* the star that FROM alone means was made by the reader */
    bool made = items->count == 1 && items->children[0]->end == 0;
    return sentence->rows || made ? 0 : items->count;
}

static const struct sql_node *item_at(const struct sentence *sentence, size_t index)
{
    return sentence->select->children[SELECT_ITEMS]->children[index];
}

const struct sql_node *sentence_item(const struct sentence *sentence,
                                     const struct sql_node *number)
{
    int64_t ordinal = 0;
    if (number->kind != SQL_NUMBER || !str_to_int(number->text, &ordinal) ||
        ordinal < 1 || (uint64_t)ordinal > sentence_item_count(sentence)) {
        return NULL;
    }
    return item_at(sentence, (size_t)ordinal - 1);
}

/* GROUP BY a, b; NULL for none and for ALL. */
static const struct sql_node *group_list(const struct sentence *sentence, bool *all)
{
    const struct sql_node *list = sentence->select->children[SELECT_GROUP];
    *all = list && sql_has(list, FLAG_GROUP_ALL);
    return *all ? NULL : list;
}

/* What it groups by, each rendered once: queries in queries would multiply. */
static void read_groups(struct sentence *sentence, const struct sql_node *list,
                        struct texts *out)
{
    for (size_t i = 0; list && i < list->count && i < DESCRIBE_GROUPS_MOST; i++) {
        VEC_PUSH(sentence->names.arena, out,
                 sentence_piece(sentence, list->children[i], false));
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

static bool is_column_called(const struct sql_node *value, const char *name)
{
    return value->kind == SQL_COLUMN && value->count <= 2 &&
           str_equal_nocase(value->children[value->count - 1]->text, name);
}

/* "the total of amount"; "share (…)" for what was worked out and given a name. */
static const char *item_words(struct sentence *sentence, const struct sql_node *value,
                              const char *text, const char *alias)
{
    if (!alias || is_column_called(value, alias) ||
        (describe_is_spoken(value) && !sentence->noun)) {
        return text;
    }
    if (sentence->noun) { /* the outer query uses this name for it */
        return arena_format(sentence->names.arena, "%s as %s", text, alias);
    }
    return arena_format(sentence->names.arena, "%s (%s)", alias, text);
}

/* "for each month of ordered_at", "for each city" */
static const char *group_words(struct sentence *sentence, const struct sql_node *value,
                               const char *alias)
{
    const char *text = sentence_piece(sentence, value, false);
    if (str_starts(text, "the ")) {
        return text + 4;
    }
    return item_words(sentence, value, text, alias);
}

static void note_alias(struct sentence *sentence, const struct sql_node *item,
                       const char *text, bool aggregate)
{
    struct describe_names *names = &sentence->names;
    bool spoken = describe_is_spoken(item->children[SINGLE_VALUE]);
    VEC_PUSH(names->arena, &names->select_aliases, item->text);
    VEC_PUSH(names->arena, &names->select_words, spoken ? text : item->text);
    VEC_PUSH(names->arena, &names->numbers, aggregate ? item->text : "");
}

/* What the query gives: columns that are not what it groups by. */
static void read_items(struct sentence *sentence, struct texts *words, bool *aggregates)
{
    struct arena *arena = sentence->names.arena;
    struct texts groups = {0};
    bool all;
    *aggregates = true;
    read_groups(sentence, group_list(sentence, &all), &groups);
    size_t count = sentence_item_count(sentence);
    for (size_t i = 0; i < DESCRIBE_ITEMS_MOST && i < count; i++) {
        const struct sql_node *item = item_at(sentence, i);
        const struct sql_node *value = item->children[SINGLE_VALUE];
        const char *text = sentence_piece(sentence, value, false);
        bool aggregate = describe_is_aggregate(&sentence->names, value);
        if (item->text) {
            note_alias(sentence, item, text, aggregate);
        }
        if (all && !aggregate) {
            VEC_PUSH(arena, &sentence->groups, group_words(sentence, value, item->text));
            continue;
        }
        if (in_group(&groups, text, item->text, (int64_t)i + 1)) {
            continue;
        }
        *aggregates = *aggregates && aggregate;
        VEC_PUSH(arena, words, item_words(sentence, value, text, item->text));
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

/* DISTINCT ON (a): the first row of each a. */
static void add_distinct_on(struct sentence *sentence)
{
    const struct sql_node *list = sentence->select->children[SELECT_DISTINCT_ON];
    for (size_t i = 0; list && i < list->count; i++) {
        buf_format(sentence->out, "%s%s",
                   i                ? " and "
                   : sentence->noun ? " one row for each "
                                    : ", one row for each ",
                   sentence_piece(sentence, list->children[i], false));
    }
}

void sentence_add_select(struct sentence *sentence)
{
    struct texts words = {0};
    bool aggregates;
    bool noun = sentence->noun;
    read_items(sentence, &words, &aggregates);
    bool distinct = sql_has(sentence->select, FLAG_DISTINCT) &&
                    !sentence->select->children[SELECT_DISTINCT_ON];
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
    add_distinct_on(sentence);
}

/* GROUP BY 1, by an alias or by what it is. */
static const char *group_named(struct sentence *sentence, const struct sql_node *group)
{
    const struct sql_node *item = sentence_item(sentence, group);
    size_t count = sentence_item_count(sentence);
    bool name = group->kind == SQL_COLUMN && group->count == 1;
    for (size_t i = 0; name && !item && i < count; i++) {
        const struct sql_node *one = item_at(sentence, i);
        if (one->text && str_equal_nocase(one->text, group->children[0]->text)) {
            item = one;
        }
    }
    return item ? group_words(sentence, item->children[SINGLE_VALUE], item->text)
                : group_words(sentence, group, NULL);
}

void sentence_add_groups(struct sentence *sentence)
{
    bool all;
    const struct sql_node *list = group_list(sentence, &all);
    for (size_t i = 0; list && i < list->count && i < DESCRIBE_GROUPS_MOST; i++) {
        VEC_PUSH(sentence->names.arena, &sentence->groups,
                 group_named(sentence, list->children[i]));
    }
    if (sentence->groups.count) {
        buf_text(sentence->out, sentence->noun ? " for each " : ", for each ");
        add_list(sentence, &sentence->groups);
    }
    if (list && list->text) { /* WITH ROLLUP */
        buf_format(sentence->out, " WITH %s", list->text);
    }
}
