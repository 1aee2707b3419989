/* Running imports, how to stop them, and how much an account may store. */
#include "service/sources/dataset_import.h"

#include <time.h>

#include "agent/sources/dataset_rows.h"
#include "base/buf.h"
#include "base/str.h"
#include "base/writer.h"
#include "datasource/files/dataset.h"
#include "model/actor.h"
#include "service/instance.h"
#include "store/store.h"

enum { TEXT_MOST = 256 << 20, STOP_WAITS = 6000 };

/* ------------------------------------------------------------------ the list */

void instance_import_begin(struct dgm *dgm, struct instance_import *import)
{
    cancel_init(&import->cancel);
    (void)pthread_mutex_lock(&dgm->lock);
    import->next = dgm->imports;
    dgm->imports = import;
    (void)pthread_mutex_unlock(&dgm->lock);
}

void instance_import_end(struct dgm *dgm, struct instance_import *import)
{
    (void)pthread_mutex_lock(&dgm->lock);
    struct instance_import **link = &dgm->imports;
    while (*link != import) {
        link = &(*link)->next;
    }
    *link = import->next;
    (void)pthread_mutex_unlock(&dgm->lock);
    cancel_release(&import->cancel);
}

static size_t imports_of(struct dgm *dgm, const char *account, const char *name,
                         bool stop)
{
    size_t count = 0;
    (void)pthread_mutex_lock(&dgm->lock);
    for (struct instance_import *at = dgm->imports; at; at = at->next) {
        if (actor_is_of(account, at->account) &&
            (!name || str_equal(at->name, name) || str_equal(at->path, name))) {
            count++;
            if (stop) {
                cancel_fire(&at->cancel);
            }
        }
    }
    (void)pthread_mutex_unlock(&dgm->lock);
    return count;
}

size_t dgm_dataset_stop(struct dgm *dgm, const char *account, const char *name)
{
    return imports_of(dgm, account, name, true);
}

bool instance_import_stopped(struct dgm *dgm, const char *account, const char *name)
{
    const struct timespec pause = {.tv_nsec = 5000000};
    bool any = dgm_dataset_stop(dgm, account, name) > 0;
    for (int i = 0; i < STOP_WAITS && imports_of(dgm, account, name, false); i++) {
        (void)nanosleep(&pause, NULL);
    }
    return any;
}

/* ------------------------------------------------------------------ quotas */

/* Bytes of the account's datasets in the store, except for the one being replaced. */
static bool account_kept(struct dgm *dgm, struct arena *arena,
                         const struct instance_import *import, int64_t *count,
                         int64_t *bytes, struct err *err)
{
    struct store_datasets datasets = {0};
    if (!store_dataset_list(dgm->agent.store, arena, import->account, &datasets, err)) {
        return false;
    }
    for (size_t i = 0; i < datasets.count; i++) {
        bool replaced = str_equal(datasets.items[i].name, import->name);
        *count += !replaced;
        *bytes += replaced ? 0 : datasets.items[i].bytes;
    }
    return true;
}

/* Bytes of finished imports that are not in the store yet; call it with the lock held. */
static int64_t account_claimed(struct dgm *dgm, const struct instance_import *import)
{
    int64_t bytes = 0;
    for (struct instance_import *at = dgm->imports; at; at = at->next) {
        bytes += at != import && str_equal(at->account, import->account) ? at->bytes : 0;
    }
    return bytes;
}

