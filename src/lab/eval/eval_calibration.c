/* Scores beside how often they were right, for first and later turns. */
#include <math.h>
#include <string.h>

#include "base/csv.h"
#include "base/writer.h"
#include "lab/eval/eval_state.h"

enum { BINS = 10, CSV_MOST = 256 * 1024 * 1024 };

struct bin {
    size_t count;
    size_t right;
    double sum; /* of the scores */
};

struct reliability {
    struct bin bins[BINS];
    struct bin all;
};

static void bin_add(struct bin *bin, const struct eval_row *row, double score)
{
    bin->count++;
    bin->right += row->right ? 1 : 0;
    bin->sum += score;
}

static void table_add(struct reliability *table, const struct eval_row *row, double score)
{
    int index = (int)(score * BINS + 1e-9);
    bin_add(&table->bins[index < 0 ? 0 : index < BINS ? index : BINS - 1], row, score);
    bin_add(&table->all, row, score);
}

static double percent(double part, size_t whole)
{
    return whole ? 100.0 * part / (double)whole : 0.0;
}

/* The expected calibration error in percentage points: how far the scores of a bin are from its
 * share of right answers, weighted by its size. */
static double error_of(const struct reliability *table)
{
    double sum = 0;
    for (int i = 0; i < BINS; i++) {
        sum += fabs(table->bins[i].sum - (double)table->bins[i].right);
    }
    return percent(sum, table->all.count);
}

static void write_bin(struct writer *writer, const struct bin *bin)
{
    writer_key_int(writer, "questions", (int64_t)bin->count);
    writer_key_real(writer, "mean_score_percent", percent(bin->sum, bin->count));
    writer_key_real(writer, "right_percent", percent((double)bin->right, bin->count));
}

static void write_table(struct writer *writer, const char *name,
                        const struct reliability *table)
{
    if (!table->all.count) {
        return;
    }
    writer_key(writer, name);
    writer_object(writer);
    write_bin(writer, &table->all);
    writer_key_real(writer, "ece_points", error_of(table));
    writer_key(writer, "reliability");
    writer_array(writer);
    for (int i = 0; i < BINS; i++) {
        if (table->bins[i].count) {
            writer_object(writer);
            writer_key_real(writer, "score_from", (double)i / BINS);
            write_bin(writer, &table->bins[i]);
            writer_object_end(writer);
        }
    }
    writer_array_end(writer);
    writer_object_end(writer);
}

void eval_calibration_write(const struct eval *eval, struct writer *writer)
{
    struct reliability scores[2] = {0}; /* of first and later turns */
    struct reliability parser[2] = {0};
    for (size_t i = 0; i < eval->done; i++) {
        const struct eval_row *row = &eval->rows[i];
        bool later = row->turns_before > 0;
        table_add(&scores[later], row, row->score);
        table_add(&parser[later], row, row->probability);
    }
    writer_key(writer, "calibration");
    writer_object(writer);
    write_table(writer, "first_turns", &scores[0]);
    write_table(writer, "later_turns", &scores[1]);
    if (eval->dgm) { /* otherwise the probability is the score */
        write_table(writer, "first_turns_by_probability", &parser[0]);
        write_table(writer, "later_turns_by_probability", &parser[1]);
    }
    writer_object_end(writer);
}

static const char *turn_of(const struct eval_row *row)
{
    return row->turns_before ? "later" : "first";
}

void eval_rows_write(const struct eval *eval, struct writer *writer)
{
    writer_key(writer, "answers");
    writer_array(writer);
    for (size_t i = 0; i < eval->done; i++) {
        const struct eval_row *row = &eval->rows[i];
        writer_object(writer);
        writer_key_text(writer, "db_id", row->database);
        writer_key_text(writer, "question", row->question);
        writer_key_text(writer, "turn", turn_of(row));
        writer_key_real(writer, "probability", row->probability);
        writer_key_real(writer, "score", row->score);
        writer_key_bool(writer, "right", row->right);
        if (row->turns_before && row->before >= 0) {
            writer_key_real(writer, "score_before", row->before);
            writer_key_bool(writer, "changes", row->changes);
        }
        if (row->unplaced[0]) {
            writer_key_text(writer, "unplaced", row->unplaced);
        }
        writer_object_end(writer);
    }
    writer_array_end(writer);
}

char *eval_rows_csv(const struct eval *eval)
{
    struct buf buf;
    buf_init(&buf, CSV_MOST);
    (void)buf_text(&buf, "db_id,question,turn,probability,score,right\r\n");
    for (size_t i = 0; i < eval->done; i++) {
        const struct eval_row *row = &eval->rows[i];
        (void)csv_add(&buf, row->database, strlen(row->database));
        (void)buf_char(&buf, ',');
        (void)csv_add(&buf, row->question, strlen(row->question));
        (void)buf_format(&buf, ",%s,%.4f,%.4f,%s\r\n", turn_of(row), row->probability,
                         row->score, row->right ? "yes" : "no");
    }
    return buf_take(&buf);
}
