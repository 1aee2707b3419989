/*
 * The self-test with the guard switched off, to see what the engines hold by themselves:
 * unguarded [URL]. Prints a table and what got through, as docs/security-engines.md shows
 * them. Never part of the product: tests/e2e/attacks/tests.cmake builds it for tests
 * alone.
 */
#include <stdio.h>
#include <string.h>

#include "dragoman_lab.h"
#include "dragoman_server.h"

extern const char selftest_mark[]; /* the product must not have it */

struct sum {
    const char *dialect;
    struct dgm_trial all;
};

static void report(void *context, const struct dgm_trial *trial)
{
    struct sum *sum = context;
    if (!sum->dialect || strcmp(sum->dialect, trial->dialect) != 0) {
        printf("## %s\n\n| class | statements | refused by the engine | ran, harmless |"
               " got through |\n|---|---|---|---|---|\n",
               trial->dialect);
        sum->dialect = trial->dialect;
    }
    printf("| %s | %d | %d | %d | %d |\n", trial->class_name, trial->statements,
           trial->by_engine, trial->harmless, trial->breaches);
    if (*trial->report) {
        printf("\n");
    }
    for (const char *line = trial->report; *line;) { /* "x.txt:12: …" without the place */
        const char *end = strchr(line, '\n');
        const char *text = strstr(line, ": ");
        printf("- %.*s\n", (int)(end - text - 2), text + 2);
        line = end + 1;
    }
}

int main(int count, char **values)
{
    struct sum sum = {0};
    struct dgm_error error;
    const struct dgm_selftest_request request = {.url = count > 1 ? values[1] : NULL};
    int breaches = dgm_selftest(&request, report, &sum, &error);
    (void)fprintf(stderr, "%s: %d got through\n", selftest_mark, breaches);
    if (breaches < 0) {
        (void)fprintf(stderr, "%s %s\n", error.message, error.detail);
    }
    return breaches < 0 ? 1 : 0;
}
