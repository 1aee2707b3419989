/* The smallest program that embeds dragoman: opens a database and asks it one question.
 */
#include <dragoman.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    struct dgm_error error = {0};
    if (argc != 3) {
        fprintf(stderr, "usage: embed DATABASE QUESTION\n");
        return 2;
    }
    struct dgm_config *config = dgm_config_new();
    struct dgm *dgm = NULL;
    struct dgm_question *question = NULL;
    int status = 1;

    /* Keys and addresses of the model come from the environment, as for the program. */
    if (!dgm_config_environment(config, &error) ||
        !dgm_config_add_datasource(config, NULL, argv[1], &error) ||
        !(dgm = dgm_open(config, &error))) {
        goto out;
    }
    struct dgm_request request = {.question = argv[2]};
    question = dgm_ask(dgm, &request, &error);
    if (!question) {
        goto out;
    }
    const struct dgm_answer *answer = dgm_question_wait(question, -1);
    status = dgm_answer_exit_status(answer);
    if (dgm_answer_error(answer, &error)) {
        goto out;
    }
    const char *sql = dgm_answer_text(answer, "sql");
    if (sql) { /* not every answer has some: "what tables are there?" */
        printf("%s\n", sql);
    }
    if (dgm_answer_clarification(answer)) { /* it asks back: dgm_resume() goes on */
        printf("%s\n", dgm_answer_clarification(answer));
    }
    for (size_t row = 0; row < dgm_answer_rows(answer); row++) {
        for (size_t column = 0; column < dgm_answer_columns(answer); column++) {
            const char *cell = dgm_answer_cell(answer, row, column, NULL);
            printf("%s%s", column ? "\t" : "", cell ? cell : "NULL");
        }
        printf("\n");
    }

out:
    if (error.code[0]) {
        fprintf(stderr, "%s\n%s\n", error.message, error.hint);
    }
    dgm_question_free(question);
    dgm_close(dgm);
    dgm_config_free(config);
    return status;
}
