/* Stores, employees, customers and addresses. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "service/sample/sample_state.h"

enum { CLERKS_MOST = 16 };

static void stores(struct sample *sample)
{
    static const struct {
        const char *name;
        const char *city;
        const char *country;
        int64_t opened;
        int64_t space;
    } rows[SAMPLE_STORES] = {
        {"Berlin Mitte", "Berlin", "Germany", -3100, 820},
        {"Hamburg Harbour", "Hamburg", "Germany", -2400, 640},
        {"Munich Centre", "Munich", "Germany", -2200, 710},
        {"Vienna Ring", "Vienna", "Austria", -1800, 560},
        {"Zurich Lake", "Zurich", "Switzerland", -1200, 480},
        {"Paris Marais", "Paris", "France", -700, 530},
        {"Amsterdam Canal", "Amsterdam", "Netherlands", 120, 450},
        {"Milan Duomo", "Milan", "Italy", 610, 420},
    };
    for (int64_t i = 0; i < SAMPLE_STORES; i++) {
        sample_row(sample, "stores", "itttdi", i + 1, rows[i].name, rows[i].city,
                   rows[i].country, rows[i].opened, rows[i].space);
    }
}

static void email_for(char *out, size_t size, const char *first, const char *last,
                      int64_t number, const char *domain)
{
    (void)snprintf(out, size, "%s.%s%d@%s", first, last, (int)number, domain);
    for (char *at = out; *at; at++) {
        *at = (char)tolower((unsigned char)*at);
    }
}

/*
 * The head office is 1 (director) and 2-4 (who lead); a store has a manager and clerks.
 */
static void employee(struct sample *sample, int64_t id)
{
    static const char *const office[] = {"Managing Director", "Head of Sales",
                                         "Head of Purchasing", "Head of Finance"};
    const char *first = sample_word(sample, &sample_first_names);
    const char *last = sample_word(sample, &sample_last_names);
    int64_t store = id <= 4 ? SAMPLE_NEVER : (id - 5) % SAMPLE_STORES;
    bool manages = id > 4 && id <= 4 + SAMPLE_STORES;
    const char *title = id <= 4       ? office[id - 1]
                        : manages     ? "Store Manager"
                        : id % 5 == 0 ? "Warehouse Worker"
                                      : "Sales Assistant";
    int64_t manager = id == 1 ? SAMPLE_NEVER : id <= 4 ? 1 : manages ? 2 : store + 5;
    int64_t hired = id <= 4 + SAMPLE_STORES ? sample_between(sample, -2500, -900)
                                            : sample_between(sample, -1500, 700);
    int64_t left = id > 4 + SAMPLE_STORES && sample_chance(sample, 14)
                       ? hired + sample_between(sample, 200, 1200)
                       : SAMPLE_NEVER;
    left = left >= SAMPLE_DAYS ? SAMPLE_NEVER : left;
    int64_t salary = id == 1   ? 14500000
                     : id <= 4 ? sample_between(sample, 880, 990) * 10000
                     : manages ? sample_between(sample, 560, 690) * 10000
                               : sample_between(sample, 310, 440) * 10000;
    char email[100];
    email_for(email, sizeof email, first, last, id, "shop.example");
    sample_row(sample, "employees", "ittttiiddm", id, first, last, email, title,
               store == SAMPLE_NEVER ? SAMPLE_NEVER : store + 1, manager, hired, left,
               salary);
    if (id > 4 + SAMPLE_STORES && id % 5 != 0 && left == SAMPLE_NEVER && hired < 200 &&
        sample->clerk_count[store] < CLERKS_MOST) {
        sample->clerks[store][sample->clerk_count[store]++] = id;
    }
}

static void postal_code(struct sample *sample, const char *pattern, char *out)
{
    for (; *pattern; pattern++) {
        *out++ = *pattern == '#' ? (char)('0' + sample_below(sample, 10)) : *pattern;
    }
    *out = '\0';
}

static void address(struct sample *sample, int64_t id, int64_t customer, const char *type,
                    const struct sample_city *city)
{
    char street[80];
    char postal[24];
    const char *road = sample_word(sample, &sample_streets);
    int number = (int)sample_between(sample, 1, 180);
    (void)snprintf(street, sizeof street, "%s %d", road, number);
    postal_code(sample, city->postal, postal);
    sample_row(sample, "addresses", "iittttt", id, customer, type, street, postal,
               city->name, city->country);
}

/* Customers join over four years, so that at every moment some are new. */
static void customer(struct sample *sample, int64_t number)
{
    struct sample_customer *customer = &sample->customers[number];
    customer->home = sample_city(sample);
    const char *first = sample_word(sample, &sample_first_names);
    const char *last = sample_word(sample, &sample_last_names);
    customer->joined = number * (SAMPLE_DAYS + 365 - 6) / SAMPLE_CUSTOMERS - 365;
    char email[100];
    char phone[40];
    email_for(email, sizeof email, first, last, number + 1, "mail.example");
    (void)snprintf(phone, sizeof phone, "+00 555 %06d",
                   (int)sample_below(sample, 1000000));
    int64_t kind = sample_below(sample, 100);
    const char *segment = kind < 78 ? "consumer" : kind < 94 ? "business" : "wholesale";
    int64_t born =
        sample_chance(sample, 22) ? SAMPLE_NEVER : sample_between(sample, -26500, -6700);
    bool reachable = sample_chance(sample, 70);
    int64_t newsletter = sample_chance(sample, 58);
    sample_row(sample, "customers", "ittttdtttid", number + 1, first, last, email,
               reachable ? phone : NULL, born, segment, customer->home->name,
               customer->home->country, newsletter, customer->joined);
}

void sample_people(struct sample *sample)
{
    stores(sample);
    for (int64_t id = 1; id <= SAMPLE_EMPLOYEES; id++) {
        employee(sample, id);
    }
    for (int64_t i = 0; i < SAMPLE_CUSTOMERS; i++) {
        customer(sample, i);
    }
    int64_t id = 0;
    for (int64_t i = 0; i < SAMPLE_CUSTOMERS; i++) {
        address(sample, ++id, i + 1, "billing", sample->customers[i].home);
        sample->customers[i].address = id;
        if (sample_chance(sample, 26)) { /* sends parcels elsewhere */
            const struct sample_city *home = sample->customers[i].home;
            address(sample, ++id, i + 1, "shipping",
                    sample_chance(sample, 70) ? home : sample_city(sample));
            sample->customers[i].address = id;
        }
    }
}
