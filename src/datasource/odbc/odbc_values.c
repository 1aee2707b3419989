/* ODBC's types as words, and its cells as our values: nothing is lost on the way. */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/str.h"
#include "datasource/odbc/odbc_driver.h"

enum { CHUNK = 4096, UTF8_BYTES = 3 /* most that one unit of UTF-16 becomes */ };

enum { SIZE_NONE, SIZE_LENGTH, SIZE_DECIMAL };

struct type_row {
    SQLSMALLINT type;
    enum odbc_kind kind;
    const char *name;
    int size; /* what stands in brackets */
};

static const struct type_row type_rows[] = {
    {SQL_CHAR, ODBC_TEXT, "CHAR", SIZE_LENGTH},
    {SQL_VARCHAR, ODBC_TEXT, "VARCHAR", SIZE_LENGTH},
    {SQL_LONGVARCHAR, ODBC_TEXT, "TEXT", SIZE_NONE},
    {SQL_WCHAR, ODBC_TEXT, "CHAR", SIZE_LENGTH},
    {SQL_WVARCHAR, ODBC_TEXT, "VARCHAR", SIZE_LENGTH},
    {SQL_WLONGVARCHAR, ODBC_TEXT, "TEXT", SIZE_NONE},
    {SQL_DECIMAL, ODBC_NUMBER, "DECIMAL", SIZE_DECIMAL},
    {SQL_NUMERIC, ODBC_NUMBER, "NUMERIC", SIZE_DECIMAL},
    {SQL_TINYINT, ODBC_NUMBER, "TINYINT", SIZE_NONE},
    {SQL_SMALLINT, ODBC_NUMBER, "SMALLINT", SIZE_NONE},
    {SQL_INTEGER, ODBC_NUMBER, "INTEGER", SIZE_NONE},
    {SQL_BIGINT, ODBC_NUMBER, "BIGINT", SIZE_NONE},
    {SQL_REAL, ODBC_REAL, "REAL", SIZE_NONE},
    {SQL_FLOAT, ODBC_REAL, "DOUBLE PRECISION", SIZE_NONE},
    {SQL_DOUBLE, ODBC_REAL, "DOUBLE PRECISION", SIZE_NONE},
    {SQL_BIT, ODBC_BOOL, "BOOLEAN", SIZE_NONE},
    {SQL_BINARY, ODBC_BYTES, "BINARY", SIZE_LENGTH},
    {SQL_VARBINARY, ODBC_BYTES, "VARBINARY", SIZE_LENGTH},
    {SQL_LONGVARBINARY, ODBC_BYTES, "BLOB", SIZE_NONE},
    {SQL_TYPE_DATE, ODBC_TIME, "DATE", SIZE_NONE},
    {SQL_TYPE_TIME, ODBC_TIME, "TIME", SIZE_NONE},
    {SQL_TYPE_TIMESTAMP, ODBC_TIME, "TIMESTAMP", SIZE_NONE},
    {SQL_DATE, ODBC_TIME, "DATE", SIZE_NONE},
    {SQL_TIME, ODBC_TIME, "TIME", SIZE_NONE},
    {SQL_TIMESTAMP, ODBC_TIME, "TIMESTAMP", SIZE_NONE},
    {SQL_GUID, ODBC_UUID, "UUID", SIZE_NONE},
};

static const struct type_row *type_find(SQLSMALLINT type)
{
    for (size_t i = 0; i < sizeof type_rows / sizeof *type_rows; i++) {
        if (type_rows[i].type == type) {
            return &type_rows[i];
        }
    }
    return NULL;
}

enum odbc_kind odbc_kind_of(SQLSMALLINT type)
{
    const struct type_row *row = type_find(type);
    return row ? row->kind : ODBC_TEXT;
}

const char *odbc_type_name(struct arena *arena, SQLSMALLINT type, const char *own,
                           int64_t size, int64_t digits)
{
    enum { LENGTH_MOST = 10000, PRECISION_MOST = 100 }; /* more means: any */
    const struct type_row *row = type_find(type);
    if (!row) {
        return own ? arena_text(arena, own) : "";
    }
    if (row->size == SIZE_LENGTH && size > 0 && size < LENGTH_MOST) {
        return arena_format(arena, "%s(%lld)", row->name, (long long)size);
    }
    if (row->size == SIZE_DECIMAL && size > 0 && size <= PRECISION_MOST) {
        return arena_format(arena, "%s(%lld,%lld)", row->name, (long long)size,
                            (long long)digits);
    }
    return row->name;
}

/* The cell as bytes of one C type, piece by piece, until there are more than `most`.
 * False: the driver failed; *null: it is NULL. */
static bool bytes_get(SQLHSTMT statement, SQLUSMALLINT number, SQLSMALLINT c_type,
                      size_t most, struct buf *out, bool *null)
{
    SQLCHAR chunk[CHUNK];
    SQLLEN tail = c_type == SQL_C_WCHAR  ? (SQLLEN)sizeof(SQLWCHAR)
                  : c_type == SQL_C_CHAR ? 1
                                         : 0;
    *null = false;
    for (;;) {
        SQLLEN left = 0;
        SQLRETURN got =
            odbc.GetData(statement, number, c_type, chunk, (SQLLEN)sizeof chunk, &left);
        if (got == SQL_NO_DATA) {
            return true;
        }
        if (!SQL_SUCCEEDED(got)) {
            return false;
        }
        if (left == SQL_NULL_DATA) {
            *null = true;
            return true;
        }
        bool more = left == SQL_NO_TOTAL || left > (SQLLEN)sizeof chunk - tail;
        SQLLEN size = more ? (SQLLEN)sizeof chunk - tail : left;
        (void)buf_add(out, chunk, size > 0 ? (size_t)size : 0);
        if (!more || got == SQL_SUCCESS || out->size > most) {
            return true;
        }
    }
}

