/* Small files that would become large datasets: each must be refused in clear words by
 * the limit that it meets, and leave nothing behind. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/str.h"
#include "datasource/files/dataset.h"
#include "datasource/files/xlsx/spreadsheet.h"
#include "datasource/staging/scratch.h"
#include "lab/selftest/selftest.h"

enum { SMALL = 1 << 20, SHEET_ROWS = 300, SHEET_TEXT = 20000 };

#define LONG_TEXTS "SELECT repeat('x', 9999) AS a, i FROM range(1200) x(i)" /* 12 MB */
#define ROWS       "SELECT i AS a, 1 AS b FROM range(20001) x(i)"

#define TOO_DENSE "far more than it may"

/* form NULL: a spreadsheet. */
static const struct bomb {
    const char *file;
    const char *select;
    const char *form;
    const char *said; /* the setting that must hold; or, without a value, the reason */
    const char *value;
} bombs[] = {
    {"texts.parquet", LONG_TEXTS, "FORMAT parquet, COMPRESSION zstd",
     "dataset.unpacked_mb", "5"},
    {"rows.parquet", ROWS, "FORMAT parquet, COMPRESSION zstd", "dataset.max_rows",
     "20000"},
    {"groups.parquet", ROWS, "FORMAT parquet, ROW_GROUP_SIZE 2048", "dataset.row_groups",
     "9"},
    {"columns.parquet", ROWS, "FORMAT parquet", "files.max_columns", "1"},
    {"rows.csv", ROWS, "FORMAT csv", "dataset.max_rows", "20000"},
    {"texts.csv.gz", LONG_TEXTS, "FORMAT csv, COMPRESSION gzip", "dataset.unpacked_mb",
     "5"},
    {"texts.ndjson.gz", LONG_TEXTS, "FORMAT json, COMPRESSION gzip",
     "dataset.unpacked_mb", "5"},
    {"texts.xlsx", NULL, NULL, "dataset.unpacked_mb", "3"},
    {"rows.xlsx", NULL, NULL, "dataset.max_rows", "200"},
    {"dense.xlsx", NULL, NULL, TOO_DENSE, NULL},
};

struct spot {
    struct arena *arena;
    char folder[64];
    const char *made; /* the folder of the dataset */
};

/* Texts that pack well; dense: better than a spreadsheet's usually do. */
static void write_text(char *text, int row, bool dense)
{
    for (size_t at = 0; at < SHEET_TEXT; at++) {
        text[at] = dense ? 'x' : (char)('a' + (at / 64 * 7 + (size_t)row * 5) % 26);
    }
    for (size_t at = 0; !dense && at + 24 < SHEET_TEXT; at += 64) {
        int size = snprintf(text + at, 24, "%d", row * 4099 + (int)at);
        text[at + (size_t)size] = ' ';
    }
}

static bool write_book(struct spot *spot, const char *path, bool dense, struct err *err)
{
    char *text = arena_alloc(spot->arena, SHEET_TEXT);
    const char *const names[] = {"a", "b"};
    const struct value cells[] = {
        {.kind = VALUE_TEXT, .text = {.data = text, .size = SHEET_TEXT}},
        {.kind = VALUE_INT, .integer = 1}};
    struct spreadsheet *sheet =
        spreadsheet_new(arena_format(spot->arena, "%s.part", path), err);
    bool ok = sheet && spreadsheet_names(sheet, names, 2, err);
    for (int i = 0; ok && i < SHEET_ROWS; i++) {
        write_text(text, i, dense);
        ok = spreadsheet_row(sheet, cells, 2, err);
    }
    return sheet && spreadsheet_end(sheet, ok ? path : NULL, err) && ok;
}

static bool import(struct spot *spot, const char *path, const struct options *options,
                   struct err *err)
{
    struct dataset_report ignored;
    const struct dataset_request request = {
        .source = path,
        .name = "made",
        .target = arena_format(spot->arena, "%s/made.duckdb", spot->made),
        .left = -1};
    return dataset_import(spot->arena, options, &request, &ignored, err);
}

/* Removes what lies in a folder; returns how much that was. */
static size_t folder_empty(const char *path)
{
    size_t count = 0;
    DIR *entries = opendir(path);
    for (struct dirent *entry; entries && (entry = readdir(entries));) {
        if (entry->d_name[0] != '.') {
            count++;
            (void)unlinkat(dirfd(entries), entry->d_name, 0);
        }
    }
    if (entries) {
        (void)closedir(entries);
    }
    return count;
}

/* NULL: refused as it must be. */
static const char *fault_of(struct spot *spot, const char *path, const struct bomb *bomb)
{
    struct err err;
    struct options *options = options_new();
    err_clear(&err);
    bool set = !bomb->value || options_set(options, bomb->said, bomb->value, &err);
    bool through = !set || import(spot, path, options, &err);
    options_free(options);
    bool clear = strstr(err.message, bomb->file) &&
                 (strstr(err.hint, bomb->said) || strstr(err.detail, bomb->said));
    size_t left = folder_empty(spot->made);
    return through  ? "was imported"
           : !clear ? arena_format(spot->arena, "refused for another reason: %s (%s)",
                                   err.message, err.detail)
           : left   ? "left something behind"
                    : NULL;
}

static void play_bomb(struct spot *spot, const struct bomb *bomb,
                      struct selftest_tally *tally)
{
    const char *path = arena_format(spot->arena, "%s/%s", spot->folder, bomb->file);
    const char *what = arena_format(spot->arena, "%s, %s %s", bomb->file, bomb->said,
                                    bomb->value ? bomb->value : "");
    struct stat status;
    struct err err;
    err_clear(&err);
    if (!(bomb->form ? scratch_copy(bomb->select, path, bomb->form, &err)
                     : write_book(spot, path, !bomb->value, &err)) ||
        stat(path, &status) != 0 || status.st_size > SMALL) {
        selftest_tally_untried(
            tally, arena_format(spot->arena, "%s: %s", bomb->file, err.message));
        return;
    }
    selftest_tally_add(tally, what, fault_of(spot, path, bomb));
    if (bomb->value) { /* the same file where nothing forbids it */
        struct options *options = options_new();
        bool made = import(spot, path, options, &err);
        selftest_tally_control(tally, bomb->file, made && folder_empty(spot->made) == 1);
        options_free(options);
    }
    (void)unlink(path);
}

void selftest_imports_play(struct selftest_report *report)
{
    struct spot spot = {.arena = arena_new()};
    struct selftest_tally tally;
    const char *base = getenv("TMPDIR"); /* NOLINT(concurrency-mt-unsafe) */
    selftest_tally_init(&tally, "files", "imports");
    int length = snprintf(spot.folder, sizeof spot.folder, "%s/dragoman-XXXXXX",
                          str_empty(base) ? "/tmp" : base);
    if (length >= (int)sizeof spot.folder || !mkdtemp(spot.folder)) {
        selftest_tally_untried(&tally, "no folder could be made");
    } else {
        spot.made = arena_format(spot.arena, "%s/made", spot.folder);
        for (size_t i = 0; i < sizeof bombs / sizeof *bombs; i++) {
            play_bomb(&spot, &bombs[i], &tally);
        }
        (void)rmdir(spot.made);
        (void)folder_empty(spot.folder);
        (void)rmdir(spot.folder);
    }
    selftest_tally_end(&tally, report);
    arena_free(spot.arena);
}
