/*
 * Drawings of random results: well-formed by an independent parser (expat), no number that is
 * none, every text inside the canvas, nothing that could run or load; the same bytes twice.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/utf8.h"
#include "chart/draw.h"

enum { RESULTS = 4000, ROWS_MOST = 40, COLUMNS_MOST = 4, WIDE = 64 };

/* ------------------------------------------------------------------ expat, if it is there */

struct expat {
    void *library;
    void *(*create)(const char *encoding);
    void (*release)(void *parser);
    void (*user)(void *parser, void *data);
    void (*elements)(void *parser, void (*start)(void *, const char *, const char **),
                     void (*end)(void *, const char *));
    void (*texts)(void *parser, void (*text)(void *, const char *, int));
    int (*parse)(void *parser, const char *data, int size, int is_final);
};

/* ISO C has no cast from an object's address to a function's. */
static void bind(void *library, const char *name, void *out)
{
    void *symbol = dlsym(library, name);
    memcpy(out, &symbol, sizeof symbol);
}

static bool expat_open(struct expat *expat)
{
    expat->library = dlopen("libexpat.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!expat->library) {
        return false;
    }
    bind(expat->library, "XML_ParserCreate", &expat->create);
    bind(expat->library, "XML_ParserFree", &expat->release);
    bind(expat->library, "XML_SetUserData", &expat->user);
    bind(expat->library, "XML_SetElementHandler", &expat->elements);
    bind(expat->library, "XML_SetCharacterDataHandler", &expat->texts);
    bind(expat->library, "XML_Parse", &expat->parse);
    return true;
}

/* What is read of a drawing. */
struct reading {
    double width;
    double height;
    double x; /* of the text that is open */
    double y;
    int anchor; /* 0: start, 1: middle, 2: end */
    bool in_text;
    double font;
    size_t letters;
    size_t shapes;
    char problem[200];
};

static void complain(struct reading *reading, const char *what, double number)
{
    if (!*reading->problem) {
        (void)snprintf(reading->problem, sizeof reading->problem, "%s: %f", what, number);
    }
}

static void check_number(struct reading *reading, const char *name, const char *text)
{
    char *end = NULL;
    double number = strtod(text, &end);
    if (end == text || *end || !isfinite(number) || strpbrk(text, "eEnN")) {
        complain(reading, name, number);
    }
    bool across = name[0] == 'x' || strcmp(name, "cx") == 0;
    bool down = name[0] == 'y' || strcmp(name, "cy") == 0;
    if ((across && (number < 0 || number > reading->width)) ||
        (down && (number < 0 || number > reading->height)) ||
        ((strcmp(name, "width") == 0 || strcmp(name, "height") == 0) && number < 0)) {
        complain(reading, name, number);
    }
}

static void read_attribute(struct reading *reading, const char *name, const char *value)
{
    static const char *const numbers[] = {"x",  "y",  "x1", "x2",    "y1",    "y2",
                                          "cx", "cy", "r",  "width", "height"};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        if (strcmp(name, numbers[i]) == 0) {
            check_number(reading, name, value);
        }
    }
    if (strcmp(name, "x") == 0) {
        reading->x = strtod(value, NULL);
    } else if (strcmp(name, "text-anchor") == 0) {
        reading->anchor = strcmp(value, "middle") == 0 ? 1 : 2;
    } else if (strcmp(name, "class") == 0) {
        reading->font = strcmp(value, "dgm-title") == 0    ? 15
                        : strcmp(value, "dgm-figure") == 0 ? 44
                                                           : 12;
    } else if (strcmp(name, "d") == 0 &&
               value[strspn(value, "MLAZ0123456789.,- ")] != '\0') {
        complain(reading, "path", 0);
    } else if (strstr(name, "href") || strncmp(name, "on", 2) == 0) {
        complain(reading, name, 0);
    }
}

static void on_start(void *data, const char *name, const char **attributes)
{
    static const char *const known[] = {"svg",  "title", "style",  "text",
                                        "line", "rect",  "circle", "path"};
    struct reading *reading = data;
    bool found = false;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        found = found || strcmp(name, known[i]) == 0;
    }
    if (!found) {
        complain(reading, name, 0);
    }
    if (strcmp(name, "svg") == 0) {
        for (size_t i = 0; attributes[i]; i += 2) {
            reading->width = strcmp(attributes[i], "width") == 0
                                 ? strtod(attributes[i + 1], NULL)
                                 : reading->width;
            reading->height = strcmp(attributes[i], "height") == 0
                                  ? strtod(attributes[i + 1], NULL)
                                  : reading->height;
        }
        return;
    }
    reading->shapes += strcmp(name, "rect") == 0 || strcmp(name, "circle") == 0 ||
                       strcmp(name, "path") == 0;
    reading->in_text = strcmp(name, "text") == 0;
    reading->anchor = 0;
    reading->letters = 0;
    for (size_t i = 0; attributes[i]; i += 2) {
        read_attribute(reading, attributes[i], attributes[i + 1]);
    }
}

