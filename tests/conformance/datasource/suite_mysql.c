/* What only MySQL and MariaDB have. */
#include "conformance.h"

int suite_mysql(void)
{
    return 0;
}
