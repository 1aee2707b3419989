/* Files into a dataset: as they are opened as tables, but into a DuckDB file. Helper
 * tables go to a file beside it, so memory stays bounded whatever the size. */
#include <string.h>
#include <sys/stat.h>

#include "base/arena.h"
#include "base/cancel.h"
#include "base/str.h"
#include "datasource/files/dataset_state.h"
#include "datasource/files/files_driver.h"

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

static bool files_dataset_run(struct files_work *work, const char *before,
                              const char *path, const char *after, struct err *err)
{
    struct buf sql;
    buf_init(&sql, 1 << 16);
    (void)buf_text(&sql, before);
    if (path) {
        (void)buf_quote(&sql, path, '\'');
    }
    (void)buf_text(&sql, after);
    work->sql = sql;
    bool ok = files_run(work, NULL, NULL, err);
    buf_release(&work->sql);
    return ok;
}

static bool files_dataset_fill(struct files_work *work, const struct files_list *list,
                               const char *part, struct err *err)
{
    return files_dataset_run(work, "ATTACH ",
                             arena_format(work->arena, "%s.scratch", part), " AS scratch",
                             err) &&
           files_make(work, list, err) &&
           files_dataset_run(work, "DETACH scratch", NULL, "", err) &&
           files_dataset_run(work, "CHECKPOINT", NULL, "", err);
}

static int file_open(void *context, size_t index)
{
    const struct files_list *list = context;
    return files_pass(&list->items[index]);
}

static struct engine *database_open(struct files_work *work, struct files_list *list,
                                    const char *part, const char *spill, int *places,
                                    const struct datasource_limits *limits,
                                    struct err *err)
{
    const struct engine_setting setting = {.mode = ENGINE_IMPORT,
                                           .path = part,
                                           .spill = spill,
                                           .memory_mb = work->options->sql_memory_mb,
                                           .disk_mb = work->options->staging_disk_mb,
                                           .file_open = file_open,
                                           .context = list,
                                           .file_count = list->count,
                                           .places = places};
    struct engine *engine = engine_open(work->options, &setting, limits, err);
    if (!engine && err->code == ERR_NOT_A_DATABASE) {
        char said[sizeof err->detail];
        memcpy(said, err->detail, sizeof said);
        (void)err_set(err, ERR_STORE, "The import could not be started.");
        (void)err_detail(err, "%.*s", (int)strcspn(said, "\n"), said);
    }
    return engine;
}

bool dataset_fill(struct arena *arena, const struct options *options,
                  const struct dataset_request *request, const char *folder,
                  struct dataset_report *out, struct err *err)
{
    struct files_list list = {0};
    const char *part = dataset_part(arena, folder);
    struct dataset_bounds bounds = {.folder = folder,
                                    .part = part,
                                    .unpacked_mb = options->dataset_unpacked_mb,
                                    .account_mb = options->dataset_account_mb,
                                    .left = request->left};
    const struct datasource_limits limits = {
        .cancel = request->cancel, .over = dataset_bounds_over, .over_context = &bounds};
    struct duckdb_session session = {.limits = &limits};
    if (!files_list_read(arena, request->source, options, &list, &out->warnings, err) ||
        !sizes_hold(&list, options, err)) {
        return false;
    }
    files_look(arena, &list, &out->warnings);
    int *places = arena_array(arena, list.count + 1, sizeof *places);
    struct filling filling = {.arena = arena, .options = options, .report = out};
    struct files_work work = {.session = &session,
                              .options = options,
                              .arena = arena_new(),
                              .warnings = &out->warnings,
                              .kept = arena,
                              .numbers = places,
                              .load = true,
                              .scratch = "scratch.",
                              .only = list.count == 1 ? request->name : NULL,
                              .reject = keep_reject,
                              .cancel = request->cancel,
                              .context = &filling};
    struct engine *engine =
        database_open(&work, &list, part, folder, places, &limits, err);
    bool ok = engine && engine_session_open(&session.line, engine, &limits, err) &&
              files_dataset_fill(&work, &list, part, err);
    bounds.look_at_ms = 0; /* the last step writes the most */
    ok = ok && limits_hold(&limits, err);
    out->rejected = work.rejected;
    engine_session_close(&session.line);
    engine_unref(engine);
    arena_free(work.arena);
    return ok;
}
