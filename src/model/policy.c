/*
 * A policy asked: tables, columns, rows and bounds; always of all policies in the chain.
 */
#include "model/policy.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/hash.h"
#include "base/str.h"
#include "model/schema.h"

enum { PATH_MOST = 1024 };

static const char *const mask_names[POLICY_MASK_COUNT] = {
    [POLICY_MASK_NONE] = "none",   [POLICY_MASK_YEAR] = "year",
    [POLICY_MASK_LAST4] = "last4", [POLICY_MASK_INITIAL] = "initial",
    [POLICY_MASK_HASH] = "hash",   [POLICY_MASK_REDACT] = "redact",
    [POLICY_MASK_NULL] = "null",   [POLICY_MASK_DENIED] = "denied"};

bool policy_mask_find(const char *name, enum policy_mask *mask)
{
    for (size_t i = POLICY_MASK_YEAR; i < POLICY_MASK_DENIED; i++) {
        if (str_equal_nocase(name, mask_names[i])) {
            *mask = (enum policy_mask)i;
            return true;
        }
    }
    return false;
}

static bool holds(const struct texts *texts, const char *name)
{
    for (size_t i = 0; texts && i < texts->count; i++) {
        if (str_equal(texts->items[i], name)) {
            return true;
        }
    }
    return false;
}

const struct policy *policy_for(const struct policy *policy, const char *account,
                                const struct texts *roles)
{
    if (!policy) {
        return NULL;
    }
    bool known = !str_empty(account);
    const struct policy *others = policy->nobody && known ? policy->nobody : policy;
    for (size_t i = 0; i < policy->accounts.count; i++) {
        const struct policy_account *entry = &policy->accounts.items[i];
        if (known && str_equal(entry->name, account)) {
            return entry->policy;
        }
        if (str_equal(entry->name, "*")) {
            others = entry->policy;
        }
    }
    for (size_t i = 0; i < policy->roles.count; i++) {
        if (holds(roles, policy->roles.items[i].name)) {
            return policy->roles.items[i].policy;
        }
    }
    return others;
}

/* '*' stands for any characters; the rest in any case. */
static bool glob(const char *pattern, const char *text)
{
    const char *star = NULL;
    const char *resume = NULL;
    while (*text) {
        if (*pattern == '*') {
            star = pattern++;
            resume = text;
        } else if (strncasecmp(pattern, text, 1) == 0) {
            pattern++;
            text++;
        } else if (star) {
            pattern = star + 1;
            text = ++resume;
        } else {
            return false;
        }
    }
    while (*pattern == '*') {
        pattern++;
    }
    return !*pattern;
}

/* A table of the default namespace may be written with it. */
static bool in_default(const char *entry, const struct table *table)
{
    static const char *const defaults[] = {"main.", "public.", "default.", "dbo."};
    for (size_t i = 0; i < sizeof defaults / sizeof *defaults; i++) {
        if (str_starts_nocase(entry, defaults[i]) && str_empty(table->namespace)) {
            return glob(entry + strlen(defaults[i]), table->name);
        }
    }
    return false;
}

bool policy_names_table(const char *entry, const struct table *table)
{
    return glob(entry, table->name) || in_default(entry, table);
}

/* What is held back is held back in every namespace; what is allowed must be exact. */
static bool holds_back(const char *entry, const struct table *table)
{
    return policy_names_table(entry, table) ||
           (table->bare_name && glob(entry, table->bare_name));
}

static bool allowed(const struct policy *policy, const struct table *table, bool alone)
{
    for (size_t i = 0; i < policy->allow.count; i++) {
        const char *entry = policy->allow.items[i];
        if (policy_names_table(entry, table) && !(alone && strchr(entry, '*'))) {
            return true;
        }
    }
    return false;
}

/* "address" holds back "address.city" too, and "address.city" the whole of "address":
 * what holds a hidden field cannot be shown. */
