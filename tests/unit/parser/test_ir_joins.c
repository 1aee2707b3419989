/* The joins that a query needs but does not say: by what ties rows, not by what is
 * common. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/vec.h"
#include "model/schema.h"
#include "parser/ir/ir_schema.h"
#include "parser/to_sql/rebuild.h"

static void add(struct schema *schema, const char *table, const char *column, bool text)
{
    struct table *here = schema_table(schema, table);
    if (!here) {
        here = schema_add_table(schema, table);
    }
    struct column *made =
        table_add_column(schema, here, column, text ? "TEXT" : "INTEGER");
    made->primary = here->columns.count == 1;
}

static void refer(struct schema *schema, const char *table, const char *column,
                  const char *other)
{
    struct table *here = schema_table(schema, table);
    struct foreign_key *made = VEC_ADD(schema->arena, &here->foreign_keys);
    made->table = other;
    made->confidence = 1;
    VEC_PUSH(schema->arena, &made->columns, column);
    VEC_PUSH(schema->arena, &made->references, column);
}

/* Students and courses both belong to a department; who takes what is in enrolments. */
static struct schema *make_college(bool keys)
{
    struct schema *schema = schema_new();
    add(schema, "departments", "dept_code", true);
    add(schema, "students", "student_id", false);
    add(schema, "students", "surname", true);
    add(schema, "students", "dept_code", true);
    add(schema, "courses", "course_id", false);
    add(schema, "courses", "title", true);
    add(schema, "courses", "dept_code", true);
    add(schema, "sections", "section_id", false);
    add(schema, "sections", "course_id", false);
    add(schema, "enrolments", "enrolment_id", false);
    add(schema, "enrolments", "student_id", false);
    add(schema, "enrolments", "section_id", false);
    if (keys) {
        refer(schema, "students", "dept_code", "departments");
        refer(schema, "courses", "dept_code", "departments");
    }
    refer(schema, "sections", "course_id", "courses");
    refer(schema, "enrolments", "student_id", "students");
    refer(schema, "enrolments", "section_id", "sections");
    schema_normalize(schema);
    return schema;
}

static void what_is_common_ties_nothing(void **state)
{
    (void)state;
    for (int keys = 0; keys < 2; keys++) {
        struct schema *schema = make_college(keys);
        struct arena *arena = arena_new();
        const struct ir_schema *flat = ir_schema_new(arena, schema);
        int students = ir_schema_table(flat, "students");
        int courses = ir_schema_table(flat, "courses");
        struct ir_token items[] = {
            ir_word(IR_SELECT),
            {IR_COLUMN, ir_schema_column(flat, students, "surname")},
            {IR_COLUMN, ir_schema_column(flat, courses, "title")},
            ir_word(IR_FROM),
            {IR_TABLE, courses},
            {IR_TABLE, students},
        };
        struct ir_tokens tokens = {items, sizeof items / sizeof *items, 0};
        struct rebuild_request request = {
            .schema = flat, .dialect = DIALECT_SQLITE, .today = "2024-05-15"};
        struct rebuild_result result;
        struct err err;
        assert_true(rebuild_sql(arena, &request, &tokens, &result, &err));
        assert_string_equal(
            result.sql,
            "SELECT students.surname, courses.title FROM courses JOIN sections ON "
            "courses.course_id = sections.course_id JOIN enrolments ON "
            "sections.section_id = enrolments.section_id JOIN students ON "
            "enrolments.student_id = students.student_id");
        arena_free(arena);
        schema_unref(schema);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_common_ties_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
