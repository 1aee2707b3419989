/* --export: the rows of an answer into a file. */
#include "cli/export.h"

#include "base/err.h"
#include "cli/cli.h"
#include "cli/report.h"

int export_stored(struct cli *cli, const char *query_id, const char *path)
{
    struct dgm_error error = {.position = -1};
    struct dgm_exported exported = {0};
    if (!dgm_export(cli->dgm, NULL, query_id, NULL, path, &exported, &error)) {
        return report_error(cli, &error);
    }
    report_note(cli, arena_format(cli->arena, "%lld row%s written to %s.",
                                  (long long)exported.rows, exported.rows == 1 ? "" : "s",
                                  path));
    if (exported.truncated) {
        report_warning(cli, "The file was cut at export.max_rows or export.max_mb; the "
                            "database has more rows.");
    }
    return 0;
}

int export_answer(struct cli *cli, const struct dgm_answer *answer)
{
    const char *path = arguments_value(&cli->arguments, "export");
    return path && dgm_answer_has_rows(answer)
               ? export_stored(cli, dgm_answer_text(answer, "query_id"), path)
               : 0;
}