/* Half an em for each letter is less than usual fonts need: this finds what is far outside. */
static void on_end(void *data, const char *name)
{
    struct reading *reading = data;
    if (strcmp(name, "text") == 0) {
        double width = (double)reading->letters * reading->font * 0.5;
        double left = reading->x - width * reading->anchor / 2;
        if (left < -1 || left + width > reading->width + 1) {
            complain(reading, "text outside", left);
        }
        reading->in_text = false;
    }
}

static void on_text(void *data, const char *text, int size)
{
    struct reading *reading = data;
    for (int i = 0; i < size; i++) {
        reading->letters += ((unsigned char)text[i] & 0xC0) != 0x80;
    }
}

static bool read_svg(const struct expat *expat, const char *svg, size_t size,
                     struct reading *reading)
{
    *reading = (struct reading){.width = 0};
    void *parser = expat->create("UTF-8");
    expat->user(parser, reading);
    expat->elements(parser, on_start, on_end);
    expat->texts(parser, on_text);
    bool fine = expat->parse(parser, svg, (int)size, 1) == 1;
    expat->release(parser);
    return fine && !*reading->problem;
}

/* ------------------------------------------------------------------ random results */

static uint64_t next(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return *state >> 33;
}

static const char *const words[] = {
    "Rome",
    "Oslo",
    "",
    "a & b < c > \"d\" 'e'",
    "</text><script>alert(1)</script>",
    "]]>",
    "x\ny\tz",
    "\xff\xfe broken",
    "日本語のとても長い名前がここに続きます日本語のとても長い名前",
    "Kaltschnäuzigkeitsbeauftragtenversammlungsprotokoll der ersten und der zweiten "
    "Sitzung",
    "\x01\x02",
    "\xE2\x80\xAE"
    "right to left",
    "January",
    "Monday",
    "2024-Q1",
    "https://example.org"};
enum { WORDS = sizeof words / sizeof *words };

static struct value text_value(const char *text)
{
    struct value value = {.kind = VALUE_TEXT};
    value.text.data = text;
    value.text.size = strlen(text);
    return value;
}

static struct value number_value(uint64_t *state)
{
    static const double odd[] = {0,   -1,   1e300,   -1e300, 1e-300,
                                 0.1, 1e15, 99999.5, 5e-324};
    struct value value = {.kind = VALUE_INT, .integer = (int64_t)(next(state) % 100000)};
    switch (next(state) % 8) {
    case 0:
        value.integer = -value.integer;
        break;
    case 1:
        value = (struct value){.kind = VALUE_REAL,
                               .real = odd[next(state) % (sizeof odd / sizeof *odd)]};
        break;
    case 2:
        value = (struct value){.kind = VALUE_REAL, .real = (double)next(state) / 977.0};
        break;
    case 3:
        value = text_value("12345678901234567890.12");
        value.kind = VALUE_NUMBER;
        break;
    default:
        break;
    }
    return value;
}

static struct value random_value(struct arena *arena, uint64_t *state, int kind,
                                 size_t row)
{
    if (next(state) % 12 == 0) {
        return (struct value){.kind = VALUE_NULL};
    }
    switch (kind) {
    case 0:
        return text_value(words[next(state) % WORDS]);
    case 1:
        return text_value(arena_format(arena, "%04d-%02d", 1990 + (int)(row / 12),
                                       (int)(row % 12) + 1));
    case 2:
        return text_value(
            arena_format(arena, "2024-%02d-%02d %02d:30:00", (int)(next(state) % 12) + 1,
                         (int)(next(state) % 28) + 1, (int)(next(state) % 24)));
    case 3:
        return text_value(arena_format(arena, "name %d", (int)row));
    case 4:
        return (struct value){.kind = VALUE_BOOL, .boolean = next(state) % 2 == 0};
    default:
        return number_value(state);
    }
}

