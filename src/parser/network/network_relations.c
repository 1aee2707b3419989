/* Relations of the input, row by row, in the order in which attention walks them. */
#include "base/arena.h"
#include "parser/network/network_state.h"

enum { CODES = UINT8_MAX + 1 };

/* The relation that most items of a row have, and one run of places for each other. */
static void read_row(struct arena *arena, const uint8_t *codes, size_t count,
                     struct relation_row *row)
{
    size_t often[CODES] = {0};
    size_t kinds = 0;
    for (size_t i = 0; i < count; i++) {
        kinds += often[codes[i]]++ == 0;
    }
    for (size_t code = 0; code < CODES; code++) {
        row->usual = often[code] > often[row->usual] ? (uint8_t)code : row->usual;
    }
    uint32_t *places = arena_array(arena, count - often[row->usual], sizeof *places);
    uint32_t *next[CODES] = {0};
    row->runs = arena_array(arena, kinds - 1, sizeof *row->runs);
    for (size_t code = 0; code < CODES; code++) {
        if (often[code] && code != row->usual) {
            row->runs[row->count++] =
                (struct relation_run){(uint8_t)code, often[code], places};
            next[code] = places;
            places += often[code];
        }
    }
    for (size_t i = 0; i < count; i++) {
        if (next[codes[i]]) {
            *next[codes[i]]++ = (uint32_t)i;
        }
    }
}

struct relation_row *relation_rows_new(struct arena *arena, const uint8_t *codes,
                                       size_t count)
{
    struct relation_row *rows = arena_array(arena, count, sizeof *rows);
    for (size_t i = 0; i < count; i++) {
        read_row(arena, codes + i * count, count, &rows[i]);
    }
    return rows;
}
