/*
 * How often a question reads SQL from its text: the SQL that a model or a person wrote once,
 * and the print that runs once before it is compiled and once before it runs. Whatever else
 * needs to know something of the statement asks its tree.
 */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/str.h"
#include "sql/lexer.h"
#include "unit/service/instance_of_one.h"

enum { READS_MOST = 32, TEXT_MOST = 256 };

/* Every text that was read, whoever did: lexer_run() is wrapped by the linker. */
static struct {
    pthread_mutex_t lock;
    char texts[READS_MOST][TEXT_MOST];
    size_t count;
} reads = {.lock = PTHREAD_MUTEX_INITIALIZER};

void __real_lexer_run(struct arena *arena, enum dialect dialect, const char *sql,
                      size_t size, struct tokens *out);
void __wrap_lexer_run(struct arena *arena, enum dialect dialect, const char *sql,
                      size_t size, struct tokens *out);

void __wrap_lexer_run(struct arena *arena, enum dialect dialect, const char *sql,
                      size_t size, struct tokens *out)
{
    (void)pthread_mutex_lock(&reads.lock);
    if (reads.count < READS_MOST) {
        (void)snprintf(reads.texts[reads.count], TEXT_MOST, "%.*s", (int)size, sql);
    }
    reads.count++;
    (void)pthread_mutex_unlock(&reads.lock);
    __real_lexer_run(arena, dialect, sql, size, out);
}

static size_t count_of(const char *text)
{
    size_t count = 0;
    assert_true(reads.count <= READS_MOST);
    for (size_t i = 0; i < reads.count; i++) {
        count += str_equal(reads.texts[i], text);
    }
    return count;
}

/* How often the statement was read, as it was written or printed. Queries of dragoman's own,
 * which look for values, have no such alias. */
static size_t count_all(void)
{
    size_t count = 0;
    for (size_t i = 0; i < reads.count; i++) {
        count += strstr(reads.texts[i], "u.status") != NULL;
    }
    return count;
}

static void finish(struct dgm_question *question, size_t rows)
{
    assert_non_null(question);
    const struct dgm_answer *answer = dgm_question_wait(question, 600000);
    assert_non_null(answer);
    assert_string_equal(dgm_answer_text(answer, "status"), "finished");
    assert_int_equal(dgm_answer_rows(answer), rows);
    dgm_question_free(question);
}

static const char SQL[] = "select u.name, count(*) n from users u where u.status = "
                          "'active' group by u.name order by n";

static void a_reply_of_a_model(void **unused)
{
    (void)unused;
    struct instance_of_one instance;
    struct dgm_error error;
    char script[512];
    (void)snprintf(script, sizeof script, ">>> *\nrepeat\n{\"sql\": \"%s\"}\n<<<\n", SQL);
    assert_true(instance_of_one_open(&instance, script, NULL));
    struct dgm_request request = {.question = "How many active users have each name?"};
    finish(dgm_ask(instance.dgm, &request, &error), 2); /* reads the schema, too */
    reads.count = 0;
    request.fresh = true;
    finish(dgm_ask(instance.dgm, &request, &error), 2);
    assert_int_equal(count_of(SQL), 1);
    assert_in_range(count_all(), 2, 3);
    instance_of_one_close(&instance);
}

static void sql_of_a_person(void **unused)
{
    (void)unused;
    struct instance_of_one instance;
    struct dgm_error error;
    assert_true(instance_of_one_open(&instance, "", NULL));
    struct dgm_request request = {0};
    finish(dgm_run_sql(instance.dgm, SQL, &request, &error), 2);
    reads.count = 0;
    finish(dgm_run_sql(instance.dgm, SQL, &request, &error), 2);
    assert_int_equal(count_of(SQL), 1);
    assert_in_range(count_all(), 2, 3);
    instance_of_one_close(&instance);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_reply_of_a_model),
        cmocka_unit_test(sql_of_a_person),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
