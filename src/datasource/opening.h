/* Opens a datasource when it is first needed; the same for every driver. */
#ifndef DGM_DATASOURCE_OPENING_H
#define DGM_DATASOURCE_OPENING_H

#include "datasource/datasource.h"

/* Does not open anything. */
void opening_init(struct datasource *source);
/* Closes it if it was opened. */
void opening_release(struct datasource *source);
/* Is it open, or can it be opened now? After a failed connection the same error is
 * returned at once until a pause is over. */
bool opening_ready(struct datasource *source, const struct datasource_limits *limits,
                   struct err *err);
/* For a driver's `open`: sets the dialect that the database turned out to use. */
void opening_speaks(struct datasource *source, enum dialect dialect);
/* Sets a notice about the connection for users; a static text, or NULL. opening NULL:
 * does nothing. */
struct opening;
void opening_notice(struct opening *opening, const char *notice);

#endif
