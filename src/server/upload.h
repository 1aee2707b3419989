/*
 * Bodies that are files: written to a private file as they come, never held in memory.
 * The name that a client gives is a hint about the kind of file and nothing else: no path
 * is ever made from it.
 */
#ifndef DGM_SERVER_UPLOAD_H
#define DGM_SERVER_UPLOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;
struct err;
struct exchange;

struct upload {
    char *folder; /* of our own, mode 0700; NULL: nothing has come yet */
    int fd;
    int64_t size;
    bool failed;         /* it could not be written */
    const char *account; /* whose it is, from upload_begin() on; or NULL */
    const char *dataset; /* what the form's part `name` calls it; or NULL */
    struct upload *next; /* of those that count */
};

enum { UPLOADS_MOST = 8 }; /* of one account at the same time */

/*
 * Before the body comes: one more upload of its account. False and RATE_LIMITED when that
 * has UPLOADS_MOST under way: what is sent lies on the disk before a quota can count it.
 */
bool upload_begin(struct exchange *exchange, struct err *err);

/* A private folder for one request, in the system's place for temporary files. */
char *upload_folder_new(struct arena *arena, struct err *err);
void upload_folder_remove(const char *folder); /* and the files in it */

/* A further piece of the body; false once it is larger than the server takes, or could
 * not be written. On a connection's thread. */
bool upload_take(struct exchange *exchange, const char *data, size_t size);
/* The file that was sent: the body itself, or the part `file` of a form. *name: its name
 * as it may be used (letters, digits, . _ -). NULL: the reply was given. */
const char *upload_file(struct exchange *exchange, const char **name);
/* The same, of a body whose name the request does not say: it is `kept`. */
const char *upload_file_as(struct exchange *exchange, const char *kept,
                           const char **name);
/* With the exchange: takes everything away. */
void upload_release(struct exchange *exchange);

#endif
