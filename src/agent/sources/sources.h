/* The datasources of this process: found by id, opened at first use, shared by all
 * questions. */
#ifndef DGM_AGENT_SOURCES_H
#define DGM_AGENT_SOURCES_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "datasource/datasource.h"

struct arena;
struct sources;
struct store;

/* Opens nothing. The options must outlive it. */
struct sources *sources_new(const struct options *options);
void sources_free(struct sources *sources);

const struct options *sources_options(struct sources *sources);
/* For dataset_rows.c. */
pthread_mutex_t *sources_rows_lock(struct sources *sources);
size_t sources_count(struct sources *sources);
const struct datasource_setting *sources_at(struct sources *sources, size_t index);
const struct datasource_setting *sources_find(struct sources *sources, const char *id);
/*
 * Opens the datasource if necessary and returns it as the account, or the actor in it, may
 * see it (NULL: no account). It is borrowed until the arena `keeper` is freed (NULL: until the sources
 * are). After a failure the next call tries again.
 */
struct datasource *sources_open(struct sources *sources, struct arena *keeper,
                                const char *id, const char *account, struct err *err);
/* The same for a file that cannot be opened at the moment: its last known schema can be
 * used. */
struct datasource *sources_open_later(struct sources *sources, struct arena *keeper,
                                      const char *id, const char *account,
                                      struct err *err);
/*
 * What an actor's sign-in says of it, as JSON: {"roles": […], "claims": {…}}. Policies are
 * applied with it wherever an account is asked for below, and the actor is given.
 */
void sources_introduce(struct sources *sources, const char *actor, const char *identity);
/*
 * The datasource with this id, or else the account's own dataset with this id or name,
 * which is invisible to other accounts and in no list. store may be NULL.
 * (sources_dataset.c)
 */
const struct datasource_setting *sources_seek(struct sources *sources,
                                              struct store *store, const char *id,
                                              const char *actor);
/* Registers a dataset that sources_seek found; if the id is registered, that one is
 * kept. */
const struct datasource_setting *sources_lend(struct sources *sources,
                                              const struct datasource_setting *setting);
/* The dataset has changed or is gone. Here and below, running questions keep using the
 * old datasource, and the last of them closes it. */
void sources_return(struct sources *sources, const char *id);
/* Adds one at run time; copied, and checked against the allow-list. False: the id
 * exists. */
bool sources_add(struct sources *sources, const struct datasource_setting *setting);
/* Removes one that was added at run time. Running questions keep it; new ones do not find
 * it. */
bool sources_remove(struct sources *sources, const char *id);
/*
 * Applies a new configuration: what changed or disappeared is removed as by
 * sources_remove, what is new is added; datasources that were added at run time stay.
 * all: reopens every configured one. The options must outlive it. Returns how many
 * changed.
 */
size_t sources_reload(struct sources *sources, const struct options *options, bool all);
/* Calls fn for each source that is open: for tests that make drivers fail. */
void sources_each_open(struct sources *sources, void (*fn)(struct datasource *, void *),
                       void *context);

#endif
