/* Finds the cell that is meant by a text without one. */
#include <ctype.h>
#include <string.h>

#include "agent/literals/literals_state.h"
#include "base/str.h"
#include "knowledge/value_index/value_index.h"
#include "knowledge/words/fold.h"
#include "parser/words/lexicon.h"

enum {
    TEXT_ROOM = 256,
    MOST_NEAR = 8,   /* looked at: the nearest may stand in another column */
    PART_FROM = 3,   /* letters of a part of a cell */
    MOST_PARTS = 64, /* cells with the part, in all columns; with more it names none */
    PARTS_TOLD = 5,
    MISSPELT_FROM = 5 /* letters: of shorter words every other one is a word, too */
};

/* Case-folded, without blanks, "_" and "-" next to a letter: "In Progress" equals
 * "in_progress". Other trailing characters stay: "A-" is not "A". */
static void plain(char *out, const char *text)
{
    size_t size = fold_text(out, TEXT_ROOM, text, strlen(text));
    size_t kept = 0;
    for (size_t i = 0; i < size; i++) {
        unsigned char before = i ? (unsigned char)out[i - 1] : 0;
        unsigned char after = i + 1 < size ? (unsigned char)out[i + 1] : 0;
        bool between =
            (isalpha(before) && isalnum(after)) || (isalnum(before) && isalpha(after));
        bool dropped = between && strchr(" _-", out[i]);
        if (!dropped) {
            out[kept++] = out[i];
        }
    }
    out[kept] = '\0';
}

/* 1: yes, 0: no, -1: neither. */
static int says_yes(const char *text)
{
    static const char *const words[][2] = {
        {"n", "y"}, {"no", "yes"}, {"0", "1"}, {"f", "t"}, {"false", "true"}};
    char folded[TEXT_ROOM];
    (void)fold_text(folded, sizeof folded, text, strlen(text));
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        for (int yes = 0; yes < 2; yes++) {
            if (str_equal(folded, words[i][yes])) {
                return yes;
            }
        }
    }
    return -1;
}

/* The cells of a column with few values; all of them, or none. */
static const struct texts *few_cells(const struct column *column)
{
    static const struct texts none = {0};
    return column->samples_all ? &column->samples : &none;
}

static struct literal_meant by_flag(const struct literal *literal)
{
    const struct texts *cells = few_cells(literal->column);
    struct literal_meant meant = {0};
    int yes = says_yes(literal->text);
    size_t found = 0;
    for (size_t i = 0; yes >= 0 && i < cells->count; i++) {
        bool same = says_yes(cells->items[i]) == yes;
        meant.cell = same ? cells->items[i] : meant.cell;
        found += same;
    }
    if (yes >= 0 && literal_is_bit(literal->column)) {
        meant.cell = yes ? "1" : "0";
        found = 1;
    }
    meant.only = found == 1;
    return meant.only ? meant : (struct literal_meant){0};
}

/* A dictionary defines the meaning of values: 1 is "active". */
static struct literal_meant by_meaning(const struct literal *literal)
{
    const struct meanings *meanings = &literal->column->meanings;
    struct literal_meant meant = {0};
    size_t found = 0;
    for (size_t i = 0; i < meanings->count; i++) {
        bool same = str_equal_nocase(meanings->items[i].text, literal->text);
        meant.cell = same ? meanings->items[i].value : meant.cell;
        found += same;
    }
    meant.only = found == 1;
    return meant.only ? meant : (struct literal_meant){0};
}

/* Does the value stand in the column of the literal? */
bool literal_stands_there(struct run *run, const struct literal *literal,
                          const struct value_match *match)
{
    const struct tables *tables = &run_schema(run)->tables;
    for (size_t i = 0; i < match->place_count; i++) {
        const struct value_place *place = &match->places[i];
        if (place->table < tables->count &&
            &tables->items[place->table] == literal->table &&
            place->column < literal->table->columns.count &&
            &literal->table->columns.items[place->column] == literal->column) {
            return true;
        }
    }
    return false;
}

/* The cells that could be meant, from the column's few values or from the index. */
static void candidates(struct run *run, const struct value_index *cells,
                       const struct literal *literal, struct texts *out)
{
    struct value_matches matches;
    *out = *few_cells(literal->column);
    if (out->count) {
        return;
    }
    value_index_find(cells, run->scratch, literal->text, strlen(literal->text), &matches);
    for (size_t i = 0; i < matches.count; i++) {
        if (literal_stands_there(run, literal, &matches.items[i])) {
            VEC_PUSH(run->scratch, out, matches.items[i].text);
        }
    }
}

