/* Databases for a case. */
#ifndef DGM_TESTS_CASES_FIXTURE_H
#define DGM_TESTS_CASES_FIXTURE_H

#include <stdbool.h>

#include "base/json.h"
#include "cases/case_file.h"

/* Makes the database in the folder and says its path. */
const char *fixture_create(struct arena *arena, const struct case_fixture *fixture,
                           const char *folder);
/* Can all databases of the case be made by this build? */
bool fixture_possible(const struct case_file *file);
bool fixture_change(const char *path, const char *sql);
/* Runs one statement; true when it has changed a row. */
bool fixture_touch(const char *path, const char *sql);
/* {"rows": [[…]]} */
json_t *fixture_look(struct arena *arena, const char *path, const char *sql);

#endif
