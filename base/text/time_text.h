/* Parses times: "10us", "1.5 ns", "250". */
#ifndef FTR_TIME_TEXT_H
#define FTR_TIME_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A time: mantissa * 10^exponent, in seconds, or in ticks if the text has no unit. */
typedef struct ftr_time_value {
    uint64_t mantissa;
    int exponent;
    bool in_ticks;
} ftr_time_value;

/* The units from s to fs, in steps of 10^-3. */
#define FTR_TIME_UNITS 6
extern const char *const ftr_time_units[FTR_TIME_UNITS];

/* Gets the exponent of the unit with this name: 0 for "s", -9 for "ns". The units "µs" and "as" are
 * accepted, but ftr never prints them.
 * @return false if no unit has this name; the value of @p exponent is then undefined */
bool ftr_time_unit(const char *name, size_t size, int *exponent);

/* Parses "10us", "1.5 ns", "250" (ticks). Units: s ms us ns ps fs as.
 * @param[out] rest the text after the time; NULL: only blanks may follow the time
 * @return false if the text is not a time, its digits exceed 64 bits, or it has decimals but no
 *         unit; the value of @p time is then undefined */
bool ftr_time_parse(const char *text, ftr_time_value *time, const char **rest);

/* Converts @p time to ticks of 10^@p scale seconds, rounded down.
 * @param[out] exact false if rounding changed the value
 * @return false if the result exceeds 64 bits */
bool ftr_time_to_ticks(const ftr_time_value *time, int scale, uint64_t *ticks, bool *exact);

/* Like ftr_time_to_ticks(), but returns the ticks; UINT64_MAX if they exceed 64 bits. */
uint64_t ftr_time_ticks(const ftr_time_value *time, int scale);

/* Returns true if @p text is a time other than 0 and has no unit. Callers then print a warning. */
bool ftr_time_lacks_unit(const char *text);

#endif
