/*
 * Three years of business: orders with their lines, payments, parcels, returns and
 * reviews. Trade grows from year to year, is slow in February, high before Christmas and
 * livelier at weekends. Amounts agree: an order's total is the sum of its lines.
 */
#include <stdio.h>
#include <string.h>

#include "service/sample/sample_state.h"

enum { LINES_MOST = 6, SEASON_MONTHS = 12 };

struct line {
    int64_t id;
    int64_t product;
    int64_t quantity;
    int64_t total;
};

struct order {
    int64_t id;
    int64_t day;
    int64_t second;
    int64_t customer; /* index */
    int64_t store;    /* index, or SAMPLE_NEVER when online */
    int64_t promotion;
    const char *status;
    struct line lines[LINES_MOST];
    int line_count;
    int64_t total;
};

/* How much is sold on a day, compared with others. */
static int64_t day_weight(int64_t day)
{
    static const int64_t months[12] = {84, 72, 86, 94,  100, 98,
                                       92, 90, 97, 104, 138, 172};
    static const int64_t weekdays[7] = {90, 88, 92, 98, 112, 128, 104};
    int year = 0;
    int month = 0;
    int date = 0;
    sample_date(day, &year, &month, &date);
    int64_t weight = months[month - 1] * weekdays[sample_weekday(day)] * (800 + day);
    return month == 12 && date > 24 ? weight / 3 : weight;
}

static int64_t promotion_on(const struct sample *sample, int64_t day)
{
    for (int64_t i = 0; i < SAMPLE_PROMOTIONS; i++) {
        if (day >= sample->promotions[i].starts && day <= sample->promotions[i].ends) {
            return i;
        }
    }
    return SAMPLE_NEVER;
}

/* Months between the best time of a ware and now, at most six. */
static int season_distance(int season, int month)
{
    int apart = season > month ? season - month : month - season;
    return season == 0 ? 0 : apart > 6 ? SEASON_MONTHS - apart : apart;
}

static int64_t pick_product(struct sample *sample, int64_t day)
{
    int year = 0;
    int month = 0;
    int date = 0;
    sample_date(day, &year, &month, &date);
    for (;;) {
        /* The smaller of two random numbers, so that some products sell much better. */
        int64_t a = sample_below(sample, SAMPLE_PRODUCTS);
        int64_t b = sample_below(sample, SAMPLE_PRODUCTS);
        int64_t pick = (a < b ? a : b) * 97 % SAMPLE_PRODUCTS;
        const struct sample_product *product = &sample->products[pick];
        bool sold = product->launched <= day &&
                    (product->ended == SAMPLE_NEVER || product->ended > day);
        int away = season_distance(sample_leaves[product->leaf].season, month);
        if (sold && (away < 2 || sample_chance(sample, 100 - 13 * away))) {
            return pick;
        }
    }
}

static void order_lines(struct sample *sample, struct order *order)
{
    static const int sizes[] = {1, 1, 1, 1, 2, 2, 2, 3, 3, 4, 5};
    int wanted = sizes[sample_below(sample, (int64_t)(sizeof sizes / sizeof *sizes))];
    for (int i = 0; i < wanted; i++) {
        int64_t product = pick_product(sample, order->day);
        bool twice = false;
        for (int j = 0; j < order->line_count; j++) {
            twice = twice || order->lines[j].product == product;
        }
        if (!twice) {
            order->lines[order->line_count++].product = product;
        }
    }
    int64_t percent = order->promotion == SAMPLE_NEVER
                          ? 0
                          : sample->promotions[order->promotion].percent;
    for (int i = 0; i < order->line_count; i++) {
        struct line *line = &order->lines[i];
        int64_t price = sample->products[line->product].price;
        line->id = ++sample->next_item;
        line->quantity =
            price > 20000 || sample_chance(sample, 68) ? 1 : sample_between(sample, 2, 4);
        line->total = (line->quantity * price * (100 - percent) + 50) / 100;
        order->total += line->total;
        sample_row(sample, "order_items", "iiiimim", line->id, order->id,
                   line->product + 1, line->quantity, price, percent, line->total);
    }
}

