/* Categories, suppliers, products and promotions. */
#include <stdio.h>

#include "service/sample/sample_state.h"

static void categories(struct sample *sample)
{
    for (size_t i = 0; i < sample_tops.count; i++) {
        sample_row(sample, "categories", "iti", (int64_t)(i + 1), sample_tops.items[i],
                   SAMPLE_NEVER);
    }
    for (size_t i = 0; i < SAMPLE_LEAVES; i++) {
        sample_row(sample, "categories", "iti", (int64_t)(sample_tops.count + i + 1),
                   sample_leaves[i].name, (int64_t)(sample_leaves[i].parent + 1));
    }
}

static void suppliers(struct sample *sample)
{
    for (int64_t i = 0; i < SAMPLE_SUPPLIERS; i++) {
        char email[80];
        (void)snprintf(email, sizeof email, "orders%d@supplier.example", (int)i + 1);
        int64_t rating = sample_chance(sample, 12) ? SAMPLE_NEVER
                                                   : sample_between(sample, 28, 50) * 10;
        /* Random numbers are drawn in statements of their own: the order of evaluation of
         * arguments is unspecified. */
        const char *country = sample_city(sample)->country;
        int64_t since = sample_between(sample, -4000, -400);
        sample_row(sample, "suppliers", "itttmd", i + 1, sample_supplier_names.items[i],
                   country, email, rating, since);
    }
}

/* Prices end in .90, .50 or .00, as in a shop. */
static int64_t price_of(struct sample *sample, const struct sample_leaf *leaf)
{
    int64_t spread = leaf->dearest - leaf->cheapest;
    int64_t low = sample_below(sample, spread);
    int64_t other = sample_below(sample, spread);
    int64_t price = leaf->cheapest + (low < other ? low : other);
    static const int64_t ends[] = {90, 50, 0, 90};
    return price / 100 * 100 + ends[sample_below(sample, 4)];
}

static void product(struct sample *sample, int64_t number, int leaf, int variant)
{
    const struct sample_leaf *kind = &sample_leaves[leaf];
    struct sample_product *product = &sample->products[number];
    /* Different steps through both lists, so that no name is repeated. */
    const char *noun = kind->nouns[variant % 6];
    const char *adjective =
        sample_adjectives
            .items[(size_t)(variant * 7 + leaf * 3) % sample_adjectives.count];
    char name[80];
    char sku[40];
    (void)snprintf(name, sizeof name, "%s %s", adjective, noun);
    (void)snprintf(sku, sizeof sku, "%c%c-%04d", kind->name[0] & ~0x20,
                   kind->name[1] & ~0x20, (int)number + 1001);
    product->leaf = leaf;
    product->price = price_of(sample, kind);
    product->launched = sample_chance(sample, 75) ? sample_between(sample, -900, -1)
                                                  : sample_below(sample, 800);
    product->ended = sample_chance(sample, 8)
                         ? product->launched + sample_between(sample, 300, 700)
                         : SAMPLE_NEVER;
    if (product->ended >= SAMPLE_DAYS || product->ended < 0) {
        product->ended = SAMPLE_NEVER;
    }
    int64_t cost = product->price * sample_between(sample, 42, 72) / 100;
    int64_t stock = product->ended != SAMPLE_NEVER || sample_chance(sample, 5)
                        ? 0
                        : sample_between(sample, 3, 400);
    int64_t weight =
        sample_chance(sample, 10) ? SAMPLE_NEVER : sample_between(sample, 4, 900) * 20;
    int64_t supplier = sample_between(sample, 1, SAMPLE_SUPPLIERS);
    sample_row(sample, "products", "ittiimmiidd", number + 1, sku, name,
               (int64_t)(sample_tops.count + (size_t)leaf + 1), supplier, product->price,
               cost, stock, weight, product->launched, product->ended);
}

static void promotions(struct sample *sample)
{
    static const struct {
        const char *code;
        const char *name;
        int64_t start; /* day of the year */
        int64_t days;
        int64_t percent;
    } yearly[] = {
        {"NEWYEAR", "New Year Sale", 2, 12, 15},
        {"VALENTINE", "Valentine's Week", 38, 7, 10},
        {"SPRING", "Spring Cleaning", 74, 14, 12},
        {"GARDEN", "Garden Days", 115, 10, 10},
        {"SUMMER", "Summer Sale", 180, 21, 20},
        {"SCHOOL", "Back to School", 235, 14, 10},
        {"BLACK", "Black Week", 325, 8, 25},
        {"ADVENT", "Advent Calendar", 335, 22, 8},
    };
    for (int64_t i = 0; i < SAMPLE_PROMOTIONS; i++) {
        int64_t year = i / 8;
        struct sample_promotion *promotion = &sample->promotions[i];
        promotion->starts = year * 365 + (year > 1) + yearly[i % 8].start;
        promotion->ends = promotion->starts + yearly[i % 8].days - 1;
        promotion->percent = yearly[i % 8].percent;
        char code[40];
        char name[60];
        (void)snprintf(code, sizeof code, "%s%d", yearly[i % 8].code, (int)(23 + year));
        (void)snprintf(name, sizeof name, "%s %d", yearly[i % 8].name,
                       (int)(2023 + year));
        sample_row(sample, "promotions", "ittidd", i + 1, code, name, promotion->percent,
                   promotion->starts, promotion->ends);
    }
}

void sample_catalog(struct sample *sample)
{
    categories(sample);
    suppliers(sample);
    for (int64_t i = 0; i < SAMPLE_PRODUCTS; i++) {
        product(sample, i, (int)(i / SAMPLE_PER_LEAF), (int)(i % SAMPLE_PER_LEAF));
    }
    promotions(sample);
}
