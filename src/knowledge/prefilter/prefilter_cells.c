/* Tables that contain a value of the question, such as "Lisbon". */
#include "knowledge/prefilter/prefilter_cells.h"

#include <ctype.h>
#include <math.h>
#include <string.h>
#include <strings.h>

#include "base/arena.h"
#include "base/vec.h"
#include "knowledge/value_index/value_index.h"
#include "knowledge/words/words.h"

enum {
    MOST_WORDS = 200, /* of the question */
    MOST_ROW = 4,     /* words that are looked up together */
    MOST_TABLES = 64, /* a value that more tables hold tells nothing */
};

static const double WEIGHT_CELL = 4.0; /* nearly as much as a name */

struct spot {
    const char *start;
    const char *end;
    bool common;
};

static size_t spots_read(struct spot *spots, const char *question)
{
    struct words words;
    struct word word;
    size_t count = 0;
    words_init(&words, question);
    while (count < MOST_WORDS && words_next(&words, &word)) {
        spots[count++] = (struct spot){word.start, word.start + word.size,
                                       word_is_common(word.folded)};
    }
    return count;
}

/* The tables of these values, each once; MOST_TABLES + 1 when there are too many. */
static size_t tables_of(const struct value_matches *matches, uint32_t *tables)
{
    size_t count = 0;
    for (size_t i = 0; i < matches->count; i++) {
        for (size_t j = 0; j < matches->items[i].place_count; j++) {
            uint32_t table = matches->items[i].places[j].table;
            size_t at = 0;
            while (at < count && tables[at] != table) {
                at++;
            }
            if (at == count) {
                if (count == MOST_TABLES) {
                    return MOST_TABLES + 1;
                }
                tables[count++] = table;
            }
        }
    }
    return count;
}

double *prefilter_cells(const struct value_index *values, struct arena *arena,
                        const char *question, size_t table_count)
{
    struct spot spots[MOST_WORDS];
    uint32_t tables[MOST_TABLES];
    double *scores = NULL;
    size_t count = values ? spots_read(spots, question) : 0;
    for (size_t first = 0; first < count; first++) {
        bool common = true;
        for (size_t row = 1; row <= MOST_ROW && first + row <= count; row++) {
            const struct spot *last = &spots[first + row - 1];
            struct value_matches matches;
            common = common && last->common;
            if (common) {
                continue;
            }
            value_index_find(values, arena, spots[first].start,
                             (size_t)(last->end - spots[first].start), &matches);
            size_t found = tables_of(&matches, tables);
            if (found == 0 || found > MOST_TABLES) {
                continue;
            }
            scores = scores ? scores : arena_array(arena, table_count, sizeof *scores);
            double rarity = log(1.0 + (double)table_count / (double)found);
            for (size_t i = 0; i < found; i++) {
                if (tables[i] < table_count) {
                    scores[tables[i]] += rarity * WEIGHT_CELL * (double)row;
                }
            }
        }
    }
    return scores;
}

/* A name that is written wrong: "Lisbonn". */
static bool may_be_near(const struct spot *spot, size_t at)
{
    return at > 0 && !spot->common && isupper((unsigned char)*spot->start);
}

/* A number, or a word that says what to do with rows: a cell of that text is not meant. */
static bool says_nothing(const struct spot *spot)
{
    static const char *const words[] = {
        "average", "avg",  "count",  "first", "highest", "last",   "lowest", "max",
        "maximum", "mean", "median", "min",   "minimum", "number", "order",  "share",
        "sort",    "sum",  "total",  "year",  "month",   "day",    "week",   NULL};
    size_t size = (size_t)(spot->end - spot->start);
    size_t digits = strspn(spot->start, "0123456789.,");
    if (spot->common || digits >= size) {
        return true;
    }
    for (const char *const *word = words; *word; word++) {
        if (strlen(*word) == size && strncasecmp(*word, spot->start, size) == 0) {
            return true;
        }
    }
    return false;
}

/* The longest row of words from here on that is a cell; how many words it has. */
static size_t longest(const struct value_index *values, struct arena *arena,
                      const struct spot *spots, const bool *nothings, size_t count,
                      size_t first, struct value_matches *matches)
{
    size_t most = count - first < MOST_ROW ? count - first : MOST_ROW;
    for (size_t row = most; row > 0; row--) {
        bool nothing = true;
        for (size_t i = first; i < first + row; i++) {
            nothing = nothing && nothings[i];
        }
        if (nothing) {
            continue;
        }
        const char *start = spots[first].start;
        size_t size = (size_t)(spots[first + row - 1].end - start);
        value_index_find(values, arena, start, size, matches);
        if (matches->count == 0 && row == 1 && may_be_near(&spots[first], first)) {
            value_index_near(values, arena, start, size, 1, matches);
        }
        if (matches->count > 0) {
            return row;
        }
    }
    return 0;
}

void prefilter_cells_named(const struct value_index *values, struct arena *arena,
                           const char *question, size_t most, struct value_matches *out)
{
    struct spot spots[MOST_WORDS];
    bool nothings[MOST_WORDS];
    size_t count = values ? spots_read(spots, question) : 0;
    *out = (struct value_matches){0};
    for (size_t i = 0; i < count; i++) {
        nothings[i] = says_nothing(&spots[i]);
    }
    for (size_t first = 0; first < count && out->count < most;) {
        struct value_matches matches = {0};
        size_t row = longest(values, arena, spots, nothings, count, first, &matches);
        for (size_t i = 0; row && i < matches.count && out->count < most; i++) {
            VEC_PUSH(arena, out, matches.items[i]);
        }
        first += row ? row : 1;
    }
}
