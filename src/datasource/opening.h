/* Opening a datasource when it is first needed; the same for every driver. */
#ifndef DGM_DATASOURCE_OPENING_H
#define DGM_DATASOURCE_OPENING_H

#include "datasource/datasource.h"

/* Nothing is opened yet. */
void opening_init(struct datasource *source);
/* Closes it if it was opened. */
void opening_release(struct datasource *source);
/* Is it open, or can it be opened now? After a server could not be reached it is not
 * tried again before a pause is over: the same error comes at once. */
bool opening_ready(struct datasource *source, const struct datasource_limits *limits,
                   struct err *err);
/* For a driver's `open`: which dialect the database was found to speak. */
void opening_speaks(struct datasource *source, enum dialect dialect);
/* What whoever gets an answer should know of the connection; lives for ever. NULL:
 * nothing. An opening that is NULL hears nothing. */
struct opening;
void opening_notice(struct opening *opening, const char *notice);

#endif
