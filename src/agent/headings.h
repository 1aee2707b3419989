/* Gives computed columns without an alias a heading in words. */
#ifndef DGM_AGENT_HEADINGS_H
#define DGM_AGENT_HEADINGS_H

#include "agent/run.h"

/* A sink in front of another one that renames the columns. It lives as long as the
 * call. */
struct headings {
    struct run *run;
    const struct datasource_sink *next;
    struct datasource_sink sink;
};

/* The sink to use instead of `next`; `next` itself if no column needs a heading. */
const struct datasource_sink *headings_before(struct headings *headings, struct run *run,
                                              const struct datasource_sink *next);
/* The same for rows that are in the answer. */
void headings_name(struct run *run, struct rows *rows);

#endif
