/* Rows in a frame: for each cell its kind, with a mark when it is cut, then what it
 * holds.
 */
#include <string.h>

#include "datasource/driver.h"
#include "datasource/engine/engine_wire.h"

enum { CUT = 0x80 };

static bool holds_text(uint8_t kind)
{
    return kind >= VALUE_NUMBER && kind <= VALUE_JSON;
}

static void put_cell(struct buf *out, const struct value *cell, size_t most, size_t *left)
{
    bool text = holds_text((uint8_t)cell->kind);
    bool cut = cell->cut;
    uint64_t word = 0;
    if (text) {
        most = most < *left ? most : *left;
        word = cell->text.size < most ? cell->text.size : most;
        cut = cut || word < cell->text.size;
        *left -= word;
    } else if (cell->kind == VALUE_INT) {
        word = (uint64_t)cell->integer;
    } else if (cell->kind == VALUE_REAL) {
        memcpy(&word, &cell->real, sizeof word);
    } else if (cell->kind == VALUE_BOOL) {
        word = cell->boolean;
    }
    char *room = buf_room_quick(out, 1 + sizeof word + (text ? word : 0));
    if (!room) {
        return;
    }
    *room = (char)((uint8_t)cell->kind | (cut ? CUT : 0));
    memcpy(room + 1, &word, sizeof word);
    if (text && word > 0) {
        memcpy(room + 1 + sizeof word, cell->text.data, word);
    }
}

void frame_put_row(struct buf *out, const struct value *cells, size_t count,
                   size_t cell_most, size_t row_most)
{
    size_t left = row_most;
    for (size_t i = 0; i < count; i++) {
        if (cells[i].kind == VALUE_NULL) {
            (void)buf_char(out, VALUE_NULL);
        } else {
            put_cell(out, &cells[i], cell_most, &left);
        }
    }
}

static bool is_number(const char *text, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        bool digit = text[i] >= '0' && text[i] <= '9';
        if (!digit && text[i] != '.' && text[i] != '-' && text[i] != '+' &&
            text[i] != 'e' && text[i] != 'E') {
            return false;
        }
    }
    return size > 0;
}

/* A value that claims to be a number and is not becomes a text. JSON is checked when it
 * is written. */
static void get_text(struct frame_reader *in, struct arena *arena, uint64_t size,
                     struct value *cell)
{
    if (in->bad || size > in->left) {
        in->bad = true;
        cell->kind = VALUE_NULL;
        return;
    }
    cell->text.data = in->at;
    cell->text.size = (size_t)size;
    in->at += size;
    in->left -= (size_t)size;
    if (cell->kind == VALUE_NUMBER && !is_number(cell->text.data, cell->text.size)) {
        cell->kind = VALUE_TEXT;
    }
    if (cell->kind == VALUE_TEXT || cell->kind == VALUE_JSON) {
        cell->text.data = text_clean(arena, cell->text.data, &cell->text.size);
    }
}

static void get_cell(struct frame_reader *in, struct arena *arena, struct value *cell)
{
    uint8_t kind = frame_get_byte(in);
    cell->cut = (kind & CUT) != 0;
    kind &= (uint8_t)~CUT;
    in->bad = in->bad || kind > VALUE_JSON || (cell->cut && !holds_text(kind));
    cell->kind = in->bad ? VALUE_NULL : (enum value_kind)kind;
    if (cell->kind == VALUE_NULL) {
        return;
    }
    uint64_t word = frame_get_number(in);
    if (holds_text(kind)) {
        get_text(in, arena, word, cell);
    } else if (kind == VALUE_INT) {
        cell->integer = (int64_t)word;
    } else if (kind == VALUE_REAL) {
        memcpy(&cell->real, &word, sizeof word);
    } else {
        cell->boolean = word != 0;
    }
}

bool frame_get_row(struct frame_reader *in, struct arena *arena, struct value *cells,
                   size_t count)
{
    for (size_t i = 0; i < count && !in->bad; i++) {
        get_cell(in, arena, &cells[i]);
    }
    return !in->bad;
}
