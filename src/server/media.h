/* Types of content in headers: what a body is, and what a client takes. */
#ifndef DGM_SERVER_MEDIA_H
#define DGM_SERVER_MEDIA_H

#include <stdbool.h>

/* Is the header Content-Type this type, in any case and with any parameters? NULL is none. */
bool media_is(const char *header, const char *type);
/* Does the header Accept have the type, by its name or by a wildcard, and not with q=0? */
bool media_accepts(const char *header, const char *type);

#endif
