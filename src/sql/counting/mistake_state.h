/* What the files of the mistakes share. */
#ifndef DGM_SQL_COUNTING_MISTAKE_STATE_H
#define DGM_SQL_COUNTING_MISTAKE_STATE_H

#include "sql/counting/mistake.h"

void mistake_unjoined(const struct grain *grain, const struct mistake_keys *keys,
                      struct mistakes *out);
void mistake_ungrouped(const struct grain *grain, enum dialect dialect,
                       struct mistakes *out);
/* Which relations hang together: the same number for all of one part. */
bool mistake_parts(const struct grain *grain, const struct mistake_keys *keys,
                   size_t *part);

#endif
