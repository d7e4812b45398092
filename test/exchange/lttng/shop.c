/* Makes the events of an LTTng trace for a test. */
#define LTTNG_UST_TRACEPOINT_CREATE_PROBES
#define LTTNG_UST_TRACEPOINT_DEFINE
#include "shop_tracepoints.h"

int main(void)
{
    const int values[] = {3, -4, 5};
    for (int i = 0; i < 10; i++) {
        lttng_ust_tracepoint(shop, sale_begin, i, i % 2 != 0 ? "tea" : "");
        lttng_ust_tracepoint(shop, bell, values, (unsigned)i % 3);
        lttng_ust_tracepoint(shop, sale_end, i);
    }
    return 0;
}
