/*
 * Gives up the rights that the server does not need: root, files that are not configured,
 * other programs and processes. See docs/security.md. The order is fixed, and all of it
 * comes before any thread is started: server_open (port and certificate), cage_become,
 * dgm_start_engines, cage_close, dgm_open, server_start.
 */
#ifndef DGM_SERVER_CAGE_H
#define DGM_SERVER_CAGE_H

#include <stdbool.h>

struct dgm_config;
struct dgm_error;
struct sandbox_report;

/* Changes to server.user if it is set, and gives that user the data folder if it is new;
 * otherwise gives up root's capabilities. */
bool cage_become(const struct dgm_config *config, struct dgm_error *error);
/* Enters the sandbox as server.sandbox says. The report lists what is in force, for the
 * log. */
bool cage_close(const struct dgm_config *config, struct sandbox_report *report,
                struct dgm_error *error);

#endif
