/*
 * Request bodies that are files: written to a private file as they arrive, never held in
 * memory. The file name of the client only tells the kind of file; no path is made from
 * it.
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
    char *folder; /* a private folder with mode 0700; NULL: nothing has arrived yet */
    int fd;
    int64_t size;
    bool failed;         /* writing failed */
    const char *account; /* its account, after upload_begin(); or NULL */
    const char *dataset; /* the name in the form's part `name`; or NULL */
    struct upload *next; /* list of uploads in progress */
};

enum { UPLOADS_MOST = 8 }; /* maximum number per account at the same time */

/*
 * Registers an upload of the account before its body arrives. False and RATE_LIMITED if
 * UPLOADS_MOST are in progress: uploaded files use disk space before a quota can count
 * them.
 */
bool upload_begin(struct exchange *exchange, struct err *err);

/* Creates a private folder for one request in the system's temporary folder. */
char *upload_folder_new(struct arena *arena, struct err *err);
void upload_folder_remove(const char *folder); /* also removes the files in it */

/* Writes a further piece of the body; false if it is larger than allowed or could not be
 * written. On the connection's thread. */
bool upload_take(struct exchange *exchange, const char *data, size_t size);
/* The uploaded file: the body itself, or the part `file` of a form. *name: its name,
 * reduced to letters, digits, . _ -. NULL: the error was sent. */
const char *upload_file(struct exchange *exchange, const char **name);
/* The same for a body without a name, which is then `kept`. */
const char *upload_file_as(struct exchange *exchange, const char *kept,
                           const char **name);
/* Deletes all files; called when the exchange ends. */
void upload_release(struct exchange *exchange);

#endif
