/* Resolves wrong names against the schema, and writes the SQL with the right ones. */
#include "sql/bind.h"

#include <string.h>

#include "base/buf.h"
#include "base/str.h"
#include "model/schema.h"
#include "sql/statement.h"

enum {
    MOST_ROUNDS = 4, /* a table put right shows which of its columns are wrong */
    MOST_NEAR = 3,
    MOST_HOLDERS = 3,
    MOST_NAMES = 50,
    SQL_MOST = 1 << 20,
};

/* A place of the SQL, and what it becomes. */
struct edit {
    size_t start;
    size_t end;
    const char *text; /* as SQL */
};

struct edits {
    struct edit *items;
    size_t count;
    size_t capacity;
};

/* What a column may be: one of a relation in reach. */
struct candidate {
    const char *name;
    const struct guard_relation *relation; /* NULL: a table itself */
    enum bind_nearness nearness;
    size_t distance;
};

struct candidates {
    struct candidate *items;
    size_t count;
    size_t capacity;
};

struct binding {
    struct arena *arena;
    const struct schema *schema;
    struct sql_statement statement; /* of this round */
    struct edits edits;
    bool unsure;
};

static const char *quoted(struct binding *binding, const char *name, bool qualified)
{
    struct buf buf;
    buf_init(&buf, SQL_MOST);
    dialect_quote(&buf, binding->statement.dialect, name, qualified);
    const char *text = buf_clone(&buf, binding->arena);
    buf_release(&buf);
    return text;
}

/* A column, a table or a name in USING that begins at the start of the edit. */
static bool find_end(void *context, struct sql_node *node)
{
    struct edit *edit = context;
    bool name =
        node->kind == SQL_COLUMN || node->kind == SQL_TABLE || node->kind == SQL_NAME;
    if (name && node->start == edit->start && edit->end == 0) {
        edit->end = node->kind == SQL_TABLE ? node->children[TABLE_PATH]->end : node->end;
    }
    return edit->end == 0;
}

static void add_edit(struct binding *binding, const struct guard_miss *miss,
                     const char *text)
{
    struct edit edit = {.start = miss->position, .text = text};
    sql_walk(binding->statement.root, find_end, &edit);
    if (edit.end == 0) {
        binding->unsure = true;
        return;
    }
    VEC_PUSH(binding->arena, &binding->edits, edit);
}

/* Better ones first; a bubble is enough for a few. */
static void keep(struct binding *binding, struct candidates *all, struct candidate one)
{
    if (one.nearness == BIND_FAR) {
        return;
    }
    VEC_PUSH(binding->arena, all, one);
    for (size_t i = all->count - 1; i > 0; i--) {
        struct candidate *a = &all->items[i - 1];
        struct candidate *b = &all->items[i];
        if (a->nearness > b->nearness ||
            (a->nearness == b->nearness && a->distance <= b->distance)) {
            break;
        }
        struct candidate swap = *a;
        *a = *b;
        *b = swap;
    }
}

/* Only one can be meant: nearer than every other. */
static const struct candidate *winner(const struct candidates *all)
{
    if (!all->count || all->items[0].nearness < BIND_HEAD) {
        return NULL;
    }
    const struct candidate *best = &all->items[0];
    const struct candidate *next = all->count > 1 ? best + 1 : NULL;
    bool alone = !next || next->nearness < best->nearness ||
                 (best->nearness == BIND_TYPO && next->distance > best->distance);
    return alone ? best : NULL;
}

static void note_near(struct arena *arena, struct bind_name *name,
                      const struct candidates *all)
{
    for (size_t i = 0; i < all->count && name->near.count < MOST_NEAR; i++) {
        bool known = false;
        for (size_t k = 0; k < name->near.count && !known; k++) {
            known = str_equal_nocase(name->near.items[k], all->items[i].name);
        }
        if (!known) {
            VEC_PUSH(arena, &name->near, all->items[i].name);
        }
    }
}

static bool is_called(const struct texts *synonyms, const char *name)
{
    for (size_t i = 0; i < synonyms->count; i++) {
        if (bind_nearness(name, synonyms->items[i], NULL) == BIND_SAME) {
            return true;
        }
    }
    return false;
}

/* What a dictionary calls a thing is as good as its name. */
static void rate(struct candidate *candidate, const char *wrong, const char *name,
                 const char *table, const struct texts *synonyms)
{
    bool called = is_called(synonyms, wrong);
    candidate->nearness = called ? BIND_SAME : bind_nearness(wrong, name, table);
    candidate->distance = called ? 0 : str_distance(wrong, name, 4);
}

