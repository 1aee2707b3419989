/* The report: accuracy by difficulty and by confidence, times. */
#include <math.h>
#include <stdlib.h>
#include <sys/resource.h>

#include "base/writer.h"
#include "lab/eval/eval_state.h"

static int by_size(const void *a, const void *b)
{
    double x = fabs(*(const double *)a);
    double y = fabs(*(const double *)b);
    return (x < y) - (x > y);
}

static double share(size_t part, size_t whole)
{
    return whole ? 100.0 * (double)part / (double)whole : 0.0;
}

/* Accuracy of the most confident part. */
static void write_coverage(struct eval *eval, struct writer *writer)
{
    qsort(eval->sure, eval->done, sizeof *eval->sure, by_size);
    writer_key(writer, "coverage");
    writer_array(writer);
    for (int percent = 10; percent <= 100; percent += 10) {
        size_t count = eval->done * (size_t)percent / 100;
        size_t right = 0;
        for (size_t i = 0; i < count; i++) {
            right += eval->sure[i] > 0 ? 1 : 0;
        }
        writer_object(writer);
        writer_key_int(writer, "most_confident_percent", percent);
        writer_key_real(writer, "right_percent", share(right, count));
        writer_key_real(writer, "least_probability",
                        count ? fabs(eval->sure[count - 1]) : 0.0);
        writer_object_end(writer);
    }
    writer_array_end(writer);
}

/* The most memory this process ever had. */
static double peak_mb(void)
{
    struct rusage usage = {0};
    (void)getrusage(RUSAGE_SELF, &usage);
    return (double)usage.ru_maxrss / 1024.0;
}

char *eval_figures(struct eval *eval)
{
    static const char *const levels[EVAL_LEVELS] = {"easy", "medium", "hard", "extra"};
    struct buf buf;
    struct writer writer;
    buf_init(&buf, 1 << 20);
    writer_init(&writer, &buf);
    writer.pretty = true;
    writer_object(&writer);
    size_t right = 0;
    for (int i = 0; i < EVAL_LEVELS; i++) {
        right += eval->right[i];
    }
    writer_key_text(&writer, "brain", eval->request->brain);
    writer_key_int(&writer, "questions", (int64_t)eval->done);
    writer_key_int(&writer, "right", (int64_t)right);
    writer_key_real(&writer, "right_percent", share(right, eval->done));
    writer_key_int(&writer, "without_reading", (int64_t)eval->silent);
    if (eval->missing) {
        writer_key_int(&writer, "without_database", (int64_t)eval->missing);
    }
    writer_key(&writer, "levels");
    writer_object(&writer);
    for (int i = 0; i < EVAL_LEVELS; i++) {
        writer_key(&writer, levels[i]);
        writer_object(&writer);
        writer_key_int(&writer, "questions", (int64_t)eval->total[i]);
        writer_key_real(&writer, "right_percent", share(eval->right[i], eval->total[i]));
        writer_object_end(&writer);
    }
    writer_object_end(&writer);
    qsort(eval->ms, eval->done, sizeof *eval->ms, by_size);
    if (eval->done) {
        writer_key_real(&writer, "p50_ms", eval->ms[eval->done / 2]);
        writer_key_real(&writer, "p99_ms", eval->ms[eval->done / 100]);
    }
    writer_key_real(&writer, "peak_mb", peak_mb());
    if (eval->dgm) {
        writer_key_int(&writer, "answered_by_parser", (int64_t)eval->by_parser);
        writer_key_int(&writer, "llm_calls", eval->calls);
        writer_key_int(&writer, "tokens", eval->tokens);
        writer_key_int(&writer, "failed", (int64_t)eval->failed);
        writer_key_text(&writer, "first_error",
                        eval->failed ? eval->first_error.message : NULL);
    }
    if (eval->dgm) {
        writer_key(&writer, "words");
        writer_object(&writer);
        writer_key_int(&writer, "without_place", (int64_t)eval->odd);
        writer_key_real(&writer, "told_percent", share(eval->odd_told, eval->odd));
        writer_key_int(&writer, "told_as_assumption", (int64_t)eval->odd_assumed);
        writer_key_int(&writer, "plain", (int64_t)eval->plain);
        writer_key_real(&writer, "doubted_percent", share(eval->doubted, eval->plain));
        writer_key_int(&writer, "assumed", (int64_t)eval->assumed);
        writer_object_end(&writer);
    }
    write_coverage(eval, &writer);
    eval_calibration_write(eval, &writer);
    if (eval->request->rows) {
        eval_rows_write(eval, &writer);
    }
    writer_object_end(&writer);
    (void)buf_char(&buf, '\n');
    return buf_take(&buf);
}
