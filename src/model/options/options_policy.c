/* A policy out of the configuration file, and its copy into another arena. What is not
 * understood is an error: a policy that is read in part would leave something open. */
#include "model/options/options_policy.h"

#include <string.h>

#include "base/err.h"
#include "base/str.h"
#include "base/yaml.h"

enum { ENTRIES_MOST = 10000, TEXT_MOST = 4096 };

struct policy_reading {
    struct arena *arena;
    const struct yaml **at;
    struct err *err;
    size_t entries;
};

static bool options_policy_fail(struct policy_reading *reading, const struct yaml *node,
                                const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static bool options_policy_fail(struct policy_reading *reading, const struct yaml *node,
                                const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const char *message = arena_vformat(reading->arena, format, args);
    va_end(args);
    *reading->at = node;
    return err_set(reading->err, ERR_CONFIG, "%s", message);
}

static bool read_text(struct policy_reading *reading, const struct yaml *node,
                      const char **out)
{
    if (node->kind != YAML_SCALAR || str_empty(node->text)) {
        return options_policy_fail(reading, node, "Expected a name or a text.");
    }
    if (strlen(node->text) > TEXT_MOST || ++reading->entries > ENTRIES_MOST) {
        return options_policy_fail(reading, node, "The policy is too long.");
    }
    *out = arena_text(reading->arena, node->text);
    return true;
}

static bool read_names(struct policy_reading *reading, const struct yaml *node,
                       struct texts *out)
{
    const char *name = NULL;
    if (node->kind == YAML_SCALAR) {
        bool ok = read_text(reading, node, &name);
        if (ok) {
            VEC_PUSH(reading->arena, out, name);
        }
        return ok;
    }
    if (node->kind != YAML_LIST) {
        return options_policy_fail(reading, node, "'%s' must be a list of names.",
                                   node->key);
    }
    for (const struct yaml *item = node->first; item; item = item->next) {
        if (!read_text(reading, item, &name)) {
            return false;
        }
        VEC_PUSH(reading->arena, out, name);
    }
    return true;
}

/* "table.column", read in every way that its dots allow. */
static bool add_column(struct policy_reading *reading, const struct yaml *node,
                       const char *name, enum policy_mask mask, struct policy *policy)
{
    name = arena_text(reading->arena, name);
    const char *dot = strchr(name, '.');
    if (!dot || dot == name || !name[strlen(name) - 1] || name[strlen(name) - 1] == '.') {
        return options_policy_fail(reading, node, "'%s' must be written as table.column.",
                                   name);
    }
    for (; dot; dot = strchr(dot + 1, '.')) {
        VEC_PUSH(reading->arena, &policy->columns,
                 ((struct policy_column){
                     .name = name,
                     .table = arena_copy(reading->arena, name, (size_t)(dot - name)),
                     .column = dot + 1,
                     .mask = mask}));
    }
    return true;
}

/* {customers.email: hash} */
static bool read_mask_map(struct policy_reading *reading, const struct yaml *map,
                          struct policy *policy)
{
    for (const struct yaml *item = map->first; item; item = item->next) {
        const char *word = NULL;
        enum policy_mask mask = POLICY_MASK_NONE;
        if (!read_text(reading, item, &word)) {
            return false;
        }
        if (!policy_mask_find(word, &mask)) {
            return options_policy_fail(
                reading, item,
                "'%s' is no mask. There are null, redact, hash, initial, last4 "
                "and year.",
                word);
        }
        if (!add_column(reading, item, item->key, mask, policy)) {
            return false;
        }
    }
    return true;
}

static bool read_masks(struct policy_reading *reading, const struct yaml *node,
                       struct policy *policy)
{
    if (node->kind == YAML_MAP) {
        return read_mask_map(reading, node, policy);
    }
    for (const struct yaml *item = node->first; item; item = item->next) {
        if (item->kind != YAML_MAP) {
            return options_policy_fail(reading, item,
                                       "A mask is written as table.column: kind.");
        }
        if (!read_mask_map(reading, item, policy)) {
            return false;
        }
    }
    return node->kind == YAML_LIST ||
           options_policy_fail(reading, node,
                               "'mask' must be a map of table.column: kind.");
}

static bool read_columns(struct policy_reading *reading, const struct yaml *map,
                         struct policy *policy)
{
    if (map->kind != YAML_MAP) {
        return options_policy_fail(reading, map,
                                   "'columns' must be a map with deny and mask.");
    }
    for (const struct yaml *node = map->first; node; node = node->next) {
        struct texts names = {0};
        if (str_equal(node->key, "mask")) {
            if (!read_masks(reading, node, policy)) {
                return false;
            }
        } else if (!str_equal(node->key, "deny")) {
            return options_policy_fail(reading, node,
                                       "Unknown key '%s'. 'columns' has deny and mask.",
                                       node->key);
        } else if (!read_names(reading, node, &names)) {
            return false;
        }
        for (size_t i = 0; i < names.count; i++) {
            if (!add_column(reading, node, names.items[i], POLICY_MASK_DENIED, policy)) {
                return false;
            }
        }
    }
    return true;
}

static bool read_tables(struct policy_reading *reading, const struct yaml *map,
                        struct policy *policy)
{
    if (map->kind != YAML_MAP) {
        return options_policy_fail(reading, map,
                                   "'tables' must be a map with allow and deny.");
    }
    for (const struct yaml *node = map->first; node; node = node->next) {
        bool allow = str_equal(node->key, "allow");
        if (!allow && !str_equal(node->key, "deny")) {
            return options_policy_fail(reading, node,
                                       "Unknown key '%s'. 'tables' has allow and deny.",
                                       node->key);
        }
        policy->allow_only = policy->allow_only || allow;
        if (!read_names(reading, node, allow ? &policy->allow : &policy->deny)) {
            return false;
        }
    }
    return true;
}

static bool read_rows(struct policy_reading *reading, const struct yaml *map,
                      struct policy *policy)
{
    if (map->kind != YAML_MAP) {
        return options_policy_fail(reading, map,
                                   "'rows' must be a map of table: condition.");
    }
    for (const struct yaml *node = map->first; node; node = node->next) {
        struct policy_filter filter = {.table = arena_text(reading->arena, node->key)};
        if (!read_text(reading, node, &filter.predicate)) {
            return false;
        }
        VEC_PUSH(reading->arena, &policy->filters, filter);
    }
    return true;
}

static bool read_bound(struct policy_reading *reading, const struct yaml *node,
                       int64_t *out)
{
    return (node->kind == YAML_SCALAR && str_to_int(node->text, out) && *out > 0 &&
            *out < INT64_C(1) << 50) ||
           options_policy_fail(reading, node, "'%s' must be a whole number above 0.",
                               node->key);
}

static bool read_flag(struct policy_reading *reading, const struct yaml *node, bool *out)
{
    return (node->kind == YAML_SCALAR && str_to_bool(node->text, out)) ||
           options_policy_fail(reading, node, "'%s' must be true or false.", node->key);
}

static bool read_accounts(struct policy_reading *reading, const struct yaml *map,
                          struct policy *policy);
static bool read_roles(struct policy_reading *reading, const struct yaml *map,
                       struct policy *policy);

static bool read_bounds(struct policy_reading *reading, const struct yaml *node,
                        struct policy *policy, bool *known)
{
    const struct {
        const char *key;
        int64_t *bound;
    } bounds[] = {{"max_rows", &policy->max_rows},
                  {"max_bytes", &policy->max_bytes},
                  {"timeout_s", &policy->timeout_ms},
                  {"max_cost", &policy->max_cost}};
    for (size_t i = 0; i < sizeof bounds / sizeof *bounds; i++) {
        if (str_equal(node->key, bounds[i].key)) {
            *known = true;
            return read_bound(reading, node, bounds[i].bound);
        }
    }
    return true;
}

static bool read_flags(struct policy_reading *reading, const struct yaml *node,
                       struct policy *policy, bool *known)
{
    const struct {
        const char *key;
        bool *flag;
        bool narrows; /* the word that narrows; the other leaves things as they are */
    } flags[] = {{"send_rows", &policy->keep_rows, false},
                 {"approval", &policy->approval, true},
                 {"show_filters", &policy->hide_filters, false}};
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++) {
        bool value = false;
        if (str_equal(node->key, flags[i].key)) {
            *known = true;
            if (!read_flag(reading, node, &value)) {
                return false;
            }
            *flags[i].flag = value == flags[i].narrows;
        }
    }
    return true;
}