static bool names_column(const char *entry, const char *column)
{
    size_t size = strlen(entry);
    size_t length = strlen(column);
    return glob(entry, column) ||
           (strncasecmp(entry, column, size) == 0 && column[size] == '.') ||
           (strncasecmp(entry, column, length) == 0 && entry[length] == '.');
}

/* "items" of "orders": the column that an array of documents is. */
static bool names_array(const char *entry, const struct table *table)
{
    char path[PATH_MOST] = "";
    size_t size = 0;
    for (size_t i = 0; i < table->path.count; i++) {
        int more = snprintf(path + size, sizeof path - size, "%s%s", i ? "." : "",
                            table->path.items[i]);
        if (more < 0 || (size += (size_t)more) >= sizeof path) {
            return true; /* too long to be told apart */
        }
    }
    return names_column(entry, path);
}

static bool has_filter(const struct policy *policy, const struct table *table)
{
    for (size_t i = 0; i < policy->filters.count; i++) {
        if (holds_back(policy->filters.items[i].table, table)) {
            return true;
        }
    }
    return false;
}

/* Rows that stand in the documents of another table are held back with these: a condition
 * on the documents would say nothing of them, unless they have one of their own. */
static bool holder_is_open(const struct policy *policy, const struct table *table)
{
    const struct table holder = {
        .name = table->parent, .bare_name = table->parent, .namespace = ""};
    for (size_t i = 0; i < policy->deny.count; i++) {
        if (holds_back(policy->deny.items[i], &holder)) {
            return false;
        }
    }
    for (size_t i = 0; i < policy->columns.count; i++) {
        if (holds_back(policy->columns.items[i].table, &holder) &&
            names_array(policy->columns.items[i].column, table)) {
            return false;
        }
    }
    return !has_filter(policy, &holder) || has_filter(policy, table);
}

bool policy_has_table(const struct policy *policy, const struct table *table)
{
    for (; policy; policy = policy->outer) {
        if ((policy->allow_only && !allowed(policy, table, false)) ||
            (table->parent && !holder_is_open(policy, table))) {
            return false;
        }
        for (size_t i = 0; i < policy->deny.count; i++) {
            if (holds_back(policy->deny.items[i], table)) {
                return false;
            }
        }
    }
    return true;
}

/* A policy that says nothing of tables has no say in it. */
bool policy_lists_table(const struct policy *policy, const struct table *table)
{
    bool listed = false;
    for (; policy; policy = policy->outer) {
        bool touches = policy->columns.count || policy->filters.count ||
                       policy->deny.count || policy->allow_only;
        if (touches && !allowed(policy, table, true)) {
            return false;
        }
        listed = listed || touches;
    }
    return listed;
}

enum policy_mask policy_mask_of(const struct policy *policy, const struct table *table,
                                const char *column)
{
    enum policy_mask strictest = POLICY_MASK_NONE;
    for (; policy; policy = policy->outer) {
        for (size_t i = 0; i < policy->columns.count; i++) {
            const struct policy_column *entry = &policy->columns.items[i];
            if (entry->mask > strictest && names_column(entry->column, column) &&
                holds_back(entry->table, table)) {
                strictest = entry->mask;
            }
        }
    }
    return strictest;
}

void policy_filters_of(const struct policy *policy, const struct table *table,
                       struct arena *arena, struct texts *out)
{
    for (; policy; policy = policy->outer) {
        for (size_t i = 0; i < policy->filters.count; i++) {
            if (holds_back(policy->filters.items[i].table, table)) {
                VEC_PUSH(arena, out, policy->filters.items[i].predicate);
            }
        }
    }
}

bool policy_touches(const struct policy *policy, const struct table *table)
{
    for (const struct policy *at = policy; at; at = at->outer) {
        if (has_filter(at, table)) {
            return true;
        }
        for (size_t i = 0; i < at->columns.count; i++) {
            if (holds_back(at->columns.items[i].table, table)) {
                return true;
            }
        }
    }
    return false;
}

static int64_t least(const struct policy *policy, size_t offset)
{
    int64_t smallest = 0;
    for (; policy; policy = policy->outer) {
        int64_t bound;
        memcpy(&bound, (const char *)policy + offset, sizeof bound);
        smallest = bound && (!smallest || bound < smallest) ? bound : smallest;
    }
    return smallest;
}

