/* Shared by the parts of the sample generator. */
#ifndef DGM_SERVICE_SAMPLE_STATE_H
#define DGM_SERVICE_SAMPLE_STATE_H

#include <sqlite3.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    SAMPLE_TABLES = 14,
    SAMPLE_LEAVES = 18, /* categories that have products */
    SAMPLE_PER_LEAF = 13,
    SAMPLE_PRODUCTS = SAMPLE_LEAVES * SAMPLE_PER_LEAF,
    SAMPLE_SUPPLIERS = 28,
    SAMPLE_STORES = 8,
    SAMPLE_EMPLOYEES = 76,
    SAMPLE_CUSTOMERS = 2400,
    SAMPLE_PROMOTIONS = 24,
    SAMPLE_ORDERS = 10200,
    SAMPLE_DAYS = 1096, /* 2023-01-01 up to 2025-12-31 */
};

/* Days are counted from 2023-01-01; SAMPLE_NEVER means NULL for days, money and ids. */
#define SAMPLE_NEVER INT64_MIN

struct sample_product {
    int64_t price; /* money is in cents */
    int leaf;
    int64_t launched;
    int64_t ended; /* or SAMPLE_NEVER */
};

struct sample_promotion {
    int64_t starts;
    int64_t ends;
    int64_t percent;
};

struct sample_customer {
    int64_t joined;
    int64_t address; /* id of the delivery address */
    const struct sample_city *home;
};

struct sample {
    sqlite3 *db;
    uint64_t seed;
    bool failed;
    const char *tables[SAMPLE_TABLES]; /* and the INSERT statement for each */
    sqlite3_stmt *statements[SAMPLE_TABLES];
    struct sample_product products[SAMPLE_PRODUCTS];
    struct sample_promotion promotions[SAMPLE_PROMOTIONS];
    struct sample_customer customers[SAMPLE_CUSTOMERS];
    int64_t clerks[SAMPLE_STORES][16]; /* employees who sell, by store */
    int clerk_count[SAMPLE_STORES];
    int64_t next_item;
    int64_t next_payment;
    int64_t next_shipment;
    int64_t next_return;
    int64_t next_review;
};

/* sample.c: pseudo-random numbers with a fixed seed */
uint64_t sample_random(struct sample *sample);
int64_t sample_below(struct sample *sample, int64_t most); /* 0 … most-1 */
int64_t sample_between(struct sample *sample, int64_t from,
                       int64_t to); /* both included */
bool sample_chance(struct sample *sample, int64_t percent);

/* Year, month and day of the week (0 = Monday) of a day. */
void sample_date(int64_t day, int *year, int *month, int *date);
int sample_weekday(int64_t day);

/*
 * Adds one row. `types` has a letter for each value: i integer, t text, m money in cents,
 * d day, s day and seconds of it (two arguments). SAMPLE_NEVER and NULL become NULL.
 */
void sample_row(struct sample *sample, const char *table, const char *types, ...);

/* The parts, in the order in which foreign keys need them. */
void sample_catalog(struct sample *sample); /* categories suppliers products promotions */
void sample_people(struct sample *sample);  /* stores employees customers addresses */
void sample_orders(struct sample *sample); /* orders and the tables that reference them */

/* sample_words.c */
struct sample_leaf {
    const char *name;
    int parent; /* index of a top category */
    int season; /* month of the highest sales; 0: all year */
    int64_t cheapest;
    int64_t dearest;
    const char *nouns[6];
};
struct sample_city {
    const char *name;
    const char *country;
    int weight;
    const char *postal; /* '#' is a digit */
};
struct sample_words {
    const char *const *items;
    size_t count;
};
extern const struct sample_leaf sample_leaves[SAMPLE_LEAVES];
extern const struct sample_words sample_tops, sample_adjectives, sample_first_names,
    sample_last_names, sample_streets, sample_supplier_names, sample_comments_good,
    sample_comments_bad;

const char *sample_word(struct sample *sample, const struct sample_words *words);
const struct sample_city *sample_city(struct sample *sample);

#endif