static void random_rows(struct arena *arena, uint64_t *state, struct rows *rows)
{
    static const char *const names[] = {
        "total_amount",
        "month",
        "share %",
        "year",
        "<b>&\"'",
        "a_very_long_column_name_that_goes_on_and_on_and_on",
        "id"};
    struct rows_column columns[COLUMNS_MOST];
    struct value cells[COLUMNS_MOST];
    int kinds[COLUMNS_MOST];
    size_t count = 1 + next(state) % COLUMNS_MOST;
    for (size_t i = 0; i < count; i++) {
        columns[i] = (struct rows_column){names[next(state) % 7], ""};
        kinds[i] = i + 1 == count ? 5 : (int)(next(state) % 7);
    }
    rows_init(rows, arena);
    rows_set_columns(rows, columns, count);
    size_t most = 1 + next(state) % ROWS_MOST;
    for (size_t row = 0; row < most; row++) {
        for (size_t i = 0; i < count; i++) {
            cells[i] = random_value(arena, state, kinds[i], row);
        }
        rows_add(rows, cells);
    }
}

static void check_text(const char *text, size_t width, bool ascii)
{
    for (const char *line = text; *line;) {
        size_t size = strcspn(line, "\n");
        if (utf8_columns(line, size) > width + 14) { /* a value stands behind a bar */
            fail_msg("a line of %zu columns: %.*s", utf8_columns(line, size), (int)size,
                     line);
        }
        for (size_t i = 0; ascii && i < size; i++) {
            assert_true((unsigned char)line[i] < 0x80);
        }
        line += size + (line[size] == '\n');
    }
    assert_null(strstr(text, "nan"));
    assert_null(strstr(text, "inf"));
    assert_null(strchr(text, '\x1b'));
}

static void draw_both(const struct expat *expat, const struct rows *rows,
                      const struct chart *chart, bool ascii)
{
    static const struct draw_options options = {.title = "What & <why> \"how\"?"};
    struct draw_options plain = {.width = WIDE, .ascii = ascii};
    struct buf first;
    struct buf second;
    struct reading reading;
    buf_init(&first, DRAW_SVG_MOST);
    buf_init(&second, DRAW_SVG_MOST);
    assert_true(draw_svg(chart, rows, &options, &first));
    assert_true(draw_svg(chart, rows, &options, &second));
    assert_string_equal(buf_get(&first), buf_get(&second));
    if (expat->library && !read_svg(expat, buf_get(&first), first.size, &reading)) {
        fail_msg("%s: %s\n%s", chart_kind_name(chart->kind), reading.problem,
                 buf_get(&first));
    }
    buf_clear(&second);
    assert_true(draw_text(chart, rows, &plain, &second));
    check_text(buf_get(&second), WIDE, ascii);
    buf_release(&first);
    buf_release(&second);
}

static void every_drawing_is_whole(void **unused)
{
    (void)unused;
    struct expat expat = {.library = NULL};
    size_t drawn[CHART_KIND_COUNT] = {0};
    uint64_t state = 20240607;
    if (!expat_open(&expat)) {
        print_message("libexpat is not there: drawings are not parsed\n");
    }
    for (int i = 0; i < RESULTS; i++) {
        struct arena *arena = arena_new();
        struct rows rows;
        random_rows(arena, &state, &rows);
        for (int kind = 0; kind < CHART_KIND_COUNT; kind++) {
            struct chart chart;
            if (chart_as(&rows, (enum chart_kind)kind, &chart)) {
                draw_both(&expat, &rows, &chart, i % 2 == 0);
                drawn[kind]++;
            }
        }
        arena_free(arena);
    }
    for (int kind = 0; kind < CHART_KIND_COUNT; kind++) {
        if (drawn[kind] < 10) {
            fail_msg("only %zu drawings of the kind %s", drawn[kind],
                     chart_kind_name((enum chart_kind)kind));
        }
    }
    if (expat.library) {
        (void)dlclose(expat.library);
    }
}

/* ------------------------------------------------------------------ what is drawn */

static char *draw(struct arena *arena, const struct rows *rows, enum chart_kind kind,
                  bool text)
{
    struct chart chart;
    struct draw_options options = {.width = WIDE};
    struct buf out;
    buf_init(&out, DRAW_SVG_MOST);
    assert_true(chart_as(rows, kind, &chart));
    assert_true(text ? draw_text(&chart, rows, &options, &out)
                     : draw_svg(&chart, rows, &options, &out));
    char *copy = arena_text(arena, buf_get(&out));
    buf_release(&out);
    return copy;
}

static size_t times(const char *text, const char *part)
{
    size_t count = 0;
    for (const char *at = strstr(text, part); at; at = strstr(at + 1, part)) {
        count++;
    }
    return count;
}

