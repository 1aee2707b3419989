/* An answer as Markdown, for a chat page. */
#ifndef DGM_SERVER_OPENAI_MARKDOWN_H
#define DGM_SERVER_OPENAI_MARKDOWN_H

#include "base/json.h"

struct buf;

/* Maximum size of an answer: the table is cut before. */
enum { OPENAI_MARKDOWN_MOST = 256 * 1024 };

/*
 * answer: the answer object of a question that did not fail. link: the address of the
 * answer in the page, ending in "/q/" and its id. All texts of the answer may come from a
 * database: they cannot end a cell, and are neither HTML nor links.
 */
void openai_markdown_write(struct buf *out, const json_t *answer, const char *link);

#endif
