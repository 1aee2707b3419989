/* Names and addresses of hosts. */
#ifndef DGM_BASE_HOST_H
#define DGM_BASE_HOST_H

#include <stdbool.h>

/*
 * Is it this machine: a loopback address, "localhost" or the path of a socket? Of a
 * comma-separated list: all of them. NULL and "" are. Names are not looked up; any other
 * name counts as another machine.
 */
bool hosts_are_here(const char *hosts);

#endif