static void cities(struct arena *arena, struct rows *rows)
{
    static const char *const names[] = {"Rome", "Oslo", "Bonn"};
    static const int64_t amounts[] = {1500, 250000, 40};
    struct rows_column columns[] = {{"city", ""}, {"total_amount", ""}};
    rows_init(rows, arena);
    rows_set_columns(rows, columns, 2);
    for (size_t i = 0; i < 3; i++) {
        struct value cells[] = {text_value(names[i]),
                                {.kind = VALUE_INT, .integer = amounts[i]}};
        rows_add(rows, cells);
    }
}

static void bars_are_sorted_and_labelled(void **unused)
{
    (void)unused;
    struct arena *arena = arena_new();
    struct rows rows;
    cities(arena, &rows);
    const char *svg = draw(arena, &rows, CHART_BAR, false);
    assert_int_equal(times(svg, "<rect"), 3);
    assert_true(strstr(svg, ">Oslo<") < strstr(svg, ">Rome<"));
    assert_true(strstr(svg, ">Rome<") < strstr(svg, ">Bonn<"));
    assert_non_null(strstr(svg, ">250K<"));
    assert_non_null(strstr(svg, ">1,500<"));
    assert_non_null(strstr(svg, "<title>Oslo: 250,000</title>"));
    assert_non_null(strstr(svg, ">Total amount<"));
    assert_non_null(strstr(svg, "prefers-color-scheme:dark"));
    const char *text = draw(arena, &rows, CHART_BAR, true);
    assert_true(strncmp(text, "Oslo │███", strlen("Oslo │███")) == 0);
    assert_non_null(strstr(text, "Bonn │"));
    arena_free(arena);
}

static void months(struct arena *arena, struct rows *rows)
{
    struct rows_column columns[] = {{"month", ""}, {"n", ""}};
    rows_init(rows, arena);
    rows_set_columns(rows, columns, 2);
    for (int i = 12; i >= 1; i--) { /* in any order */
        struct value cells[] = {text_value(arena_format(arena, "2025-%02d", i)),
                                {.kind = VALUE_INT, .integer = i == 3 ? 99 : i}};
        rows_add(rows, cells);
    }
}

static void lines_name_their_extremes(void **unused)
{
    (void)unused;
    struct arena *arena = arena_new();
    struct rows rows;
    struct chart chart;
    static const struct draw_words german = {
        .months = {"Januar", "Februar", "März", "April", "Mai", "Juni", "Juli", "August",
                   "September", "Oktober", "November", "Dezember"},
        .thousands = ".",
        .decimal = ",",
        .powers = {" Tsd.", " Mio.", " Mrd.", " Bio."},
        .no_value = "(kein Wert)",
        .left_out = "weitere"};
    struct draw_options options = {.words = &german};
    struct buf out;
    months(arena, &rows);
    const char *svg = draw(arena, &rows, CHART_LINE, false);
    assert_int_equal(times(svg, "<path class=\"dgm-line"), 1);
    assert_int_equal(times(svg, "class=\"dgm-value\""), 3); /* highest, lowest, last */
    assert_non_null(strstr(svg, ">99<"));
    assert_non_null(strstr(svg, ">Mar 2025<"));
    buf_init(&out, DRAW_SVG_MOST);
    assert_true(chart_recommend(&rows, &chart));
    assert_true(draw_svg(&chart, &rows, &options, &out));
    assert_non_null(strstr(buf_get(&out), ">Mär 2025<"));
    buf_release(&out);
    assert_non_null(strstr(draw(arena, &rows, CHART_LINE, true), "Dec 2025"));
    arena_free(arena);
}

static void many_bars_are_left_out(void **unused)
{
    (void)unused;
    struct arena *arena = arena_new();
    struct rows rows;
    struct rows_column columns[] = {{"name", ""}, {"n", ""}};
    rows_init(&rows, arena);
    rows_set_columns(&rows, columns, 2);
    for (int i = 0; i < 50; i++) {
        struct value cells[] = {text_value(arena_format(arena, "name %d", i)),
                                {.kind = VALUE_INT, .integer = i}};
        rows_add(&rows, cells);
    }
    const char *svg = draw(arena, &rows, CHART_BAR, false);
    assert_int_equal(times(svg, "<rect"), 20);
    assert_non_null(strstr(svg, ">name 49<"));
    assert_null(strstr(svg, ">name 1<"));
    assert_non_null(strstr(svg, "30 more are not shown"));
    arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bars_are_sorted_and_labelled),
        cmocka_unit_test(lines_name_their_extremes),
        cmocka_unit_test(many_bars_are_left_out),
        cmocka_unit_test(every_drawing_is_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
