/* Forms with a file (multipart/form-data). Everything in them is untrusted and
 * bounded. */
#ifndef DGM_SERVER_FORM_H
#define DGM_SERVER_FORM_H

#include <stdbool.h>
#include <stddef.h>

struct arena;

struct form_part {
    const char *data; /* points into the form */
    size_t size;
    const char *name; /* of the file, as the client sent it; or NULL */
};

/* The last part of a client's path, in plain letters. NULL: the kind of file is not
 * accepted. */
const char *form_file_name(struct arena *arena, const char *given);
/* The value of `name="…"` in a header; NULL when it is not there. */
const char *form_header_value(struct arena *arena, const char *head, const char *name);
/* The first part with this name ("file"). */
bool form_part_find(struct arena *arena, const char *data, size_t size,
                    const char *boundary, const char *name, struct form_part *out);

#endif
