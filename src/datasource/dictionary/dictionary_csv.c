/* A dictionary from CSV or TSV: cells, quotes and the sign between them. */
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/str.h"
#include "datasource/dictionary/dictionary_state.h"
#include "datasource/driver.h"

enum { CELL_MOST = 64 * 1024 };

struct csv {
    const char *at;
    const char *end;
    char sign;
};

/* The one that is most often in the first line, outside quotes. */
static char sign_of(const char *data, size_t size)
{
    static const char signs[] = ",;\t|";
    size_t counts[sizeof signs] = {0};
    bool quoted = false;
    for (size_t i = 0; i < size && (quoted || (data[i] != '\n' && data[i] != '\r'));
         i++) {
        quoted = data[i] == '"' ? !quoted : quoted;
        const char *found = quoted || !data[i] ? NULL : strchr(signs, data[i]);
        if (found) {
            counts[found - signs]++;
        }
    }
    size_t best = 0;
    for (size_t i = 1; i < sizeof signs - 1; i++) {
        best = counts[i] > counts[best] ? i : best;
    }
    return signs[best];
}

/* One cell into `out`; true when another follows in the same row. */
static bool read_cell(struct csv *csv, struct buf *out)
{
    bool quoted = csv->at < csv->end && *csv->at == '"';
    csv->at += quoted;
    while (csv->at < csv->end) {
        char c = *csv->at++;
        if (quoted && c == '"') {
            if (csv->at < csv->end && *csv->at == '"') {
                (void)buf_char(out, *csv->at++);
            } else {
                quoted = false; /* the text between here and the sign is kept */
            }
        } else if (!quoted && c == csv->sign) {
            return true;
        } else if (!quoted && (c == '\n' || c == '\r')) {
            csv->at += c == '\r' && csv->at < csv->end && *csv->at == '\n';
            return false;
        } else if (c) {
            (void)buf_char(out, c);
        }
    }
    return false;
}

static bool read_row(struct csv *csv, struct arena *arena, struct sheet *sheet,
                     struct err *err)
{
    const char *cells[DICTIONARY_CELLS_MOST] = {0};
    size_t count = 0;
    bool more = true;
    while (more) {
        struct buf out;
        buf_init(&out, CELL_MOST);
        more = read_cell(csv, &out);
        if (count < DICTIONARY_CELLS_MOST) {
            cells[count++] = out.size ? buf_clone(&out, arena) : NULL;
        }
        buf_release(&out);
    }
    return sheet_row(sheet, cells, count, err);
}

bool dictionary_csv(struct dictionary *dictionary, const char *data, size_t size,
                    struct err *err)
{
    static const char mark[] = "\xEF\xBB\xBF";
    if (size >= 3 && memcmp(data, mark, 3) == 0) {
        data += 3;
        size -= 3;
    }
    struct csv csv = {data, data + size, sign_of(data, size)};
    struct sheet *sheet = sheet_new(dictionary, NULL);
    struct arena *row = arena_new();
    bool ok = true;
    while (ok && csv.at < csv.end) {
        ok = read_row(&csv, row, sheet, err);
        arena_reset(row);
    }
    arena_free(row);
    if (ok && !sheet_understood(sheet)) {
        (void)err_set(err, ERR_INVALID_DATA, "The dictionary has no header row.");
        ok = err_hint(err, "Name the columns: table, column, description, synonyms.");
    }
    return ok;
}
