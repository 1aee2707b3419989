/* One version text for all datasources of a question. */
#include "knowledge/signature.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/hash.h"

static int part_order(const void *a, const void *b)
{
    const struct signature_part *left = a;
    const struct signature_part *right = b;
    int order = strcmp(left->datasource, right->datasource);
    return order ? order : strcmp(left->signature, right->signature);
}

void signature_combine(const struct signature_part *parts, size_t count, char out[33])
{
    out[0] = '\0';
    if (count == 1) {
        (void)snprintf(out, 33, "%s", parts[0].signature ? parts[0].signature : "");
    }
    if (count < 2) {
        return;
    }
    struct arena *arena = arena_new();
    struct signature_part *sorted = arena_array(arena, count, sizeof *sorted);
    for (size_t i = 0; i < count; i++) {
        sorted[i].datasource = parts[i].datasource ? parts[i].datasource : "";
        sorted[i].signature = parts[i].signature ? parts[i].signature : "";
    }
    qsort(sorted, count, sizeof *sorted, part_order);
    struct hash *hash = hash_new();
    for (size_t i = 0; i < count; i++) {
        hash_text(hash, sorted[i].datasource);
        hash_text(hash, sorted[i].signature);
    }
    hash_hex(hash, out);
    hash_free(hash);
    arena_free(arena);
}
