/* Paths as the log may show them. */
#ifndef DGM_SERVER_DISCREET_H
#define DGM_SERVER_DISCREET_H

struct arena;

/* The path without what opens a link: everything after "/share/", however it is spelled, and every
 * long run of hexadecimal digits. Borrowed if there is nothing to hide. */
const char *discreet_path(struct arena *arena, const char *path);

#endif
