/* Wishes for a chart at the end of a question, in three languages; and what is none. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "chart/wish.h"

static const struct {
    const char *text;
    const char *kind; /* NULL: no wish */
    const char *rest; /* the text before it; NULL: nothing else is asked */
    const char *by;
} cases[] = {
    {"revenue per month as a line chart", "line", "revenue per month", NULL},
    {"Revenue per country, as bars please.", "bar", "Revenue per country", NULL},
    {"orders per channel as a pie", "arc", "orders per channel", NULL},
    {"orders per channel in a chart", "chart", "orders per channel", NULL},
    {"orders per channel as a stacked bar chart", "stacked", "orders per channel", NULL},
    {"orders per month and channel, stacked by channel", "stacked",
     "orders per month and channel", "channel"},
    {"stack them by order status", "stacked", NULL, "order status"},
    {"prices and weights as a scatter plot", "scatter", "prices and weights", NULL},
    {"as a line chart", "line", NULL, NULL},
    {"show it as a pie", "arc", NULL, NULL},
    {"now as an area chart, please", "area", NULL, NULL},
    {"make it a bar chart", "bar", NULL, NULL},
    {"line chart", "line", NULL, NULL},
    {"can you show me that as a table?", "table", NULL, NULL},
    {"Umsatz je Monat als Liniendiagramm", "line", "Umsatz je Monat", NULL},
    {"Bestellungen je Kanal als Säulen", "bar", "Bestellungen je Kanal", NULL},
    {"zeig das als Kreisdiagramm", "arc", NULL, NULL},
    {"stell es als FLÄCHENDIAGRAMM dar", "area", NULL, NULL},
    {"Bestellungen je Monat, nach channel gestapelt", "stacked", "Bestellungen je Monat",
     "channel"},
    {"ingresos por mes como gráfico de líneas", "line", "ingresos por mes", NULL},
    {"pedidos por canal como barras, por favor", "bar", "pedidos por canal", NULL},
    {"muéstralo como pastel", "arc", NULL, NULL},
    {"how many customers are there?", NULL, NULL, NULL},
    {"orders per product line", NULL, NULL, NULL},
    {"customers in the area", NULL, NULL, NULL},
    {"which bars are open", NULL, NULL, NULL},
    {"bars", NULL, NULL, NULL},
    {"orders by table", NULL, NULL, NULL},
    {"people in a line", NULL, NULL, NULL},
    {"", NULL, NULL, NULL},
    {"please", NULL, NULL, NULL},
    {"por por por", NULL, NULL, NULL},
    {"by stacked", NULL, NULL, NULL},
};

static void wishes_are_read(void **unused)
{
    (void)unused;
    struct arena *arena = arena_new();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct wish wish;
        bool found = wish_read(arena, cases[i].text, &wish);
        const char *kind = found ? chart_wish_name(&wish.chart) : NULL;
        const char *rest =
            found && !wish.alone ? arena_copy(arena, cases[i].text, wish.start) : NULL;
        const char *got[] = {kind, rest, wish.chart.by};
        const char *wanted[] = {cases[i].kind, cases[i].rest, cases[i].by};
        for (int k = 0; k < (found || cases[i].kind ? 3 : 1); k++) {
            if ((got[k] == NULL) != (wanted[k] == NULL) ||
                (got[k] && strcmp(got[k], wanted[k]) != 0)) {
                fail_msg("'%s': '%s', not '%s'", cases[i].text, got[k] ? got[k] : "-",
                         wanted[k] ? wanted[k] : "-");
            }
        }
    }
    arena_free(arena);
}

static void any_bytes_are_read(void **unused)
{
    (void)unused;
    static const char *const parts[] = {
        "as",   " a ",      "stacked",
        " by ", "por",      "favor",
        "\xC3", "\xC3\x84", ",",
        "line", "chart",    " ",
        "de",   "pie",      "it",
        "\xff", "nach",     "verylongwordthatfitsnowhereatall"};
    struct arena *arena = arena_new();
    uint64_t state = 7;
    for (int i = 0; i < 20000; i++) {
        struct buf text;
        buf_init(&text, 1000);
        state = state * UINT64_C(6364136223846793005) + 1442695040888963407U;
        size_t count = (state >> 40) % 40;
        for (size_t k = 0; k < count; k++) {
            state = state * UINT64_C(6364136223846793005) + 1442695040888963407U;
            (void)buf_text(&text, parts[(state >> 33) % (sizeof parts / sizeof *parts)]);
        }
        struct wish wish;
        (void)wish_read(arena, buf_get(&text), &wish);
        assert_true(wish.start <= text.size);
        buf_release(&text);
    }
    arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wishes_are_read),
        cmocka_unit_test(any_bytes_are_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
