/* Periods of time as text, both ways: 2024, 2024-Q1, 2024-03, --03, this month, last 3
 * months, next week, 2 weeks ago. */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "base/vec.h"
#include "parser/parts/parts_state.h"

enum { COUNT_MOST = 1000 };

static const struct parts_word units[] = {
    {"day", IR_UNIT_DAY},         {"week", IR_UNIT_WEEK}, {"month", IR_UNIT_MONTH},
    {"quarter", IR_UNIT_QUARTER}, {"year", IR_UNIT_YEAR}, {NULL, IR_PAD},
};

static const struct parts_word relations[] = {
    {"this", IR_THIS}, {"last", IR_LAST}, {"next", IR_NEXT}, {NULL, IR_PAD}};

/* d: a digit, Q: that letter, q: 1 to 4. */
static bool matches(const char *text, const char *pattern)
{
    for (; *pattern; pattern++, text++) {
        bool fits = *pattern == 'd'   ? *text >= '0' && *text <= '9'
                    : *pattern == 'q' ? *text >= '1' && *text <= '4'
                                      : *text == *pattern;
        if (!fits) {
            return false;
        }
    }
    return *text == '\0';
}

static bool is_calendar(const char *text)
{
    static const char *const patterns[] = {"dddd",
                                           "dddd-Qq",
                                           "dddd-dd",
                                           "--dd",
                                           "--Qq",
                                           "dddd-dd-dd",
                                           "dddd-dd-dd/dddd-dd-dd"};
    for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++) {
        if (matches(text, patterns[i])) {
            return true;
        }
    }
    return false;
}

const char *parts_period_text(const struct parts *parts, const struct ir_node *node)
{
    const char *text = parts_text_of(parts, node);
    if (text || node->kind != IR_NODE_CALL || node->args.count == 0) {
        return text && is_calendar(text) ? text : NULL;
    }
    bool counted = node->args.count > 1;
    const struct ir_node *last = node->args.items[counted ? 1 : 0];
    const struct parts_word *unit =
        last->kind == IR_NODE_CALL ? parts_word_of(units, last->keyword) : NULL;
    const char *count = counted ? parts_text_of(parts, node->args.items[0]) : NULL;
    if (!unit || counted != (count != NULL)) {
        return NULL;
    }
    const struct parts_word *relation = parts_word_of(relations, node->keyword);
    const char *many = count && !str_equal(count, "1") ? "s" : "";
    if (node->keyword == IR_AGO && count) {
        return arena_format(parts->arena, "%s %s%s ago", count, unit->word, many);
    }
    if (!relation) {
        return NULL;
    }
    return count ? arena_format(parts->arena, "%s %s %s%s", relation->word, count,
                                unit->word, many)
                 : arena_format(parts->arena, "%s %s", relation->word, unit->word);
}

static struct ir_node *unit_node(struct parts *parts, const char *text, size_t size)
{
    for (const struct parts_word *unit = units; unit->word; unit++) {
        size_t length = strlen(unit->word);
        bool plural = size == length + 1 && text[length] == 's';
        if ((size == length || plural) && strncmp(text, unit->word, length) == 0) {
            return ir_node_call(parts->arena, unit->keyword, NULL, NULL);
        }
    }
    return NULL;
}

static struct ir_node *count_node(struct parts *parts, const char *text)
{
    int64_t count = 0;
    return str_to_int(text, &count) && count >= 1 && count <= COUNT_MOST
               ? parts_value(parts, text, false)
               : NULL;
}

/* NULL arguments would be left out, and mean something else. */
static struct ir_node *call_of(struct parts *parts, enum ir_keyword keyword,
                               struct ir_node *count, struct ir_node *unit)
{
    return count && unit ? ir_node_call(parts->arena, keyword, count, unit) : NULL;
}

struct ir_node *parts_period_read(struct parts *parts, const char *text)
{
    struct texts words = {0};
    if (is_calendar(text)) {
        return parts_value(parts, text, strlen(text) != 4);
    }
    str_split(parts->arena, text, ' ', &words);
    if (words.count == 3 && str_equal(words.items[2], "ago")) {
        return call_of(parts, IR_AGO, count_node(parts, words.items[0]),
                       unit_node(parts, words.items[1], strlen(words.items[1])));
    }
    const struct parts_word *relation =
        words.count ? parts_word_find(relations, words.items[0]) : NULL;
    if (!relation || words.count < 2 || words.count > 3) {
        return NULL;
    }
    const char *unit = words.items[words.count - 1];
    struct ir_node *node = unit_node(parts, unit, strlen(unit));
    if (words.count == 2) {
        return node ? ir_node_call(parts->arena, relation->keyword, node, NULL) : NULL;
    }
    return relation->keyword == IR_THIS
               ? NULL
               : call_of(parts, relation->keyword, count_node(parts, words.items[1]),
                         node);
}