static void bind_table(struct binding *binding, const struct guard_miss *miss,
                       struct bind_name *name)
{
    struct candidates all = {0};
    const char *dot = strrchr(miss->name, '.');
    const char *bare = dot ? dot + 1 : miss->name;
    for (size_t i = 0; i < binding->schema->tables.count; i++) {
        const struct table *table = &binding->schema->tables.items[i];
        struct candidate candidate = {.name = table->name};
        rate(&candidate, bare, table->bare_name, NULL, &table->synonyms);
        keep(binding, &all, candidate);
    }
    note_near(binding->arena, name, &all);
    const struct candidate *best = winner(&all);
    if (!best) {
        binding->unsure = true;
        return;
    }
    name->right = best->name;
    add_edit(binding, miss, quoted(binding, best->name, true));
}

/* The relations in reach that have just this column. */
static const struct guard_relation *only_owner(const struct guard_miss *miss)
{
    const struct guard_relation *owner = NULL;
    for (size_t i = 0; i < miss->relations.count; i++) {
        const struct guard_relation *relation = &miss->relations.items[i];
        if (!relation->table || !relation->alias) {
            return NULL; /* what cannot be looked into may have it, too */
        }
        if (table_column(relation->table, miss->name)) {
            if (owner) {
                return NULL;
            }
            owner = relation;
        }
    }
    return owner;
}

/* "users.name" where users is called u here. */
static const struct guard_relation *renamed(const struct guard_miss *miss)
{
    const struct guard_relation *found = NULL;
    for (size_t i = 0; i < miss->relations.count; i++) {
        const struct guard_relation *relation = &miss->relations.items[i];
        if (relation->table && relation->alias &&
            (str_equal_nocase(relation->table->bare_name, miss->qualifier) ||
             is_called(&relation->table->synonyms, miss->qualifier)) &&
            table_column(relation->table, miss->name)) {
            if (found) {
                return NULL;
            }
            found = relation;
        }
    }
    return found;
}

static void put_column(struct binding *binding, const struct guard_miss *miss,
                       struct bind_name *name, const struct guard_relation *relation,
                       const char *column)
{
    const char *text = quoted(binding, column, false);
    name->right = column;
    if (miss->qualifier) {
        name->right = arena_format(binding->arena, "%s.%s", relation->alias, column);
        text = arena_format(binding->arena, "%s.%s",
                            quoted(binding, relation->alias, false), text);
    }
    add_edit(binding, miss, text);
}

/* Columns in reach that the wrong one may be; a qualifier that is known says where. */
static void collect(struct binding *binding, const struct guard_miss *miss,
                    struct candidates *all)
{
    for (size_t i = 0; i < miss->relations.count; i++) {
        const struct guard_relation *relation = &miss->relations.items[i];
        if (!relation->table || (miss->table && relation->table != miss->table) ||
            (miss->table && !str_equal_nocase(relation->alias, miss->qualifier))) {
            continue;
        }
        for (size_t c = 0; c < relation->table->columns.count; c++) {
            const struct column *column = &relation->table->columns.items[c];
            struct candidate candidate = {.name = column->name, .relation = relation};
            rate(&candidate, miss->name, column->name, relation->table->bare_name,
                 &column->synonyms);
            keep(binding, all, candidate);
        }
    }
}

/* Tables that the query does not use and that have it: what to join, for who writes it
 * anew. */
static void note_holders(struct binding *binding, const struct guard_miss *miss,
                         struct bind_name *name)
{
    for (size_t i = 0; i < binding->schema->tables.count; i++) {
        const struct table *table = &binding->schema->tables.items[i];
        if (name->holders.count < MOST_HOLDERS && table_column(table, miss->name)) {
            VEC_PUSH(binding->arena, &name->holders, table->name);
        }
    }
}

static void bind_column(struct binding *binding, const struct guard_miss *miss,
                        struct bind_name *name)
{
    const struct guard_relation *owner = miss->qualifier ? renamed(miss) : NULL;
    owner = owner || !miss->qualifier ? owner : only_owner(miss);
    struct candidates all = {0};
    collect(binding, miss, &all);
    if (owner) {
        VEC_PUSH(binding->arena, &name->near,
                 arena_format(binding->arena, "%s.%s", owner->alias, miss->name));
        put_column(binding, miss, name, owner, miss->name);
        return;
    }
    note_near(binding->arena, name, &all);
    const struct candidate *best = winner(&all);
    if (best && best->relation->alias) {
        put_column(binding, miss, name, best->relation, best->name);
    } else {
        note_holders(binding, miss, name);
        binding->unsure = true;
    }
}

