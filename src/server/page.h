/* The web page (web/) as files that are compiled into the program. */
#ifndef DGM_SERVER_PAGE_H
#define DGM_SERVER_PAGE_H

#include <stdbool.h>

struct page_file {
    const char *path; /* "assets/index-B2LNwkWX.js" */
    const char *type;
    const char *tag; /* a hash of the content, with quotes: the ETag */
    bool compressed; /* by gzip */
    const char *data;
    const char *end;
};

/* Written by web/tools/build.mjs, or empty; ended by a NULL path. */
extern const struct page_file page_files[];

#endif
