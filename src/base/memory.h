/*
 * malloc that cannot fail. If memory runs out, a replaceable handler is called that must
 * not return. Sizes that come from outside must be checked against a limit before they
 * get here.
 */
#ifndef DGM_BASE_MEMORY_H
#define DGM_BASE_MEMORY_H

#include <stddef.h>

void *memory_alloc(size_t size);                  /* zeroed */
void *memory_resize(void *old, size_t size);      /* new part not zeroed */
void *memory_array(size_t count, size_t size);    /* zeroed, aborts on overflow */
char *memory_text(const char *text);              /* NULL stays NULL */
char *memory_copy(const void *data, size_t size); /* adds a NUL */
void memory_free(void *pointer);

/* What to do when memory is out. The default prints one line and aborts. */
void memory_on_exhausted(void (*handler)(size_t size));

#endif
