/* "Which visits are left this month": the SQL begins with today, or the word has no place. */
#include "base/str.h"
#include "parser/coverage/coverage_covering.h"
#include "parser/ir/ir_schema.h"
#include "parser/words/rest.h"

/* A column of what is there: its number is what is left. */
static bool is_amount_left(const char *name)
{
    static const char *const words[] = {"left",    "remain",   "stock", "balance",
                                        "quantit", "inventor", "avail", "on_hand"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (str_contains_nocase(name, words[i])) {
            return true;
        }
    }
    return false;
}

/* A date on which somebody or something goes. */
static bool is_departure(const char *name)
{
    static const char *const words[] = {"left",  "leav",   "end",  "exit",
                                        "quit",  "resign", "term", "depart",
                                        "start", "cancel", "clos", "until"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (str_contains_nocase(name, words[i])) {
            return true;
        }
    }
    return false;
}

static bool names_column(const struct covering *covering, bool (*is_so)(const char *))
{
    for (int i = 1; i < covering->schema->column_count; i++) {
        if (covering->use.named[i] && is_so(covering->schema->columns[i].name)) {
            return true;
        }
    }
    return false;
}

/* Does the SQL begin with today? Of today itself nothing tells what is over. */
static bool begins_today(const struct covering *covering)
{
    struct calendar_day today;
    bool whole_day = false;
    for (size_t i = 0; i < covering->words.count; i++) {
        whole_day = whole_day || str_equal(covering->words.items[i].text, "today");
    }
    return !whole_day && covering->request->today &&
           calendar_read(covering->request->today, &today) &&
           coverage_has_day(&covering->use, &today);
}

bool coverage_misses_rest(const struct covering *covering, size_t at)
{
    if (rest_has_left(&covering->words, at)) {
        return !names_column(covering, is_departure);
    }
    return rest_at(&covering->words, at) && !names_column(covering, is_amount_left) &&
           !begins_today(covering) && !covering->use.clock;
}
