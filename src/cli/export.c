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
        report_warning(cli,
                       "The file contains only a part of the result, because of a limit "
                       "(export.max_rows, export.max_mb, sql.max_cell_bytes).");
    }
    return 0;
}

int export_after(struct cli *cli, const struct dgm_answer *answer, int status)
{
    const char *path = arguments_value(&cli->arguments, "export");
    /* rows that are not all of it can be written as well as shown */
    if ((status && status != err_exit_status(ERR_INCOMPLETE)) || !path ||
        !dgm_answer_has_rows(answer)) {
        return status;
    }
    int exported = export_stored(cli, dgm_answer_text(answer, "query_id"), path);
    return exported ? exported : status;
}
