/* A workbook being read; for the files of the XLSX reader only. */
#ifndef DGM_DATASOURCE_XLSX_STATE_H
#define DGM_DATASOURCE_XLSX_STATE_H

#include <expat.h>
#include <zip.h>

#include "base/buf.h"
#include "base/vec.h"
#include "datasource/files/xlsx/xlsx.h"

/* Every function that is used of the two libraries. They bring libcrypto along, which
 * would cost each start of the program a millisecond; few read spreadsheets. */
struct xlsx_library {
#define ZIP(name, result, parameters) result(*zip_##name) parameters;
#define XML(name, result, parameters) result(*xml_##name) parameters;
#include "datasource/files/xlsx/xlsx_library.def"
#undef ZIP
#undef XML
};

/* Once per process; NULL with err when they are not there. */
const struct xlsx_library *xlsx_library(struct err *err);

struct xlsx_texts { /* the shared ones, by number */
    char **items;
    size_t count;
    size_t capacity;
    size_t bytes;
    struct {
        char *items; /* by number: was it cut? */
        size_t count, capacity;
    } cut;
};

struct xlsx {
    const struct xlsx_library *library;
    zip_t *zip;
    struct arena *arena;
    const struct xlsx_limits *limits;
    const struct xlsx_sink *sink;
    struct err *err;
    struct xlsx_texts texts;
    struct xlsx_styles { /* by number: do cells of this style hold dates? */
        char *items;
        size_t count, capacity;
    } styles;
    bool from_1904; /* days are counted from then */
    size_t rows;
};

/* One part of the file as XML, its events given to these. */
struct xlsx_part {
    struct xlsx *book;
    XML_Parser parser;
    void (*start)(struct xlsx_part *part, const char *name, const char **attributes);
    void (*end)(struct xlsx_part *part, const char *name);
    void (*text)(struct xlsx_part *part, const char *text, size_t size);
    void *context;
    int depth;
    bool failed; /* err says why */
};

/* Names come without their prefix. required false: a part that is not there is empty. */
bool xlsx_part_read(struct xlsx_part *part, const char *path, bool required);
/* Ends the reading; the err must be set. */
void xlsx_part_stop(struct xlsx_part *part);
const char *xlsx_attribute(const char **attributes, const char *name); /* or NULL */

/* xlsx_styles.c */
bool xlsx_styles_read(struct xlsx *book, const char *path);
/* A number that is shown as a date or a time; NULL when it is none. */
const char *xlsx_date(const struct xlsx *book, struct arena *arena, size_t style,
                      const char *number);
/* A number as it was typed: 12.3, not 12.300000000000001. */
const char *xlsx_number(struct arena *arena, const char *number);

/* xlsx_sheet.c */
bool xlsx_shared_read(struct xlsx *book, const char *path);
bool xlsx_sheet_read(struct xlsx *book, const char *path);

#endif
