/* What the handlers of the OpenAI-compatible interface share. */
#ifndef DGM_SERVER_ROUTES_OPENAI_H
#define DGM_SERVER_ROUTES_OPENAI_H

#include <stdbool.h>

struct exchange;

/* The datasource of a model; NULL for the model that finds it. False: the error was
 * sent. */
bool openai_find_model(struct exchange *exchange, const char *model,
                       const char **datasource);

#endif
