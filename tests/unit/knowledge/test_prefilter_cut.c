/* A schema of 80 tables in 20 domains: what a prompt shows of it is about the question, and
 * nothing that the question needs is left out. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "knowledge/prefilter/prefilter.h"
#include "knowledge/schema/schema_text.h"

enum { CANDIDATES = 24, BUDGET = 3000 };

/* Four tables each; "x_id" is a key to the table of that name, where there is one. */
static const char *const domains[] = {
    "customers(id name city segment_id) segments(id title) orders(id customer_id "
    "placed_on status) order_lines(id order_id product_id quantity price)",
    "products(id title category_id weight) categories(id title) suppliers(id name "
    "country) product_suppliers(id product_id supplier_id cost)",
    "employees(id name department_id salary hired_on) departments(id title budget) "
    "absences(id employee_id reason first_day days) trainings(id employee_id course "
    "passed_on)",
    "patients(id name born_on blood_group) doctors(id name ward_id) wards(id title beds) "
    "admissions(id patient_id ward_id admitted_on discharged_on)",
    "flights(id number origin_id departed_at delay_minutes) airports(id code city) "
    "aircraft(id model seats) bookings(id flight_id passenger fare)",
    "students(id name enrolled_on) courses(id title credits teacher_id) teachers(id name "
    "room) grades(id student_id course_id mark)",
    "books(id title isbn publisher_id) publishers(id name) authors(id name born_on) "
    "loans(id book_id borrower due_on returned_on)",
    "hotels(id name stars town) rooms(id hotel_id floor rate) guests(id name "
    "nationality) stays(id room_id guest_id nights)",
    "vehicles(id plate model mileage) drivers(id name licence) trips(id vehicle_id "
    "driver_id kilometres started_on) repairs(id vehicle_id garage cost)",
    "accounts(id iban holder balance) transfers(id account_id amount booked_on) cards(id "
    "account_id network expires_on) branches(id address manager)",
    "policies(id holder premium starts_on) claims(id policy_id damage filed_on settled) "
    "adjusters(id name region) payouts(id claim_id adjuster_id sum)",
    "farms(id owner hectares) fields(id farm_id crop_id area) crops(id variety season) "
    "harvests(id field_id tonnes harvested_on)",
    "matches(id home_team_id away_team_id played_on) teams(id name stadium) players(id "
    "name team_id shirt) goals(id match_id player_id minute)",
    "songs(id title album_id seconds) albums(id title artist_id released_on) artists(id "
    "name genre) plays(id song_id listener played_at)",
    "tickets(id subject agent_id opened_at priority) agents(id name shift) replies(id "
    "ticket_id body sent_at) surveys(id ticket_id satisfaction)",
    "warehouses(id town capacity) bins(id warehouse_id aisle) stock(id bin_id article "
    "units) shipments(id warehouse_id carrier weight shipped_on)",
    "machines(id maker hall_id) halls(id title) faults(id machine_id severity "
    "noticed_at) inspections(id machine_id inspector result)",
    "experiments(id hypothesis lab_id begun_on) labs(id title) samples(id experiment_id "
    "substance grams) readings(id sample_id sensor celsius)",
    "donors(id name country) campaigns(id title goal) donations(id donor_id campaign_id "
    "euros given_on) volunteers(id name hours)",
    "meters(id serial household_id) households(id street residents) tariffs(id title "
    "cents) measurements(id meter_id kilowatts read_at)",
};

static const struct asked {
    const char *question;
    const char *needed;
} asked[] = {
    {"How many orders did each customer place?", "customers orders"},
    {"Which products cost the most from their suppliers?",
     "products suppliers product_suppliers"},
    {"What is the average salary per department?", "employees departments"},
    {"Which ward had the most admissions?", "wards admissions"},
    {"Average delay of flights by airport", "flights airports"},
    {"Which students got the best grades in each course?", "students courses grades"},
    {"How many books of each publisher are on loan?", "books publishers loans"},
    {"How many nights did guests stay in each hotel?", "hotels rooms stays"},
    {"Kilometres per driver and vehicle", "vehicles drivers trips"},
    {"Total transfers per account holder", "accounts transfers"},
    {"Sum of payouts by adjuster", "payouts adjusters"},
    {"Tonnes harvested per crop", "crops fields harvests"},
    {"Who scored the most goals in which team?", "players goals teams"},
    {"Which artist has the most plays?", "artists albums songs plays"},
    {"Average satisfaction of tickets per agent", "tickets agents surveys"},
    {"Units in stock per warehouse", "warehouses bins stock"},
    {"How many faults did machines of each hall have?", "machines halls faults"},
    {"What is the highest celsius reading of each experiment?",
     "experiments samples readings"},
    {"How many euros did donors give to each campaign?", "donors campaigns donations"},
    {"Kilowatts per household", "households meters measurements"},
    {"Which customers ordered products of the category toys?",
     "customers orders order_lines products categories"},
    {"List the shipments by carrier", "shipments"},
};

/* Words that every table has, and many questions. */
static const char *const everywhere[] = {"label", "state", "total", "created_at", NULL};

static void add_table(struct schema *schema, struct arena *arena, const char *text)
{
    size_t name = strcspn(text, "(");
    struct table *table = schema_add_table(schema, arena_copy(arena, text, name));
    struct texts columns = {0};
    str_split(arena, arena_copy(arena, text + name + 1, strcspn(text + name + 1, ")")),
              ' ', &columns);
    for (size_t i = 0; i < columns.count; i++) {
        bool number =
            str_equal(columns.items[i], "id") || str_ends(columns.items[i], "_id");
        struct column *column = table_add_column(schema, table, columns.items[i],
                                                 number ? "INTEGER" : "TEXT");
        column->primary = i == 0;
    }
    for (size_t i = 0; everywhere[i]; i++) {
        (void)table_add_column(schema, table, everywhere[i], "TEXT");
    }
    table->row_count = 1000;
}

