/*
 * What may be added while dragoman runs: files of certain folders, and servers that are
 * public or expressly allowed (sources.folders, sources.hosts). Who may add a datasource
 * must not be able to read any file of this machine, or to reach what only this machine
 * can reach.
 */
#ifndef DGM_DATASOURCE_ALLOW_H
#define DGM_DATASOURCE_ALLOW_H

#include <stdbool.h>

struct arena;
struct err;
struct options;

/* Looks the host up and checks every address it has. *address: those to connect to, as
 * "::1,127.0.0.1", so that a second look-up cannot lead elsewhere; NULL for a file.
 * Errors: ACCESS, DATASOURCE_KIND, DATASOURCE_UNREACHABLE (no such host). */
bool allow_url(const struct options *options, struct arena *arena, const char *url,
               const char **address, struct err *err);
/* Is this a public address? (IPv4 or IPv6 as text; what is no address is not public.) */
bool allow_is_public(const char *address);

#endif
