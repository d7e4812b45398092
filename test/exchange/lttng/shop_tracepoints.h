/* Tracepoints of the program that makes an LTTng trace for a test. LTTng includes this file several
 * times. */
#undef LTTNG_UST_TRACEPOINT_PROVIDER
#define LTTNG_UST_TRACEPOINT_PROVIDER shop
#undef LTTNG_UST_TRACEPOINT_INCLUDE
#define LTTNG_UST_TRACEPOINT_INCLUDE "./shop_tracepoints.h"

#if !defined(FTR_SHOP_TRACEPOINTS_H) || defined(LTTNG_UST_TRACEPOINT_HEADER_MULTI_READ)
#define FTR_SHOP_TRACEPOINTS_H
#include <lttng/tracepoint.h>

/* clang-format off */
LTTNG_UST_TRACEPOINT_EVENT(
    shop, sale_begin,
    LTTNG_UST_TP_ARGS(int, number, const char *, what),
    LTTNG_UST_TP_FIELDS(
        lttng_ust_field_integer(int, number, number)
        lttng_ust_field_string(what, what)
        lttng_ust_field_float(double, price, number * 0.5)))
LTTNG_UST_TRACEPOINT_EVENT(
    shop, sale_end,
    LTTNG_UST_TP_ARGS(int, number),
    LTTNG_UST_TP_FIELDS(lttng_ust_field_integer(int, number, number)))
LTTNG_UST_TRACEPOINT_EVENT(
    shop, bell,
    LTTNG_UST_TP_ARGS(const int *, values, unsigned, count),
    LTTNG_UST_TP_FIELDS(
        lttng_ust_field_array(int, fixed, values, 2)
        lttng_ust_field_sequence(int, some, values, unsigned, count)))
/* clang-format on */

#endif
#include <lttng/tracepoint-event.h>
