/* A workbook that is being read; shared by the files of the reader. */
#ifndef DGM_DATASOURCE_XLSX_STATE_H
#define DGM_DATASOURCE_XLSX_STATE_H

#include <expat.h>
#include <zip.h>

#include "base/buf.h"
#include "base/vec.h"
#include "datasource/files/xlsx/xlsx.h"

/* The functions of libzip and expat. libzip loads libcrypto, which would add a
 * millisecond to every start, so both are loaded when needed. */
struct xlsx_library {
#define ZIP(name, result, parameters) result(*zip_##name) parameters;
#define XML(name, result, parameters) result(*xml_##name) parameters;
#include "datasource/files/xlsx/xlsx_library.def"
#undef ZIP
#undef XML
};

/* Loads them once per process; NULL and err if they are missing. */
const struct xlsx_library *xlsx_library(struct err *err);

struct xlsx_texts { /* the shared strings, by number */
    char **items;
    size_t count;
    size_t capacity;
    size_t bytes;
    struct {
        char *items; /* for each string: was it cut? */
        size_t count, capacity;
    } cut;
};

/*
 * One spreadsheet while it is read. All sizes are bounded by `limits`, because the file
 * comes from outside.
 */
struct xlsx {
    const struct xlsx_library *library;
    zip_t *zip;
    struct arena *arena;
    const struct xlsx_limits *limits;
    const struct xlsx_sink *sink;
    struct err *err;
    struct xlsx_texts texts;
    struct xlsx_styles { /* for each style: is it a date format? */
        char *items;
        size_t count, capacity;
    } styles;
    bool from_1904; /* dates are counted from 1904 */
    size_t rows;
};

/* A part of the file that is parsed as XML; the functions receive its events. */
struct xlsx_part {
    struct xlsx *book;
    XML_Parser parser;
    void (*start)(struct xlsx_part *part, const char *name, const char **attributes);
    void (*end)(struct xlsx_part *part, const char *name);
    void (*text)(struct xlsx_part *part, const char *text, size_t size);
    void *context;
    int depth;
    bool failed; /* parsing was stopped; err says why */
};

/* Names are passed without prefix. required false: a missing part counts as empty. */
bool xlsx_part_read(struct xlsx_part *part, const char *path, bool required);
/* Stops parsing; err must be set. */
void xlsx_part_stop(struct xlsx_part *part);
const char *xlsx_attribute(const char **attributes, const char *name); /* or NULL */

/* xlsx_styles.c */
bool xlsx_styles_read(struct xlsx *book, const char *path);
/* The date or time that the cell shows; NULL: it is not one. */
const char *xlsx_date(const struct xlsx *book, struct arena *arena, size_t style,
                      const char *number);
/* A number in its shortest form: 12.3, not 12.300000000000001. */
const char *xlsx_number(struct arena *arena, const char *number);

/* xlsx_sheet.c */
bool xlsx_shared_read(struct xlsx *book, const char *path);
bool xlsx_sheet_read(struct xlsx *book, const char *path);

#endif
