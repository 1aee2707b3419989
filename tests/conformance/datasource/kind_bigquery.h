/* The peer that stands for BigQuery, for the tests of that driver alone. */
#ifndef DGM_TESTS_KIND_BIGQUERY_H
#define DGM_TESTS_KIND_BIGQUERY_H

/* Tells the peer something; a figure of its answer, or -1. */
long bigquery_tell(const char *what, const char *dataset, const char *sql,
                   const char *figure);
const char *bigquery_folder(void); /* where the keys are */
const char *bigquery_dataset(const char *path);

#endif
