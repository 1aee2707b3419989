/* Readings that give every word a place come before those that pass one over. */
#include <string.h>

#include "agent/sources/crossing.h"
#include "agent/understand/placing/placing.h"
#include "base/str.h"

enum { LOOKED_MOST = 4 };

/* Is no word passed over, and none assumed to stand for something? */
static bool places_all(struct run *run, const char *sql)
{
    struct coverage_words words;
    if (!placing_find(run, sql, run->answer.parser_probability, &words)) {
        return false;
    }
    for (size_t i = 0; i < words.count; i++) {
        const struct coverage_word *word = &words.items[i];
        if (!word->by_custom && (word->role <= COVERAGE_NAME || word->open)) {
            return false;
        }
    }
    return true;
}

static bool has_table(const struct texts *tables, const char *name)
{
    for (size_t i = 0; i < tables->count; i++) {
        if (str_equal_nocase(tables->items[i], name)) {
            return true;
        }
    }
    return false;
}

/* Does it only join tables to those of the other, so that a name of a table is in it? "The colleges of players", of a
 * table of colleges, needs no players. */
static bool only_joins(const struct run_reading *reading, const struct run_reading *other,
                       const struct coverage_word *lost)
{
    bool all = reading->tables.count > other->tables.count;
    for (size_t i = 0; i < other->tables.count; i++) {
        all = all && has_table(&reading->tables, other->tables.items[i]);
    }
    return all && lost->elsewhere && !lost->elsewhere_column;
}

bool placing_prefer(struct run *run, const struct coverage_word *lost)
{
    struct run_readings *readings = &run->understanding.readings;
    if (!readings->count || lost->open || lost->is_time || lost->apart) {
        return false;
    }
    bool named = crossing_uses_named(run, &readings->items[0].tables);
    for (size_t i = 1; i < readings->count && i < LOOKED_MOST; i++) {
        struct run_reading found = readings->items[i];
        if (crossing_uses_named(run, &found.tables) == named &&
            !only_joins(&found, &readings->items[0], lost) &&
            places_all(run, found.sql)) {
            memmove(&readings->items[1], &readings->items[0], i * sizeof found);
            readings->items[0] = found;
            return true;
        }
    }
    return false;
}
