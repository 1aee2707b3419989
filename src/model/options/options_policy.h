/* Reads the policy of a datasource; anything unknown in it is an error. */
#ifndef DGM_MODEL_OPTIONS_POLICY_H
#define DGM_MODEL_OPTIONS_POLICY_H

#include "model/policy.h"

struct err;
struct yaml;

/* NULL on failure; *at is then the node that the message refers to. */
struct policy *policy_read(struct arena *arena, const struct yaml *yaml,
                           const struct yaml **at, struct err *err);

#endif
