/* The tracepoint of W2 for LTTng-UST, which includes this header several times. */
#undef LTTNG_UST_TRACEPOINT_PROVIDER
#define LTTNG_UST_TRACEPOINT_PROVIDER ftr_bench

#undef LTTNG_UST_TRACEPOINT_INCLUDE
#define LTTNG_UST_TRACEPOINT_INCLUDE "./lttng_provider.h"

#if !defined(FTR_LTTNG_PROVIDER_H) || defined(LTTNG_UST_TRACEPOINT_HEADER_MULTI_READ)
#define FTR_LTTNG_PROVIDER_H

#include <lttng/tracepoint.h>
#include <stdint.h>

LTTNG_UST_TRACEPOINT_EVENT(
    ftr_bench, payload,
    LTTNG_UST_TP_ARGS(uint64_t, begin, uint64_t, end, unsigned, generator, uint64_t, address,
                      uint32_t, length, const char *, response),
    LTTNG_UST_TP_FIELDS(lttng_ust_field_integer(uint64_t, begin, begin)
                            lttng_ust_field_integer(uint64_t, end, end)
                                lttng_ust_field_integer(unsigned, generator, generator)
                                    lttng_ust_field_integer(uint64_t, address, address)
                                        lttng_ust_field_integer(uint32_t, length, length)
                                            lttng_ust_field_string(response, response)))

#endif

#include <lttng/tracepoint-event.h>