/* *left: bytes that the new one may have; -1: any number. */
static bool quota_holds(struct dgm *dgm, struct arena *arena,
                        const struct instance_import *import, int64_t *left,
                        struct err *err)
{
    const struct options *options = dgm->options;
    int64_t count = (int64_t)imports_of(dgm, import->account, NULL, false);
    int64_t bytes = 0;
    if (!account_kept(dgm, arena, import, &count, &bytes, err)) {
        return false;
    }
    if (options->dataset_account_count && count > options->dataset_account_count) {
        (void)err_set(err, ERR_QUOTA,
                      "The account has %lld datasets already, which is its limit.",
                      (long long)options->dataset_account_count);
        return err_hint(err, "Delete one that is no longer needed, or ask for a higher "
                             "dataset.account_count.");
    }
    *left =
        options->dataset_account_mb ? (options->dataset_account_mb << 20) - bytes : -1;
    return !options->dataset_account_mb || *left > 0 ||
           dataset_quota_spent(options->dataset_account_mb, err);
}

struct admission {
    struct dgm *dgm;
    struct arena *arena;
    struct instance_import *import;
};

/* Several imports may have started with the same remaining quota: the first one to finish
 * gets it. */
static bool quota_admit(void *context, int64_t bytes, struct err *err)
{
    struct admission *admission = context;
    struct dgm *dgm = admission->dgm;
    int64_t most_mb = dgm->options->dataset_account_mb;
    int64_t count = 0;
    int64_t kept = 0;
    if (!most_mb) {
        return true;
    }
    (void)pthread_mutex_lock(&dgm->lock);
    int64_t claimed = account_claimed(dgm, admission->import);
    admission->import->bytes = bytes; /* before the store is asked: none is missed */
    (void)pthread_mutex_unlock(&dgm->lock);
    bool ok =
        account_kept(dgm, admission->arena, admission->import, &count, &kept, err) &&
        (kept + claimed + bytes <= most_mb << 20 || dataset_quota_spent(most_mb, err));
    return ok;
}

/* ------------------------------------------------------------------ running */

static const char *report_json(struct arena *arena, const struct dataset_report *report)
{
    struct buf buf;
    struct writer writer;
    buf_init(&buf, TEXT_MOST);
    writer_init(&writer, &buf);
    writer_object(&writer);
    writer_key_int(&writer, "rejected", report->rejected);
    writer_key_texts(&writer, "warnings", &report->warnings);
    writer_key(&writer, "rejects");
    writer_array(&writer);
    for (size_t i = 0; i < report->rejects.count; i++) {
        const struct dataset_reject *reject = &report->rejects.items[i];
        writer_object(&writer);
        writer_key_text(&writer, "table", reject->table);
        writer_key_int(&writer, "line", reject->line);
        writer_key_text(&writer, "column", reject->column);
        writer_key_text(&writer, "reason", reject->reason);
        writer_key_text(&writer, "text", reject->text);
        writer_object_end(&writer);
    }
    writer_array_end(&writer);
    writer_object_end(&writer);
    const char *text = buf_clone(&buf, arena);
    buf_release(&buf);
    return text;
}

bool instance_import_run(struct dgm *dgm, struct arena *arena,
                         struct instance_import *import, struct err *err)
{
    struct dataset_report report;
    struct store *store = dgm->agent.store;
    struct admission admission = {dgm, arena, import};
    const char *target = dataset_path(arena, dgm->options, import->account, import->name);
    const char *incoming =
        store_shared(store) ? dataset_rows_incoming(arena, target) : target;
    struct dataset_request request = {.source = import->path,
                                      .name = import->name,
                                      .target = incoming,
                                      .cancel = &import->cancel,
                                      .left = -1,
                                      .admit = quota_admit,
                                      .context = &admission};
    if (!quota_holds(dgm, arena, import, &request.left, err) ||
        !dataset_import(arena, dgm->options, &request, &report, err)) {
        return false;
    }
    const struct store_dataset dataset = {
        .account = str_empty(import->account) ? NULL : import->account,
        .name = import->name,
        .file = report.file,
        .bytes = report.bytes,
        .json = report_json(arena, &report)};
    return store_shared(store) ? dataset_rows_send(dgm->agent.sources, store, &dataset,
                                                   incoming, &import->cancel, err)
                               : store_dataset_put(store, &dataset, err);
}
