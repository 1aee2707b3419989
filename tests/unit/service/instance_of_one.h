/* A house with one small database and a scripted model, for tests of the public header.
 */
#ifndef DGM_TESTS_UNIT_SERVICE_HOUSE_OF_ONE_H
#define DGM_TESTS_UNIT_SERVICE_HOUSE_OF_ONE_H

#include "dragoman_server.h"

struct house_of_one {
    struct dgm *dgm;
    char folder[64];
    char database[96];
};

/* script: the model's lines; settings: "key=value" texts, NULL-ended, or NULL. */
bool house_of_one_open(struct house_of_one *house, const char *script,
                       const char *const *settings);
/* The same folder again, as another process would. */
bool house_of_one_reopen(struct house_of_one *house, const char *script,
                         const char *const *settings);
void house_of_one_close(struct house_of_one *house);
/* A number from the database directly; -1 when it cannot be read. */
int house_of_one_count(struct house_of_one *house, const char *sql);

#endif