/* The SQL with all edits made, the places in order. */
static const char *edited(struct binding *binding)
{
    const char *text = binding->statement.text;
    struct buf out;
    buf_init(&out, SQL_MOST);
    size_t copied = 0;
    for (;;) {
        const struct edit *next = NULL;
        for (size_t i = 0; i < binding->edits.count; i++) {
            const struct edit *edit = &binding->edits.items[i];
            if (edit->start >= copied && edit->end > edit->start &&
                (!next || edit->start < next->start)) {
                next = edit;
            }
        }
        if (!next) {
            break;
        }
        (void)buf_add(&out, text + copied, next->start - copied);
        (void)buf_text(&out, next->text);
        copied = next->end;
    }
    (void)buf_add(&out, text + copied, binding->statement.size - copied);
    const char *sql = out.full ? NULL : buf_clone(&out, binding->arena);
    buf_release(&out);
    return sql;
}

static const char *written(struct arena *arena, const struct guard_miss *miss)
{
    return miss->qualifier ? arena_format(arena, "%s.%s", miss->qualifier, miss->name)
                           : miss->name;
}

static struct bind_name *name_of(struct arena *arena, struct bind_result *out,
                                 const struct guard_miss *miss, const char *wrong)
{
    for (size_t i = 0; i < out->names.count; i++) {
        if (str_equal(out->names.items[i].wrong, wrong)) {
            return NULL;
        }
    }
    struct bind_name *name = VEC_ADD(arena, &out->names);
    *name = (struct bind_name){
        .is_table = miss->is_table, .wrong = wrong, .position = miss->position};
    return name;
}

/* Checks the names once; true if some were wrong and all of them could be corrected. */
static bool bind_round(struct binding *binding, const struct guard_misses *misses,
                       struct bind_result *out)
{
    binding->edits = (struct edits){0};
    for (size_t i = 0; i < misses->count && i < MOST_NAMES; i++) {
        const struct guard_miss *miss = &misses->items[i];
        struct bind_name again = {0};
        struct bind_name *name =
            name_of(binding->arena, out, miss, written(binding->arena, miss));
        name = name ? name : &again; /* reported already; this place is corrected, too */
        if (miss->is_table) {
            bind_table(binding, miss, name);
        } else {
            bind_column(binding, miss, name);
        }
    }
    return misses->count && misses->count <= MOST_NAMES && !binding->unsure;
}

void bind_check(struct arena *arena, const struct sql_statement *statement,
                const struct schema *schema, struct bind_result *out)
{
    struct binding binding = {.arena = arena, .schema = schema, .statement = *statement};
    *out = (struct bind_result){0};
    for (int round = 0; round < MOST_ROUNDS; round++) {
        struct guard_result result;
        guard_check_statement(arena, &binding.statement, schema, &result);
        if (!result.misses.count) {
            bool good = round && result.verdict == GUARD_READ;
            out->sql = good ? binding.statement.text : NULL;
            return;
        }
        if (!bind_round(&binding, &result.misses, out)) {
            return;
        }
        const char *sql = edited(&binding);
        if (!sql) {
            return;
        }
        (void)sql_statement_read(arena, statement->dialect, sql, strlen(sql),
                                 &binding.statement);
    }
}

char *bind_message(struct arena *arena, const struct bind_name *name)
{
    struct buf buf;
    buf_init(&buf, 2048);
    (void)buf_format(&buf, "%s '%.80s' %s.", name->is_table ? "Table" : "Column",
                     name->wrong, name->is_table ? "does not exist" : "doesn't exist");
    for (size_t i = 0; i < name->near.count; i++) {
        bool last = i + 1 == name->near.count;
        (void)buf_format(&buf, "%s'%.80s'%s",
                         i == 0 ? " Did you mean "
                         : last ? " or "
                                : ", ",
                         name->near.items[i], last ? "?" : "");
        if (name->right) {
            (void)buf_text(&buf, last ? "" : "?");
            break;
        }
    }
    char *text = buf_clone(&buf, arena);
    buf_release(&buf);
    return text;
}
