/*
 * The version of what a question was answered on: one datasource's signature, or several.
 */
#ifndef DGM_KNOWLEDGE_SIGNATURE_H
#define DGM_KNOWLEDGE_SIGNATURE_H

#include <stddef.h>

struct signature_part {
    const char *datasource;
    const char *signature;
};

/* One part: its own signature, as the driver said it. Several: 32 hex digits that depend
 * on all of them but not on their order. None: "". */
void signature_combine(const struct signature_part *parts, size_t count, char out[33]);

#endif