static void order_payments(struct sample *sample, const struct order *order)
{
    static const char *const online[] = {"card",   "card",          "card",     "paypal",
                                         "paypal", "bank transfer", "gift card"};
    static const char *const counter[] = {"card", "card", "card", "cash", "cash"};
    const char *method = order->store == SAMPLE_NEVER ? online[sample_below(sample, 7)]
                                                      : counter[sample_below(sample, 5)];
    if (strcmp(method, "card") == 0 && sample_chance(sample, 3)) {
        sample_row(sample, "payments", "iittms", ++sample->next_payment, order->id,
                   method, "failed", order->total, SAMPLE_NEVER, (int64_t)0);
    }
    bool cancelled = strcmp(order->status, "cancelled") == 0;
    if (cancelled && sample_chance(sample, 60)) {
        return; /* it was never paid */
    }
    bool waits =
        strcmp(order->status, "processing") == 0 && strcmp(method, "bank transfer") == 0;
    int64_t later =
        strcmp(method, "bank transfer") == 0 ? sample_between(sample, 1, 3) : 0;
    sample_row(sample, "payments", "iittms", ++sample->next_payment, order->id, method,
               waits       ? "pending"
               : cancelled ? "refunded"
                           : "paid",
               order->total, waits ? SAMPLE_NEVER : order->day + later,
               later ? (int64_t)36000 : order->second);
}

static void order_shipment(struct sample *sample, const struct order *order)
{
    static const char *const carriers[] = {"DHL", "DHL", "UPS", "DPD", "FedEx"};
    if (order->store != SAMPLE_NEVER || strcmp(order->status, "cancelled") == 0 ||
        strcmp(order->status, "processing") == 0) {
        return;
    }
    int64_t sent = order->day + sample_between(sample, 0, 3);
    int64_t arrived = sent + sample_between(sample, 1, 6) +
                      (sample_chance(sample, 6) ? sample_between(sample, 4, 12) : 0);
    bool under_way = arrived >= SAMPLE_DAYS || strcmp(order->status, "shipped") == 0;
    char tracking[40];
    (void)snprintf(tracking, sizeof tracking, "TR%010llu",
                   (unsigned long long)(sample_random(sample) % 10000000000ULL));
    const char *carrier = carriers[sample_below(sample, 5)];
    int64_t cost = sample_between(sample, 39, 129) * 10;
    sample_row(sample, "shipments", "iitttddm", ++sample->next_shipment, order->id,
               carrier, tracking, under_way ? "in transit" : "delivered",
               sent < SAMPLE_DAYS ? sent : SAMPLE_DAYS - 1,
               under_way ? SAMPLE_NEVER : arrived, cost);
}

static void order_afterwards(struct sample *sample, const struct order *order)
{
    static const char *const reasons[] = {"damaged", "wrong size", "not as described",
                                          "changed mind", "arrived too late"};
    bool returned = strcmp(order->status, "returned") == 0;
    if (!returned && strcmp(order->status, "completed") != 0) {
        return;
    }
    for (int i = 0; i < order->line_count; i++) {
        const struct line *line = &order->lines[i];
        int64_t later = order->day + sample_between(sample, 6, 30);
        if (later >= SAMPLE_DAYS) {
            continue;
        }
        if (returned && (i == 0 || sample_chance(sample, 40))) {
            const char *reason = reasons[sample_below(sample, 5)];
            sample_row(sample, "returns", "iitimd", ++sample->next_return, line->id,
                       reason, line->quantity, line->total, later);
        }
        if (sample_chance(sample, 13)) {
            int64_t luck = sample_below(sample, 100);
            int64_t stars = returned    ? sample_between(sample, 1, 3)
                            : luck < 48 ? 5
                            : luck < 80 ? 4
                            : luck < 91 ? 3
                            : luck < 96 ? 2
                                        : 1;
            const struct sample_words *words =
                stars > 3 ? &sample_comments_good : &sample_comments_bad;
            const char *comment =
                sample_chance(sample, 35) ? NULL : sample_word(sample, words);
            sample_row(sample, "reviews", "iiiitd", ++sample->next_review,
                       line->product + 1, order->customer + 1, stars, comment, later);
        }
    }
}

