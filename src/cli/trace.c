/* A question's path through the machine as a file that can be replayed and passed on. */
#include "cli/trace.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/file.h"
#include "base/json.h"
#include "cli/cli.h"
#include "cli/report.h"

int trace_write(struct cli *cli, const struct dgm_answer *answer, const char *path)
{
    static const char *const kept[] = {"query_id", "status", "state", "type",
                                       "brain",    "usage",  "trace"};
    struct err err;
    err_clear(&err);
    const char *text = dgm_answer_json(answer);
    json_t *whole = json_parse(cli->arena, text, strlen(text), &err);
    json_t *part = json_object();
    (void)json_object_set_new(part, "version", json_string(dgm_version()));
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++) {
        json_t *value = json_object_get(whole, kept[i]);
        if (value) {
            (void)json_object_set(part, kept[i], value);
        }
    }
    const char *code = json_text_at(json_object_at(whole, "error"), "code");
    if (code) {
        (void)json_object_set_new(part, "error_code", json_string(code));
    }
    char *dump = json_dumps(part, JSON_INDENT(2) | JSON_REAL_PRECISION(12));
    json_decref(part);
    bool ok = dump && whole && file_write(path, dump, strlen(dump), &err);
    if (!ok && !cli->json) {
        (void)report_err(cli, &err);
    }
    free(dump); /* jansson's own allocation */
    return ok ? 0 : err_exit_status(err.code);
}
