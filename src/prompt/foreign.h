/*
 * Foreign text in a prompt: names, comments, cells, earlier questions, replies. Prompts
 * put it between fences, a line "<<<name" and a line "name>>>"; here it is seen to that
 * no text can end or begin one.
 */
#ifndef DGM_PROMPT_FOREIGN_H
#define DGM_PROMPT_FOREIGN_H

#include <stdbool.h>
#include <stddef.h>

struct buf;

/* Appends the text without invisible characters (a joiner stays where letters need
 * one) and with a blank in every run of three < or >. lines: ends of lines and tabs
 * stay; else any number of them is one blank. False: the buffer is full. */
bool foreign_add(struct buf *out, const char *text, size_t size, bool lines);
/* Does foreign_add() with its lines leave the text as it is? */
bool foreign_is_clean(const char *text, size_t size);

#endif
