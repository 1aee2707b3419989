/* The sample shop with few rows, for tests that look at all of them again and again. */
#ifndef DGM_TESTS_FAULTS_SMALL_SHOP_H
#define DGM_TESTS_FAULTS_SMALL_SHOP_H

#include <stdbool.h>

/* Every table and kind of value of the sample, and a tenth of its orders. */
bool small_shop(const char *path);

#endif
