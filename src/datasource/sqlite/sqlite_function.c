/*
 * printf() and format() with bounds. SQLite's own can be told to write a thousand million
 * blanks in one step of its machine, where no deadline reaches it.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "datasource/sqlite/sqlite_driver.h"

enum { WIDTH_MOST = 200, SPEC_MOST = 32, OUTPUT_MOST = 1 << 20 };

/* One conversion: "%-8.2f" is copied to spec; its last character is the result, '\0' when
 * it is none that we take. *at goes behind it. */
static char spec_read(const char **at, char spec[SPEC_MOST])
{
    const char *from = *at;
    const char *end = from + 1 + strspn(from + 1, "-+ 0,#!");
    long width = strtol(isdigit((unsigned char)*end) ? end : "0", NULL, 10);
    end += strspn(end, "0123456789");
    long precision = 0;
    if (*end == '.') {
        end++;
        precision = strtol(isdigit((unsigned char)*end) ? end : "0", NULL, 10);
        end += strspn(end, "0123456789");
    }
    end += strspn(end, "l");
    size_t size = (size_t)(end - from);
    if (!*end || width > WIDTH_MOST || precision > WIDTH_MOST || size + 5 > SPEC_MOST) {
        return '\0';
    }
    while (size > 0 && from[size - 1] == 'l') {
        size--; /* the length is ours to say */
    }
    memcpy(spec, from, size);
    spec[size] = '\0';
    *at = end + 1;
    return *end;
}

static char *convert(char kind, char *spec, sqlite3_value *value)
{
    size_t size = strlen(spec);
    const char *text = value ? (const char *)sqlite3_value_text(value) : NULL;
    char *made = NULL;
    bool whole = strchr("diuxXo", kind) != NULL;
    (void)snprintf(spec + size, SPEC_MOST - size, whole ? "ll%c" : "%c", kind);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    if (whole) {
        made =
            sqlite3_mprintf(spec, value ? sqlite3_value_int64(value) : (sqlite3_int64)0);
    } else if (strchr("fFeEgG", kind)) {
        made = sqlite3_mprintf(spec, value ? sqlite3_value_double(value) : 0.0);
    } else if (kind == 's' || kind == 'q' || kind == 'Q' || kind == 'w') {
        made = sqlite3_mprintf(spec, text ? text : kind == 'Q' ? NULL : "");
    } else if (kind == 'c') { /* the first character, which may be several bytes */
        (void)snprintf(spec + size, SPEC_MOST - size, "s");
        char first[8] = {0};
        for (size_t i = 0; text && i < 4 && text[i] &&
                           (i == 0 || ((unsigned char)text[i] & 0xC0) == 0x80);
             i++) {
            first[i] = text[i];
        }
        made = sqlite3_mprintf(spec, first);
    }
#pragma GCC diagnostic pop
    return made;
}

static void bounded_printf(sqlite3_context *context, int count, sqlite3_value **values)
{
    const char *format = count > 0 ? (const char *)sqlite3_value_text(values[0]) : NULL;
    if (!format) {
        return; /* NULL, as SQLite's own */
    }
    struct buf out;
    buf_init(&out, OUTPUT_MOST);
    int next = 1;
    bool bad = false;
    while (*format && !bad && !out.full) {
        size_t plain = strcspn(format, "%");
        (void)buf_add(&out, format, plain);
        format += plain;
        if (strncmp(format, "%%", 2) == 0) {
            (void)buf_char(&out, '%');
            format += 2;
        } else if (*format) {
            char spec[SPEC_MOST];
            char kind = spec_read(&format, spec);
            char *made =
                kind ? convert(kind, spec, next < count ? values[next] : NULL) : NULL;
            next++;
            bad = !made;
            (void)buf_text(&out, made ? made : "");
            sqlite3_free(made);
        }
    }
    if (bad) {
        sqlite3_result_error(context, "this format is not allowed here", -1);
    } else if (out.full) {
        sqlite3_result_error_toobig(context);
    } else {
        sqlite3_result_text(context, buf_get(&out), (int)out.size, SQLITE_TRANSIENT);
    }
    buf_release(&out);
}

void sqlite_functions_add(struct sqlite_connection *connection)
{
    static const char *const names[] = {"printf", "format"};
    const int flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        (void)sqlite3_create_function_v2(connection->db, names[i], -1, flags, NULL,
                                         bounded_printf, NULL, NULL, NULL);
    }
    sqlite_text_functions_add(connection);
    sqlite_hash_add(connection->db);
}
