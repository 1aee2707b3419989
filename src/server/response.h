/* Replies: JSON, and errors in the form of the API that the route belongs to. */
#ifndef DGM_SERVER_RESPONSE_H
#define DGM_SERVER_RESPONSE_H

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "dragoman_server.h"

struct buf;
struct exchange;
struct inquiry;

/* Takes over the JSON, which must not be NULL. */
void response_json(struct exchange *exchange, unsigned status, char *json);
void response_buf(struct exchange *exchange, unsigned status, struct buf *buf);
/* Sends 204 No Content. */
void response_nothing(struct exchange *exchange);
/* {"key": json}; takes over the JSON. */
void response_wrapped(struct exchange *exchange, unsigned status, const char *key,
                      char *json);
/* Any text; takes it over. */
void response_text(struct exchange *exchange, unsigned status, const char *type,
                   char *text, size_t size);
/* A page that needs nothing but itself, with headers that keep it private: not stored, not indexed,
 * not framed. Takes the text over. policy: its Content-Security-Policy; NULL: it is a download with
 * this name. */
void response_page(struct exchange *exchange, unsigned status, char *html,
                   const char *policy, const char *name);
/* A file for download under this name; takes over the descriptor. */
void response_file(struct exchange *exchange, const char *type, const char *name,
                   bool incomplete, int fd, uint64_t size);
/* The status is that of the code in errors.def. */
void response_error(struct exchange *exchange, const struct dgm_error *error);
void response_err(struct exchange *exchange, const struct err *err);
void response_fail(struct exchange *exchange, enum err_code code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* 503 with Retry-After. */
void response_busy(struct exchange *exchange);
/* The answer object of a question, or what is known of it so far: 200. */
/* The status for an answer object: 206 if rows or cells are missing because of a size
 * limit, else 200. */
unsigned response_answer_status(const char *answer_json);
void response_inquiry(struct exchange *exchange, struct inquiry *inquiry);

#endif