static bool read_key(struct policy_reading *reading, const struct yaml *node,
                     struct policy *policy)
{
    static const struct {
        const char *key;
        bool (*read)(struct policy_reading *, const struct yaml *, struct policy *);
    } parts[] = {{"tables", read_tables},
                 {"columns", read_columns},
                 {"rows", read_rows},
                 {"accounts", read_accounts},
                 {"roles", read_roles}};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        if (str_equal(node->key, parts[i].key)) {
            return parts[i].read(reading, node, policy);
        }
    }
    bool known = false;
    if (!read_bounds(reading, node, policy, &known) ||
        !read_flags(reading, node, policy, &known)) {
        return false;
    }
    return known ||
           options_policy_fail(
               reading, node,
               "Unknown key '%s'. A policy has tables, columns, rows, max_rows, "
               "max_bytes, timeout_s, max_cost, send_rows, approval, show_filters, "
               "accounts and roles.",
               node->key);
}

static bool read_policy(struct policy_reading *reading, const struct yaml *map,
                        struct policy *policy)
{
    if (map->kind != YAML_MAP) {
        return options_policy_fail(reading, map, "A policy must be a map.");
    }
    policy->hide_filters = !policy->outer; /* unless it says otherwise */
    for (const struct yaml *node = map->first; node; node = node->next) {
        if (!read_key(reading, node, policy)) {
            return false;
        }
    }
    policy->timeout_ms *= 1000;
    return true;
}

