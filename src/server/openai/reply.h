/* What a reply says, and the two formats in which it is written. */
#ifndef DGM_SERVER_OPENAI_REPLY_H
#define DGM_SERVER_OPENAI_REPLY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct buf;
struct dgm_error;
struct writer;

/* Maximum size of a reply. A stream has a few hundred bytes around each line. */
enum { OPENAI_REPLY_MOST = 16 << 20 };

struct openai_reply {
    const char *id; /* of the question; or of the request, if no question was asked */
    const char *model;
    int64_t created;  /* seconds since 1970 */
    const char *text; /* Markdown */
    int64_t tokens_in;
    int64_t tokens_out;
    bool asked;             /* a question was asked; `id` is its id … */
    const char *session_id; /* … and this its session; or NULL */
    bool with_usage;        /* the stream ends with a chunk for the usage */
};

/* The format of an interface: one object, or a stream whose beginning is sent at once. */
struct openai_format {
    const char *messages; /* name of the field that has the conversation … */
    const char *previous; /* … and of one with the id of the last reply; or NULL */
    void (*write)(struct buf *out, const struct openai_reply *reply);
    void (*begin)(struct buf *out, const struct openai_reply *reply);
    void (*end)(struct buf *out, const struct openai_reply *reply);
    void (*failed)(struct buf *out, const struct openai_reply *reply,
                   const struct dgm_error *error);
};

extern const struct openai_format openai_completion; /* /v1/chat/completions */
extern const struct openai_format openai_response;   /* /v1/responses */

/* The next piece of a text for a stream, of about a line; 0 at its end. */
size_t openai_piece(const char *text);
/* {message, type, param, code} */
void openai_error_write(struct writer *writer, const struct dgm_error *error,
                        const char *param);

#endif
