/*
 * The server gives up what it does not need: root, files that are not configured,
 * programs, other processes. See docs/security.md. In this order, before any thread is
 * started: server_open (the port, the certificate), cage_become,
 * dgm_start_engines, cage_close, dgm_open, server_start.
 */
#ifndef DGM_SERVER_CAGE_H
#define DGM_SERVER_CAGE_H

#include <stdbool.h>

struct dgm_config;
struct dgm_error;
struct sandbox_report;

/* Becomes server.user where one is set, and makes the data folder that user's when it is
 * new; gives up root's powers otherwise. */
bool cage_become(const struct dgm_config *config, struct dgm_error *error);
/* As server.sandbox says. What holds is in the report, for the log. */
bool cage_close(const struct dgm_config *config, struct sandbox_report *report,
                struct dgm_error *error);

#endif
