/*
 * Which datasources may be added at run time: files in certain folders, and servers that
 * are public or explicitly allowed (sources.folders, sources.hosts). Whoever may add a
 * datasource must not thereby read arbitrary files of this machine or reach hosts that
 * only this machine can reach.
 */
#ifndef DGM_DATASOURCE_ALLOW_H
#define DGM_DATASOURCE_ALLOW_H

#include <stdbool.h>

struct arena;
struct err;
struct options;

/*
 * Resolves the host and checks all its addresses. *address: the addresses to connect to,
 * as "::1,127.0.0.1", so that a second DNS look-up cannot return others; NULL for a file.
 * Errors: ACCESS, DATASOURCE_KIND, DATASOURCE_UNREACHABLE (no such host).
 */
bool allow_url(const struct options *options, struct arena *arena, const char *url,
               const char **address, struct err *err);
/* Is this a public address? (IPv4 or IPv6 as text; what is no address is not public.) */
bool allow_is_public(const char *address);

#endif
