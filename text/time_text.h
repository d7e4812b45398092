/* Parses times: "10us", "1.5 ns", "250". */
#ifndef FTR_TIME_TEXT_H
#define FTR_TIME_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A decimal number times a power of ten: mantissa * 10^exponent seconds. Without a unit: ticks. */
typedef struct ftr_time_value {
    uint64_t mantissa;
    int exponent;
    bool in_ticks;
} ftr_time_value;

/* The units from s to fs, in steps of 10^-3. */
#define FTR_TIME_UNITS 6
extern const char *const ftr_time_units[FTR_TIME_UNITS];

/* Gets the power of ten of a unit's name: 0 of "s", -9 of "ns". @return false if there is none */
bool ftr_time_unit(const char *name, size_t size, int *exponent);

/* Parses "10us", "1.5 ns", "250" (ticks). Units: s ms us ns ps fs.
 * @param[out] rest the text after the time; NULL: the time must end the text
 * @return false if the text is not a time */
bool ftr_time_parse(const char *text, ftr_time_value *time, const char **rest);

/* Converts @p time to ticks of 10^@p scale seconds, rounded down.
 * @param[out] exact false if rounding changed the value
 * @return false if the result exceeds 64 bits */
bool ftr_time_to_ticks(const ftr_time_value *time, int scale, uint64_t *ticks, bool *exact);

/* Like the function above; UINT64_MAX if the result exceeds 64 bits. */
uint64_t ftr_time_ticks(const ftr_time_value *time, int scale);

/* Returns true if @p text is a time without a unit that is not 0. Its reader warns of it. */
bool ftr_time_lacks_unit(const char *text);

#endif
