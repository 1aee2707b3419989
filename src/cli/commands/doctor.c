/* dragoman doctor: tests the settings, the model's connection and each database. */
#include "base/buf.h"
#include "base/str.h"
#include "base/writer.h"
#include "cli/cli.h"
#include "cli/grid.h"

enum { JSON_CEILING = 1 << 20 };

static const struct flag flags[] = {
    FLAG_DB,
    FLAG_JSON("Print the checks as a JSON array"),
};

struct examination {
    struct cli *cli;
    struct buf json;
    struct writer writer;
    int warnings;
};

static void write_check(struct writer *writer, const struct dgm_check *check)
{
    writer_object(writer);
    writer_key_text(writer, "name", check->name);
    writer_key_bool(writer, "ok", check->ok);
    if (check->warning) {
        writer_key_bool(writer, "warning", true);
    }
    writer_key_text(writer, "text", check->text);
    writer_key_text(writer, "hint", check->hint);
    if (check->line_count) {
        writer_key(writer, "lines");
        writer_array(writer);
        for (size_t i = 0; i < check->line_count; i++) {
            writer_text(writer, check->lines[i]);
        }
        writer_array_end(writer);
    }
    writer_key_real(writer, "ms", check->ms);
    writer_object_end(writer);
}

static void report_check(void *context, const struct dgm_check *check)
{
    struct examination *examination = context;
    struct out *out = &examination->cli->out;
    examination->warnings += check->ok && check->warning;
    if (examination->cli->json) {
        write_check(&examination->writer, check);
        return;
    }
    out_shade(out, check->warning ? SHADE_YELLOW : check->ok ? SHADE_GREEN : SHADE_RED);
    if (out->utf8) {
        out_text(out, check->warning ? "⚠ " : check->ok ? "✓ " : "✗ ");
    } else {
        out_text(out, check->warning ? "WARN " : check->ok ? "ok   " : "FAIL ");
    }
    out_shade(out, SHADE_PLAIN);
    out_shade(out, SHADE_BOLD);
    out_foreign(out, check->name);
    out_shade(out, SHADE_PLAIN);
    out_text(out, ": ");
    out_foreign(out, check->text);
    if (check->ms >= 1) {
        out_shade(out, SHADE_DIM);
        out_format(out, " (%.0f ms)", check->ms);
        out_shade(out, SHADE_PLAIN);
    }
    out_text(out, "\n");
    if (!str_empty(check->hint) && (!check->ok || check->warning)) {
        out_text(out, out->utf8 ? "  hint: " : "     hint: ");
        out_foreign(out, check->hint);
        out_text(out, "\n");
    }
    for (size_t i = 0; i < check->line_count; i++) {
        out_text(out, "    ");
        out_foreign(out, check->lines[i]);
        out_text(out, "\n");
    }
    out_flush(out);
}

static int doctor_run(struct cli *cli)
{
    struct examination examination = {.cli = cli};
    buf_init(&examination.json, JSON_CEILING);
    writer_init(&examination.writer, &examination.json);
    writer_array(&examination.writer);
    int failed = dgm_doctor(cli->dgm, report_check, &examination);
    writer_array_end(&examination.writer);
    if (cli->json) {
        json_print(&cli->out, buf_get(&examination.json));
    } else if (failed && !cli->quiet) {
        out_format(&cli->out, "%d %s failed.\n", failed,
                   failed == 1 ? "check" : "checks");
    } else if (examination.warnings && !cli->quiet) {
        out_format(&cli->out, "Nothing failed; warnings: %d.\n", examination.warnings);
    } else if (!cli->quiet) {
        out_text(&cli->out, "All is well.\n");
    }
    buf_release(&examination.json);
    return failed ? 1 : 0;
}

const struct command command_doctor = {
    .name = "doctor",
    .group = GROUP_LOOK,
    .words = "",
    .summary = "Test the settings, the model and each database",
    .about =
        "For each database: does it respond, which version is it, is the connection\n"
        "encrypted, which rights does the login have? If the login can do more than "
        "read,\n"
        "doctor prints the SQL that creates a read-only login.\n"
        "\n"
        "Exit status 0 if all checks pass, 1 if a check fails.",
    .examples = "dragoman doctor\ndragoman doctor --db shop.db",
    .flags = flags,
    .flag_count = FLAG_COUNT(flags),
    .needs = NEEDS_INSTANCE,
    .run = doctor_run,
};