static void utf8_put(struct buf *out, uint32_t code)
{
    char bytes[4];
    size_t size = 0;
    if (code < 0x80) {
        bytes[size++] = (char)code;
    } else if (code < 0x800) {
        bytes[size++] = (char)(0xC0 | code >> 6);
        bytes[size++] = (char)(0x80 | (code & 0x3F));
    } else if (code < 0x10000) {
        bytes[size++] = (char)(0xE0 | code >> 12);
        bytes[size++] = (char)(0x80 | (code >> 6 & 0x3F));
        bytes[size++] = (char)(0x80 | (code & 0x3F));
    } else {
        bytes[size++] = (char)(0xF0 | code >> 18);
        bytes[size++] = (char)(0x80 | (code >> 12 & 0x3F));
        bytes[size++] = (char)(0x80 | (code >> 6 & 0x3F));
        bytes[size++] = (char)(0x80 | (code & 0x3F));
    }
    (void)buf_add(out, bytes, size);
}

/* UTF-16 as the driver manager has it; half a pair becomes U+FFFD. */
static struct value text_of_wide(struct arena *scratch, const struct buf *wide)
{
    struct buf out;
    struct value value = {.kind = VALUE_TEXT};
    size_t count = wide->size / sizeof(SQLWCHAR);
    buf_init(&out, count * UTF8_BYTES);
    for (size_t i = 0; i < count; i++) {
        SQLWCHAR units[2] = {0, 0};
        memcpy(units, wide->data + i * sizeof(SQLWCHAR),
               (i + 1 < count ? 2 : 1) * sizeof(SQLWCHAR));
        uint32_t code = units[0];
        if (code >= 0xD800 && code < 0xDC00 && units[1] >= 0xDC00 && units[1] < 0xE000) {
            code = 0x10000 + ((code - 0xD800) << 10) + (uint32_t)(units[1] - 0xDC00);
            i++;
        } else if (code == 0 || (code >= 0xD800 && code < 0xE000)) {
            code = 0xFFFD;
        }
        utf8_put(&out, code);
    }
    value.text.size = out.size;
    value.text.data = buf_clone(&out, scratch);
    buf_release(&out);
    return value;
}

/* Whole numbers that fit are integers; every other decimal keeps its digits. */
static struct value number_of(struct arena *scratch, const char *text)
{
    struct value value = {.kind = VALUE_INT};
    if (!strchr(text, '.') && str_to_int(text, &value.integer)) {
        return value;
    }
    if (strpbrk(text, "NIn")) { /* NaN, Infinity */
        value.kind = VALUE_REAL;
        value.real = strtod(text, NULL);
        return value;
    }
    value.kind = VALUE_NUMBER;
    value.text.size = strlen(text) + (text[0] == '.');
    value.text.data = arena_format(scratch, "%s%s", text[0] == '.' ? "0" : "", text);
    return value;
}

static bool real_get(SQLHSTMT statement, SQLUSMALLINT number, struct value *out)
{
    SQLLEN size = 0;
    double real = 0;
    if (!SQL_SUCCEEDED(odbc.GetData(statement, number, SQL_C_DOUBLE, &real,
                                    (SQLLEN)sizeof real, &size))) {
        return false;
    }
    *out = (struct value){.kind = size == SQL_NULL_DATA ? VALUE_NULL : VALUE_REAL};
    if (out->kind == VALUE_REAL) {
        out->real = real;
    }
    return true;
}

bool odbc_cell(SQLHSTMT statement, SQLUSMALLINT number, enum odbc_kind kind, size_t most,
               struct arena *scratch, struct value *out)
{
    if (kind == ODBC_REAL) {
        return real_get(statement, number, out);
    }
    SQLSMALLINT c_type = kind == ODBC_TEXT    ? SQL_C_WCHAR
                         : kind == ODBC_BYTES ? SQL_C_BINARY
                                              : SQL_C_CHAR;
    struct buf bytes;
    bool null = false;
    /* a unit of UTF-16 is a byte of text at least */
    size_t bytes_most = kind == ODBC_TEXT ? most * sizeof(SQLWCHAR) : most;
    buf_init(&bytes, bytes_most + 2 * CHUNK);
    bool ok = bytes_get(statement, number, c_type, bytes_most, &bytes, &null);
    *out = (struct value){.kind = VALUE_NULL};
    if (ok && !null && kind == ODBC_TEXT) {
        *out = text_of_wide(scratch, &bytes);
    } else if (ok && !null && kind == ODBC_BOOL) {
        out->kind = VALUE_BOOL;
        out->boolean = buf_get(&bytes)[0] == '1' || buf_get(&bytes)[0] == 't';
    } else if (ok && !null && kind == ODBC_NUMBER) {
        *out = number_of(scratch, buf_get(&bytes));
    } else if (ok && !null) {
        size_t size = bytes.size;
        out->kind = kind == ODBC_BYTES ? VALUE_BLOB : VALUE_TEXT;
        out->text.data = kind == ODBC_UUID ? str_lower(scratch, buf_get(&bytes))
                                           : buf_clone(&bytes, scratch);
        if (kind != ODBC_BYTES) {
            out->text.data = text_clean(scratch, out->text.data, &size);
        }
        out->text.size = size;
    }
    out->cut = !null && bytes.size > bytes_most &&
               (out->kind == VALUE_TEXT || out->kind == VALUE_BLOB);
    buf_release(&bytes);
    return ok;
}
