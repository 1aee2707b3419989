/* "Rides that did not end at the Airport": the network took the "not" to the end, `ended_at isnull`,
 * although it denies the place. */
#include <string.h>

#include "base/str.h"
#include "parser/search/mend/mend_state.h"

/* Where what is denied begins: behind "not end at", a verb and its preposition. NULL: no such
 * words. */
static const char *after_denied(const struct tokens *words)
{
    static const char *const nots[] = {"not", "t", "never", "didnt", "doesnt", "dont"};
    static const char *const leads[] = {"at", "in", "from", "to", "with", "by", "on"};
    static const char *const verbs[] = {"yet", "in", "a", "the", "been", "have"};
    for (size_t i = 0; i + 3 < words->count; i++) {
        if (IS_AMONG(words->items[i].text, nots) &&
            words->items[i + 1].kind == TOKEN_WORD &&
            !IS_AMONG(words->items[i + 1].text, verbs) &&
            IS_AMONG(words->items[i + 2].text, leads)) {
            return words->text + words->items[i + 3].start;
        }
    }
    return NULL;
}

static bool is_text_of(const struct mend *mend, const struct ir_node *part,
                       const char *after)
{
    const char *text = ir_node_is(part, IR_EQUAL) && part->args.count == 2
                           ? mend_text(mend, part->args.items[1])
                           : NULL;
    const char *found = text ? str_find_nocase(after, text) : NULL;
    enum { NEAR = 5 }; /* "the " */
    return found && found - after <= NEAR;
}

bool mend_denied(const struct mend *mend, struct ir_query *query)
{
    const char *after = after_denied(mend->request->words);
    size_t count = after ? mend_part_count(query->where) : 0;
    struct ir_node *value = NULL;
    size_t missing = count;
    for (size_t i = 0; i < count; i++) {
        struct ir_node *part = *mend_part(&query->where, i);
        bool ends =
            ir_node_is(part, IR_IS_NULL) && ir_node_is_column(part->args.items[0]) &&
            mend->schema->columns[part->args.items[0]->token.index].type == IR_TYPE_TIME;
        missing = ends ? i : missing;
        value = is_text_of(mend, part, after) ? part : value;
    }
    if (!value || missing == count || count < 2) {
        return false;
    }
    struct ir_node *left = NULL;
    value->keyword = IR_UNEQUAL;
    for (size_t i = 0; i < count; i++) {
        left = i == missing ? left : mend_and(mend, left, *mend_part(&query->where, i));
    }
    query->where = left;
    return true;
}
