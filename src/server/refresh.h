/* Limits how often clients may have the schema of a datasource read again. */
#ifndef DGM_SERVER_REFRESH_H
#define DGM_SERVER_REFRESH_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

enum { REFRESH_PAUSE_S = 60, REFRESH_PLACES = 64, REFRESH_ID_SIZE = 128 };

/* The datasources that were refreshed last; the oldest entry is replaced. */
struct refreshes {
    pthread_mutex_t lock;
    struct {
        char id[REFRESH_ID_SIZE];
        int64_t at_ms;
    } places[REFRESH_PLACES];
};

void refreshes_init(struct refreshes *refreshes);
void refreshes_release(struct refreshes *refreshes);
/* Seconds until it may be refreshed again; 0: allowed now, and counted. */
int refreshes_wait_s(struct refreshes *refreshes, const char *id, int64_t now_ms);

#endif