/* Equal except for case, accents and blanks. */
static struct literal_meant by_letters(struct run *run, const struct value_index *cells,
                                       const struct literal *literal)
{
    struct texts near;
    struct literal_meant meant = {0};
    char text[TEXT_ROOM];
    char cell[TEXT_ROOM];
    size_t found = 0;
    plain(text, literal->text);
    candidates(run, cells, literal, &near);
    for (size_t i = 0; i < near.count; i++) {
        plain(cell, near.items[i]);
        bool same = text[0] && str_equal(text, cell);
        meant.cell = same ? near.items[i] : meant.cell;
        found += same;
    }
    meant.only = found == 1;
    return meant;
}

static bool same_digits(const char *a, const char *b)
{
    static const char digits[] = "0123456789";
    for (;;) {
        a += strcspn(a, digits);
        b += strcspn(b, digits);
        if (*a != *b) {
            return false;
        }
        if (!*a) {
            return true;
        }
        a++;
        b++;
    }
}

/* Words of the language are not typing errors: "illegal" is not a misspelt "legal". */
static bool is_word(const char *folded)
{
    struct lexicon lexicon;
    lexicon_init(&lexicon);
    return lexicon_find(&lexicon, folded, strlen(folded)) >= 0;
}

/* A single typing error, in a column with few values of which only one is that
 * similar. */
static struct literal_meant by_spelling(const struct literal *literal)
{
    const struct texts *few = few_cells(literal->column);
    struct literal_meant meant = {.misspelt = true};
    char text[TEXT_ROOM];
    char cell[TEXT_ROOM];
    size_t found = 0;
    plain(text, literal->text);
    size_t most = strlen(text) >= 9 ? 2 : 1;
    for (size_t i = 0; strlen(text) >= MISSPELT_FROM && i < few->count; i++) {
        plain(cell, few->items[i]);
        bool near = text[0] == cell[0] && same_digits(text, cell) &&
                    str_distance(text, cell, most) <= most;
        meant.cell = near ? few->items[i] : meant.cell;
        found += near;
    }
    meant.only = found == 1 && !is_word(text);
    return meant;
}

/* A part of the cell, such as the first name of "Dora Dean"; of several cells none is the only one. */
static struct literal_meant by_part(struct run *run, const struct value_index *cells,
                                    const struct literal *literal)
{
    struct literal_meant meant = {0};
    struct value_matches matches = {0};
    struct texts found = {0};
    size_t size = strlen(literal->text);
    if (size >= PART_FROM && !literal->column->samples_all) {
        value_index_part(cells, run->scratch, literal->text, size, MOST_PARTS, &matches);
    }
    for (size_t i = 0; i < matches.count; i++) {
        if (literal_stands_there(run, literal, &matches.items[i])) {
            VEC_PUSH(run->scratch, &found,
                     arena_format(run->scratch, "'%s'", matches.items[i].text));
            meant.cell = matches.items[i].text;
        }
    }
    meant.only = found.count == 1 && !value_index_partial(cells);
    if (found.count > 1) {
        found.count = found.count > PARTS_TOLD ? PARTS_TOLD : found.count;
        meant.several = str_join(run->scratch, &found, ", ");
    }
    return meant;
}

struct literal_meant literal_meant(struct run *run, const struct value_index *cells,
                                   const struct literal *literal)
{
    struct literal_meant meant = by_meaning(literal);
    meant = meant.cell ? meant : by_flag(literal);
    meant = meant.cell ? meant : by_letters(run, cells, literal);
    meant = meant.cell ? meant : by_part(run, cells, literal);
    meant = meant.cell ? meant : by_spelling(literal);
    struct value_matches near = {0};
    if (!meant.cell && !literal->column->samples_all) {
        value_index_near(cells, run->scratch, literal->text, strlen(literal->text),
                         MOST_NEAR, &near);
    }
    for (size_t i = 0; !meant.cell && i < near.count; i++) {
        meant.cell = literal_stands_there(run, literal, &near.items[i])
                         ? near.items[i].text
                         : NULL;
    }
    return meant;
}

bool literal_is_known(struct run *run, const struct value_index *cells,
                      const struct literal *literal)
{
    const struct texts *samples = &literal->column->samples;
    struct value_matches matches;
    for (size_t i = 0; i < samples->count; i++) {
        if (str_equal(samples->items[i], literal->text)) {
            return true;
        }
    }
    value_index_find(cells, run->scratch, literal->text, strlen(literal->text), &matches);
    for (size_t i = 0; i < matches.count; i++) {
        if (str_equal(matches.items[i].text, literal->text) &&
            literal_stands_there(run, literal, &matches.items[i])) {
            return true;
        }
    }
    return false;
}
