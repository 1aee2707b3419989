/* "Start at 15:00" is that hour, and not all that come later. */
#include "base/str.h"
#include "parser/search/mend/mend_state.h"
#include "parser/words/times.h"

/* Does the question say "at" one full hour, and nothing of later or earlier? */
static bool says_at_hour(const struct tokens *words)
{
    static const char *const ranges[] = {"later",   "after", "onward", "onwards",
                                         "earlier", "until", "till",   "before",
                                         "since",   "least", "between"};
    struct time_of_day time;
    size_t found = 0;
    for (size_t i = 0; i < words->count; i++) {
        if (IS_AMONG(words->items[i].text, ranges)) {
            return false;
        }
        if (times_at(words, i, &time)) {
            if (!i || time.minute || !str_equal(words->items[i - 1].text, "at")) {
                return false;
            }
            found++;
            i = time.end - 1;
        }
    }
    return found == 1;
}

bool mend_hour(const struct mend *mend, struct ir_query *query)
{
    size_t count = says_at_hour(mend->request->words) ? mend_part_count(query->where) : 0;
    struct ir_node *found = NULL;
    for (size_t i = 0; i < count; i++) {
        struct ir_node *part = *mend_part(&query->where, i);
        if (part->args.count == 2 && ir_node_is(part->args.items[0], IR_HOUR_OF)) {
            if (found) {
                return false; /* from one hour to another */
            }
            found = part;
        }
    }
    if (!ir_node_is(found, IR_AT_LEAST)) {
        return false;
    }
    found->keyword = IR_EQUAL;
    return true;
}
