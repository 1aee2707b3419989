/* Names and addresses of hosts. */
#ifndef DGM_BASE_HOST_H
#define DGM_BASE_HOST_H

#include <stdbool.h>

/* Is it this machine: a loopback address, "localhost" or the path of a socket? Of several
 * with commas between them: all of them. NULL and "" are. Nothing is looked up: another
 * name is another machine. */
bool hosts_are_here(const char *hosts);

#endif