static void add_keys(struct schema *schema, struct arena *arena)
{
    for (size_t t = 0; t < schema->tables.count; t++) {
        struct table *table = &schema->tables.items[t];
        for (size_t i = 0; i < table->columns.count; i++) {
            const char *column = table->columns.items[i].name;
            size_t size = strlen(column);
            const char *stem = size > 3 && str_ends(column, "_id")
                                   ? arena_copy(arena, column, size - 3)
                                   : "";
            for (size_t k = 0; *stem && k < schema->tables.count; k++) {
                const char *to = schema->tables.items[k].name;
                bool is_plural = strlen(to) > strlen(stem) && str_starts(to, stem) &&
                                 strlen(to) <= strlen(stem) + 2;
                bool is_city = str_equal(stem, "category") && str_equal(to, "categories");
                bool is_team = str_ends(stem, "_team") && str_equal(to, "teams");
                bool is_origin = str_equal(stem, "origin") && str_equal(to, "airports");
                if (is_plural || is_city || is_team || is_origin) {
                    struct foreign_key *key =
                        VEC_ADD(schema->arena, &table->foreign_keys);
                    key->table = to;
                    key->confidence = 1;
                    VEC_PUSH(schema->arena, &key->columns, column);
                    VEC_PUSH(schema->arena, &key->references, "id");
                }
            }
        }
    }
}

static struct schema *eighty(struct arena *arena)
{
    struct schema *schema = schema_new();
    schema->dialect = "sqlite";
    for (size_t i = 0; i < sizeof domains / sizeof *domains; i++) {
        struct texts tables = {0};
        str_split(arena, domains[i], ')', &tables);
        for (size_t k = 0; k < tables.count; k++) {
            const char *text = str_trim(arena, tables.items[k]);
            if (*text) {
                add_table(schema, schema->arena, text);
            }
        }
    }
    add_keys(schema, schema->arena);
    schema_normalize(schema);
    return schema;
}

/* Which share of the schema's text is about tables that the question needs. */
static double share(struct arena *arena, const struct schema *schema,
                    const struct ranked_tables *ranked, const struct texts *needed)
{
    struct schema_text_settings settings = {
        .name_length = 50, .types = true, .row_counts = true};
    const struct table **tables = arena_array(arena, ranked->count + 1, sizeof *tables);
    const struct table **used = arena_array(arena, needed->count, sizeof *used);
    struct schema_text all;
    struct schema_text good;
    for (size_t i = 0; i < ranked->count; i++) {
        tables[i] = ranked->items[i].table;
    }
    for (size_t i = 0; i < needed->count; i++) {
        used[i] = schema_table(schema, needed->items[i]);
        assert_non_null(used[i]);
    }
    schema_text_render(arena, schema, tables, ranked->count, &settings, BUDGET, &all);
    schema_text_render(arena, schema, used, needed->count, &settings, BUDGET, &good);
    return (double)good.size / (double)all.size;
}

static bool shows(const struct ranked_tables *ranked, const char *name)
{
    for (size_t i = 0; i < ranked->count; i++) {
        if (str_equal(ranked->items[i].table->name, name)) {
            return true;
        }
    }
    return false;
}

static void test_eighty_tables(void **state)
{
    (void)state;
    enum { COUNT = sizeof asked / sizeof *asked };
    struct arena *arena = arena_new();
    struct schema *schema = eighty(arena);
    double before = 0;
    double after = 0;
    size_t shown = 0;
    assert_int_equal(schema->tables.count, 80);
    for (size_t i = 0; i < COUNT; i++) {
        struct ranked_tables ranked;
        struct texts needed = {0};
        str_split(arena, asked[i].needed, ' ', &needed);
        prefilter_rank(
            arena, schema,
            arena_format(arena, "%s Show label, state and total.", asked[i].question),
            NULL, CANDIDATES, &ranked);
        before += share(arena, schema, &ranked, &needed);
        bool was_there[8] = {0};
        for (size_t k = 0; k < needed.count; k++) {
            was_there[k] = shows(&ranked, needed.items[k]);
        }
        prefilter_cut(&ranked);
        after += share(arena, schema, &ranked, &needed);
        shown += ranked.count;
        for (size_t k = 0; k < needed.count; k++) {
            if (!shows(&ranked, needed.items[k])) {
                fail_msg("%s: %s is not shown%s", asked[i].question, needed.items[k],
                         was_there[k] ? " any more" : ", nor was it before");
            }
        }
    }
    print_message("needed share of the schema text: %.0f %% before, %.0f %% after; "
                  "%.1f tables shown\n",
                  before / COUNT * 100, after / COUNT * 100, (double)shown / COUNT);
    assert_true(after / COUNT > 0.6);
    schema_unref(schema);
    arena_free(arena);
}

/* Nothing was found: then what is best connected is all there is to go by. */
static void test_nothing_matched(void **state)
{
    (void)state;
    struct arena *arena = arena_new();
    struct schema *schema = eighty(arena);
    struct ranked_tables ranked;
    prefilter_rank(arena, schema, "xyzzy", NULL, CANDIDATES, &ranked);
    size_t count = ranked.count;
    prefilter_cut(&ranked);
    assert_int_equal(ranked.count, count);
    schema_unref(schema);
    arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_eighty_tables),
        cmocka_unit_test(test_nothing_matched),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
