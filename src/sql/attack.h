/* The shipped corpus of attacks (attacks/<dialect>.txt) as records; see attacks/README.md
 * for the format. */
#ifndef DGM_SQL_ATTACK_H
#define DGM_SQL_ATTACK_H

#include <stdbool.h>
#include <stddef.h>

struct arena;
struct err;

/* Which wall must hold. */
enum attack_wall {
    ATTACK_GUARD,  /* the guard refuses it, whoever asks */
    ATTACK_POLICY, /* an honest query but for the tables `vault` and `vault_keys` */
    ATTACK_LIMITS, /* an honest query but for its cost: time, rows and memory hold */
};

struct attack {
    const char *class; /* "write", "file", … */
    const char *reason;
    const char *sql; /* may hold zero bytes */
    size_t size;
    size_t line; /* of its header, from 1 */
    enum attack_wall wall;
    bool names; /* refused only where the columns of the shop's tables are known */
};

struct attacks {
    struct attack *items;
    size_t count;
    size_t capacity;
};

bool attacks_parse(struct arena *arena, const char *text, size_t size,
                   struct attacks *out, struct err *err);

#endif
