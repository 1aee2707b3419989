/* What a request asks of the reply that cannot be done here. */
#ifndef DGM_SERVER_OPENAI_DEMANDS_H
#define DGM_SERVER_OPENAI_DEMANDS_H

#include <stdbool.h>

#include "base/json.h"

struct err;

/*
 * Fields that only tune a model are ignored. But a client that asks for several answers, for
 * JSON or for a call of its tools could not read our reply. False: *param names the field.
 */
bool openai_demands_check(const json_t *body, const char **param, struct err *err);

#endif
