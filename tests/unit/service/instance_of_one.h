/* A instance with one small database and a scripted model, for tests of the public header.
 */
#ifndef DGM_TESTS_UNIT_SERVICE_INSTANCE_OF_ONE_H
#define DGM_TESTS_UNIT_SERVICE_INSTANCE_OF_ONE_H

#include "dragoman_server.h"

struct instance_of_one {
    struct dgm *dgm;
    char folder[64];
    char database[96];
};

/* script: the model's lines; settings: "key=value" texts, NULL-ended, or NULL. */
bool instance_of_one_open(struct instance_of_one *instance, const char *script,
                          const char *const *settings);
/* The same folder again, as another process would. */
bool instance_of_one_reopen(struct instance_of_one *instance, const char *script,
                            const char *const *settings);
void instance_of_one_close(struct instance_of_one *instance);
/* A number from the database directly; -1 when it cannot be read. */
int instance_of_one_count(struct instance_of_one *instance, const char *sql);

#endif
