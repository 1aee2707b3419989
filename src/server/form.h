/* Forms with a file in them. Everything in them is from outside: bounded, and believed
 * in nothing. */
#ifndef DGM_SERVER_FORM_H
#define DGM_SERVER_FORM_H

#include <stdbool.h>
#include <stddef.h>

struct arena;

struct form_part {
    const char *data; /* within the form */
    size_t size;
    const char *name; /* of the file, as it was given; or NULL */
};

/* The last part of whatever path a name claims to be, in plain letters. NULL: not a kind
 * of file that is taken. */
const char *form_file_name(struct arena *arena, const char *given);
/* The value of `name="…"` in a header; NULL when it is not there. */
const char *form_header_value(struct arena *arena, const char *head, const char *name);
/* The first part of this name ("file"); all others are passed over. */
bool form_part_find(struct arena *arena, const char *data, size_t size,
                    const char *boundary, const char *name, struct form_part *out);

#endif
