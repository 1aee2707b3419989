/* Features for training, as a service of the library. */
#include "base/str.h"
#include "parser/dump/dump.h"
#include "parser/link/linker.h"
#include "dragoman_lab.h"
#include "service/instance.h"

struct reporting {
    void (*report)(void *context, const struct dgm_feature_figures *figures);
    void *context;
};

static void report(void *context, const struct dump_figures *from)
{
    const struct reporting *reporting = context;
    struct dgm_feature_figures figures = {
        .questions = from->questions,
        .examples = from->examples,
        .databases = from->databases,
        .words = from->words,
        .no_database = from->no_database,
        .no_target = from->no_target,
        .values_missing = from->values_missing,
        .columns = from->columns,
    };
    for (int i = 0; i < LINK_CODES - LINK_EXACT; i++) {
        figures.linked[i] = from->linked[LINK_EXACT + i];
    }
    reporting->report(reporting->context, &figures);
}

bool dgm_features(const char *questions, const char *databases, const char *out,
                  int threads,
                  void (*report_to)(void *context,
                                    const struct dgm_feature_figures *figures),
                  void *context, struct dgm_error *error)
{
    struct reporting reporting = {report_to, context};
    struct dump_figures figures = {0};
    struct err err;
    err_clear(&err);
    instance_no_error(error);
    bool named = !str_empty(questions) && !str_empty(databases) && !str_empty(out);
    if (!named) {
        (void)err_set(&err, ERR_USAGE,
                      "Questions, databases and an output file are needed.");
    }
    const struct dump_request request = {
        .questions = questions,
        .databases = databases,
        .out = out,
        .threads = threads,
        .report = report_to ? report : NULL,
        .context = &reporting,
    };
    if (!named || !dump_features(&request, &figures, &err)) {
        return instance_fail(error, &err);
    }
    return true;
}