static const char *status_for(struct sample *sample, int64_t day, bool online)
{
    int64_t luck = sample_below(sample, 100);
    if (luck < 4) {
        return "cancelled";
    }
    if (online && day >= SAMPLE_DAYS - 4) {
        return "processing";
    }
    if (online && day >= SAMPLE_DAYS - 10) {
        return "shipped";
    }
    return luck < 9 ? "returned" : "completed";
}

/* The smaller of two random numbers, so that some customers return often. */
static int64_t pick_customer(struct sample *sample, int64_t day)
{
    int64_t joined = 0;
    int64_t above = SAMPLE_CUSTOMERS;
    while (joined < above) {
        int64_t middle = (joined + above) / 2;
        if (sample->customers[middle].joined <= day) {
            joined = middle + 1;
        } else {
            above = middle;
        }
    }
    int64_t a = sample_below(sample, joined);
    int64_t b = sample_below(sample, joined);
    return sample_chance(sample, 50) ? a : (a < b ? a : b);
}

static void order_make(struct sample *sample, int64_t id, int64_t day, int64_t second)
{
    static const int64_t opened[SAMPLE_STORES] = {-1, -1, -1, -1, -1, -1, 120, 610};
    struct order order = {.id = id,
                          .day = day,
                          .second = second,
                          .store = SAMPLE_NEVER,
                          .promotion = SAMPLE_NEVER};
    order.customer = pick_customer(sample, day);
    if (sample_chance(sample, 44 - day / 60)) { /* online sales grow */
        int64_t store = sample_below(sample, SAMPLE_STORES);
        order.store = opened[store] <= day ? store : 0;
        order.second = sample_between(sample, 9 * 3600, 20 * 3600 - 1);
    }
    int64_t promotion = promotion_on(sample, day);
    if (promotion != SAMPLE_NEVER && sample_chance(sample, 70)) {
        order.promotion = promotion;
    }
    bool online = order.store == SAMPLE_NEVER;
    order.status = status_for(sample, day, online);
    /* The order's row needs its total: the lines come first. */
    order_lines(sample, &order);
    int64_t clerk = SAMPLE_NEVER;
    if (!online && sample->clerk_count[order.store] > 0) {
        clerk = sample->clerks[order.store]
                              [sample_below(sample, sample->clerk_count[order.store])];
    }
    sample_row(sample, "orders", "iiiiiittsm", id, order.customer + 1,
               online ? SAMPLE_NEVER : order.store + 1, clerk,
               order.promotion == SAMPLE_NEVER ? SAMPLE_NEVER : order.promotion + 1,
               online ? sample->customers[order.customer].address : SAMPLE_NEVER,
               online ? "online" : "store", order.status, day, order.second, order.total);
    order_payments(sample, &order);
    order_shipment(sample, &order);
    order_afterwards(sample, &order);
}

void sample_orders(struct sample *sample)
{
    int64_t all = 0;
    for (int64_t day = 0; day < SAMPLE_DAYS; day++) {
        all += day_weight(day);
    }
    int64_t so_far = 0;
    int64_t id = 0;
    for (int64_t day = 0; day < SAMPLE_DAYS && !sample->failed; day++) {
        so_far += day_weight(day);
        int64_t until = so_far * SAMPLE_ORDERS / all;
        int64_t count = until - id;
        for (int64_t i = 0; i < count; i++) {
            /* in the order of the day */
            int64_t slot = 86400 / (count + 1);
            order_make(sample, ++id, day, slot * i + sample_below(sample, slot));
        }
    }
}
