/* Runs the whole suite over the driver named on the command line; with a second word,
 * only the suite of that name. */
#include "conformance.h"

#include <stdio.h>
#include <string.h>

#include "kinds.h"

const struct kind *kind;

/* What every driver goes through. */
static int suites(void)
{
    int failed = suite_open() + suite_schema() + suite_values() + suite_safety() +
                 suite_write() + suite_session() + (kind->folder ? 0 : suite_policy()) +
                 (kind->copy ? suite_dialect() : 0) +
                 (kind->honest ? suite_honest() + suite_mend() : 0) +
                 (kind->dialect_only && !kind->honest ? 0 : suite_counting());
    if (!kind->dialect_only) {
        failed += suite_limits() + suite_cells() + (kind->server ? suite_server() : 0) +
                  (kind->server && kind->server->line ? suite_encryption() : 0) +
                  (kind->server && kind->server->rights ? suite_rights() : 0);
    }
    return failed;
}

static int suite_more(void)
{
    return kind->more ? kind->more() : 0;
}

/* One of them, for whoever works on it: conformance_datasource KIND SUITE [TEST]. */
static int suite_named(const char *name)
{
    static const struct {
        const char *name;
        int (*run)(void);
    } named[] = {{"cells", suite_cells},
                 {"counting", suite_counting},
                 {"encryption", suite_encryption},
                 {"honest", suite_honest},
                 {"limits", suite_limits},
                 {"mend", suite_mend},
                 {"more", suite_more},
                 {"policy", suite_policy},
                 {"rights", suite_rights},
                 {"safety", suite_safety},
                 {"server", suite_server},
                 {"session", suite_session},
                 {"write", suite_write}};
    for (size_t i = 0; i < sizeof named / sizeof *named; i++) {
        if (strcmp(name, named[i].name) == 0) {
            return named[i].run();
        }
    }
    (void)fprintf(stderr, "There is no suite '%s' to run alone.\n", name);
    return 2;
}

int main(int count, char **arguments)
{
    const char *name = count > 1 ? arguments[1] : "sqlite";
    kind = kind_find(name);
    if (!kind) {
        (void)fprintf(stderr, "%s is not in this build: skipped\n", name);
        return 77; /* ctest: skipped */
    }
    int status = kind->server ? kind->server->start() : 0;
    if (status != 0) {
        (void)fprintf(stderr, "%s: the server %s\n", name,
                      status == 77 ? "is not here: skipped" : "does not start");
        return status;
    }
    if (count > 3) {
        cmocka_set_test_filter(arguments[3]);
    }
    int failed = count > 2 ? suite_named(arguments[2]) : suites() + suite_more();
    if (kind->server) {
        kind->server->stop();
    }
    return failed;
}
