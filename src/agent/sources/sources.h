/* The datasources of this instance: known by id, opened at first use, shared by all
 * questions. */
#ifndef DGM_AGENT_SOURCES_H
#define DGM_AGENT_SOURCES_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

#include "datasource/datasource.h"

struct arena;
struct sources;
struct store;

/* Nothing is opened. The options outlive it. */
struct sources *sources_new(const struct options *options);
void sources_free(struct sources *sources);

const struct options *sources_options(struct sources *sources);
/* For dataset_rows.c. */
pthread_mutex_t *sources_rows_lock(struct sources *sources);
size_t sources_count(struct sources *sources);
const struct datasource_setting *sources_at(struct sources *sources, size_t index);
const struct datasource_setting *sources_find(struct sources *sources, const char *id);
/* Opens it if it is not open yet (a server: at its first use) and gives it as the account
 * may see it (NULL: nobody in particular); borrowed for as long as `keeper` is there
 * (NULL: as the sources are). A failed open is tried again next time. */
struct datasource *sources_open(struct sources *sources, struct arena *keeper,
                                const char *id, const char *account, struct err *err);
/* The same for a file that cannot be opened now: what is remembered of it can be used. */
struct datasource *sources_open_later(struct sources *sources, struct arena *keeper,
                                      const char *id, const char *account,
                                      struct err *err);
/* The one of this id, or else the account's own dataset of this id or name, which nobody
 * else finds and no list shows: it can be asked as soon as it is there. store may be
 * NULL. sources_dataset.c */
const struct datasource_setting *sources_seek(struct sources *sources,
                                              struct store *store, const char *id,
                                              const char *account);
/* A dataset that was seen by sources_seek; the one of this id that is there stays. */
const struct datasource_setting *sources_lend(struct sources *sources,
                                              const struct datasource_setting *setting);
/* The dataset is another one now, or none. Who is at work on it goes on, and the last of
 * them closes it, here and below. */
void sources_return(struct sources *sources, const char *id);
/* One more, while questions are at work; copied, and held to the allow-list. False: there
 * is one of this id. */
bool sources_add(struct sources *sources, const struct datasource_setting *setting);
/* Only what was added can be removed. Who is at work on it goes on; nobody finds it any
 * more. */
bool sources_remove(struct sources *sources, const char *id);
/* Other settings: what is configured otherwise now, or no more, is left as by
 * sources_remove, and what is new is there; what was added at run time stays. all: every
 * configured one is opened anew. The options outlive it. Returns how many changed. */
size_t sources_reload(struct sources *sources, const struct options *options, bool all);
/* Calls fn for each source that is open: for tests that make drivers fail. */
void sources_each_open(struct sources *sources, void (*fn)(struct datasource *, void *),
                       void *context);

#endif