int64_t policy_max_rows(const struct policy *policy)
{
    return least(policy, offsetof(struct policy, max_rows));
}

int64_t policy_max_bytes(const struct policy *policy)
{
    return least(policy, offsetof(struct policy, max_bytes));
}

int64_t policy_timeout_ms(const struct policy *policy)
{
    return least(policy, offsetof(struct policy, timeout_ms));
}

int64_t policy_max_cost(const struct policy *policy)
{
    return least(policy, offsetof(struct policy, max_cost));
}

bool policy_keeps_rows(const struct policy *policy)
{
    return policy && (policy->keep_rows || policy_keeps_rows(policy->outer));
}

bool policy_wants_approval(const struct policy *policy)
{
    return policy && (policy->approval || policy_wants_approval(policy->outer));
}

bool policy_shows_filters(const struct policy *policy)
{
    return !policy || (!policy->hide_filters && policy_shows_filters(policy->outer));
}

/* Does a table of the schema have what the entry names? */
static bool found(const struct schema *schema, const char *name, const char *column)
{
    bool open = strchr(name, '*') || (column && strchr(column, '*'));
    for (size_t i = 0; !open && i < schema->tables.count; i++) {
        const struct table *table = &schema->tables.items[i];
        bool named = holds_back(name, table);
        open = named && !column;
        for (size_t k = 0; named && !open && k < table->columns.count; k++) {
            open = names_column(column, table->columns.items[k].name);
        }
        open = open || (column && table->parent && glob(name, table->parent) &&
                        names_array(column, table));
    }
    return open;
}

/* One way to read each name must lead to a column. */
static bool columns_fit(const struct policy_columns *columns, const struct schema *schema,
                        const char **entry)
{
    for (size_t i = 0; i < columns->count;) {
        const char *name = columns->items[i].name;
        bool fits = false;
        for (; i < columns->count && columns->items[i].name == name; i++) {
            fits =
                fits || found(schema, columns->items[i].table, columns->items[i].column);
        }
        if (!fits) {
            *entry = name;
            return false;
        }
    }
    return true;
}

bool policy_fits(const struct policy *policy, const struct schema *schema,
                 const char **entry)
{
    for (; policy; policy = policy->outer) {
        for (size_t i = 0; i < policy->deny.count; i++) {
            *entry = policy->deny.items[i];
            if (!found(schema, *entry, NULL)) {
                return false;
            }
        }
        if (!columns_fit(&policy->columns, schema, entry)) {
            return false;
        }
        for (size_t i = 0; i < policy->filters.count; i++) {
            *entry = policy->filters.items[i].table;
            if (!found(schema, *entry, NULL)) {
                return false;
            }
        }
    }
    return true;
}

static void hash_number(struct hash *hash, int64_t number)
{
    hash_add(hash, &number, sizeof number);
}

static void hash_texts(struct hash *hash, const struct texts *texts)
{
    hash_number(hash, (int64_t)texts->count);
    for (size_t i = 0; i < texts->count; i++) {
        hash_text(hash, texts->items[i]);
    }
}

void policy_hash(const struct policy *policy, struct hash *hash)
{
    for (; policy; policy = policy->outer) {
        hash_number(hash, policy->allow_only);
        hash_texts(hash, &policy->allow);
        hash_texts(hash, &policy->deny);
        hash_number(hash, (int64_t)policy->columns.count);
        for (size_t i = 0; i < policy->columns.count; i++) {
            hash_text(hash, policy->columns.items[i].table);
            hash_text(hash, policy->columns.items[i].column);
            hash_number(hash, policy->columns.items[i].mask);
        }
        hash_number(hash, (int64_t)policy->filters.count);
        for (size_t i = 0; i < policy->filters.count; i++) {
            hash_text(hash, policy->filters.items[i].table);
            hash_text(hash, policy->filters.items[i].predicate);
        }
    }
}