/* The policies of accounts or roles, inside a datasource's. */
static bool read_inner(struct policy_reading *reading, const struct yaml *map,
                       struct policy *policy, struct policy_accounts *out)
{
    if (map->kind != YAML_MAP || policy->outer) {
        return options_policy_fail(reading, map,
                                   policy->outer
                                       ? "The policy of an account or a role has no "
                                         "accounts and no roles of its own."
                                       : "'%s' must be a map of name: policy.",
                                   map->key);
    }
    for (const struct yaml *node = map->first; node; node = node->next) {
        struct policy *own = ARENA_NEW(reading->arena, struct policy);
        own->outer = policy;
        if (++reading->entries > ENTRIES_MOST) {
            return options_policy_fail(reading, node, "The policy is too long.");
        }
        if (!read_policy(reading, node, own)) {
            return false;
        }
        VEC_PUSH(reading->arena, out,
                 ((struct policy_account){.name = arena_text(reading->arena, node->key),
                                          .policy = own}));
    }
    return true;
}

static bool read_accounts(struct policy_reading *reading, const struct yaml *map,
                          struct policy *policy)
{
    return read_inner(reading, map, policy, &policy->accounts);
}

static struct policy *nobody_new(struct arena *arena, const struct policy *outer)
{
    struct policy *nobody = ARENA_NEW(arena, struct policy);
    nobody->outer = outer;
    nobody->allow_only = true;
    return nobody;
}

static bool read_roles(struct policy_reading *reading, const struct yaml *map,
                       struct policy *policy)
{
    policy->nobody = nobody_new(reading->arena, policy);
    return read_inner(reading, map, policy, &policy->roles);
}

struct policy *policy_read(struct arena *arena, const struct yaml *yaml,
                           const struct yaml **at, struct err *err)
{
    struct policy_reading reading = {.arena = arena, .at = at, .err = err};
    struct policy *policy = ARENA_NEW(arena, struct policy);
    return read_policy(&reading, yaml, policy) ? policy : NULL;
}

static void clone_texts(struct arena *arena, const struct texts *from, struct texts *to)
{
    *to = (struct texts){0};
    for (size_t i = 0; i < from->count; i++) {
        VEC_PUSH(arena, to, arena_text(arena, from->items[i]));
    }
}

static void clone_entries(struct arena *arena, const struct policy *from,
                          struct policy *to)
{
    const char *name = NULL;
    for (size_t i = 0; i < from->columns.count; i++) {
        struct policy_column column = from->columns.items[i];
        bool same = i > 0 && column.name == from->columns.items[i - 1].name;
        name = same ? name : arena_text(arena, column.name);
        column.name = name;
        column.table = arena_text(arena, column.table);
        column.column = arena_text(arena, column.column);
        VEC_PUSH(arena, &to->columns, column);
    }
    for (size_t i = 0; i < from->filters.count; i++) {
        VEC_PUSH(arena, &to->filters,
                 ((struct policy_filter){
                     arena_text(arena, from->filters.items[i].table),
                     arena_text(arena, from->filters.items[i].predicate)}));
    }
}

static void clone_inner(struct arena *arena, const struct policy_accounts *from,
                        const struct policy *outer, struct policy_accounts *to)
{
    *to = (struct policy_accounts){0};
    for (size_t i = 0; i < from->count; i++) {
        struct policy *own = policy_clone(arena, from->items[i].policy);
        own->outer = outer;
        VEC_PUSH(arena, to,
                 ((struct policy_account){arena_text(arena, from->items[i].name), own}));
    }
}

struct policy *policy_clone(struct arena *arena, const struct policy *policy)
{
    if (!policy) {
        return NULL;
    }
    struct policy *copy = ARENA_NEW(arena, struct policy);
    *copy = *policy;
    copy->columns = (struct policy_columns){0};
    copy->filters = (struct policy_filters){0};
    copy->nobody = policy->nobody ? nobody_new(arena, copy) : NULL;
    clone_inner(arena, &policy->accounts, copy, &copy->accounts);
    clone_inner(arena, &policy->roles, copy, &copy->roles);
    clone_texts(arena, &policy->allow, &copy->allow);
    clone_texts(arena, &policy->deny, &copy->deny);
    clone_entries(arena, policy, copy);
    return copy;
}
