/* Files into a dataset: as they are opened as tables, but into a DuckDB file. Helper
 * tables go to a file beside it, so memory stays bounded whatever the size. */
#include <string.h>
#include <sys/stat.h>

#include "base/arena.h"
#include "base/cancel.h"
#include "base/str.h"
#include "datasource/dataset_state.h"
#include "datasource/files_driver.h"

struct filling {
    struct arena *arena;
    const struct options *options;
    struct dataset_report *report;
};

static void keep_reject(void *context, const struct files_reject *reject)
{
    struct filling *filling = context;
    if ((int64_t)filling->report->rejects.count >= filling->options->dataset_rejects) {
        return;
    }
    const char *text = arena_text(filling->arena, reject->text);
    size_t size = strlen(text);
    struct dataset_reject *kept = VEC_ADD(filling->arena, &filling->report->rejects);
    *kept = (struct dataset_reject){.table = arena_text(filling->arena, reject->table),
                                    .line = reject->line,
                                    .column = arena_text(filling->arena, reject->column),
                                    .reason = arena_text(filling->arena, reject->reason),
                                    .text = text_clean(filling->arena, text, &size)};
}

static bool sizes_hold(const struct files_list *list, const struct options *options,
                       struct err *err)
{
    int64_t bytes = 0;
    for (size_t i = 0; i < list->count; i++) {
        bytes += list->items[i].mark.size;
    }
    if (bytes <= options->dataset_max_mb << 20) {
        return true;
    }
    (void)err_set(err, ERR_RESULT_TOO_LARGE, "The files are larger than %lld MB.",
                  (long long)options->dataset_max_mb);
    return err_hint(err, "The limit is dataset.max_mb.");
}

static bool run(struct files_work *work, const char *before, const char *path,
                const char *after, struct err *err)
{
    struct buf sql;
    buf_init(&sql, 1 << 16);
    (void)buf_text(&sql, before);
    if (path) {
        files_quote(&sql, path, '\'');
    }
    (void)buf_text(&sql, after);
    work->sql = sql;
    bool ok = files_run(work, NULL, NULL, err);
    buf_release(&work->sql);
    return ok;
}

static bool fill(struct files_work *work, const struct files_list *list, const char *part,
                 struct err *err)
{
    int *fds = NULL;
    size_t count = 0;
    return run(work, "ATTACH ", arena_format(work->arena, "%s.scratch", part),
               " AS scratch", err) &&
           files_make(work, list, &fds, &count, err) &&
           run(work, "DETACH scratch", NULL, "", err) &&
           run(work, "CHECKPOINT", NULL, "", err);
}

static bool database_open(const struct duck_library *library,
                          const struct options *options, const char *part,
                          const char *spill, duckdb_database *out, struct err *err)
{
    duckdb_config config = NULL;
    char *message = NULL;
    bool ok = library->create_config(&config) == DuckDBSuccess &&
              duck_lock_prepare(library, config, options, spill) &&
              library->open_ext(part, out, config, &message) == DuckDBSuccess;
    library->destroy_config(&config);
    if (!ok) {
        *out = NULL;
        (void)err_set(err, ERR_STORE, "The dataset could not be begun.");
        (void)err_detail(err, "%.*s", message ? (int)strcspn(message, "\n") : 0,
                         message ? message : "");
    }
    library->free(message);
    return ok;
}

static void interrupt(void *context)
{
    struct duck_session *session = context;
    session->library->interrupt(session->connection);
}

/* What is at work is interrupted; between two statements files_run looks. */
static bool fill_until(struct files_work *work, const struct files_list *list,
                       const char *part, struct err *err)
{
    if (!cancel_hook(work->cancel, interrupt, work->session)) {
        return err_set(err, ERR_STOPPED, "The import was stopped.");
    }
    bool ok = fill(work, list, part, err);
    cancel_unhook(work->cancel);
    return ok;
}

bool dataset_fill(struct arena *arena, const struct options *options, const char *source,
                  const char *name, const char *part, struct cancel *cancel,
                  struct dataset_report *out, struct err *err)
{
    struct files_list list = {0};
    struct duck_session session = {.library = duck_library(err)};
    duckdb_database database = NULL;
    const char *spill = arena_format(arena, "%s.spill", part);
    if (!session.library ||
        !files_list_read(arena, source, options, &list, &out->warnings, err) ||
        !sizes_hold(&list, options, err) ||
        !database_open(session.library, options, part, spill, &database, err)) {
        return false;
    }
    struct filling filling = {.arena = arena, .options = options, .report = out};
    struct files_work work = {.session = &session,
                              .options = options,
                              .arena = arena_new(),
                              .warnings = &out->warnings,
                              .kept = arena,
                              .load = true,
                              .scratch = "scratch.",
                              .only = list.count == 1 ? name : NULL,
                              .reject = keep_reject,
                              .cancel = cancel,
                              .context = &filling};
    bool ok = session.library->connect(database, &session.connection) == DuckDBSuccess &&
              fill_until(&work, &list, part, err);
    out->rejected = work.rejected;
    session.library->disconnect(&session.connection);
    session.library->close(&database);
    arena_free(work.arena);
    return ok;
}
