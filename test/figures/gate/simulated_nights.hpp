// Nights of made-up runs, as values: tests, generators, and a change that is put in.
#ifndef SIMULATED_NIGHTS_HPP
#define SIMULATED_NIGHTS_HPP

extern "C" {
#include "night_verdicts.h"
}

#include <cstddef>
#include <random>
#include <set>
#include <string>

namespace nights
{

/* The tests of a night, and the spread of their values. */
struct campaign {
    std::size_t tests = 20, runs = 10, generators = 6, earlier_nights = 7;
    double spread = 0.02; /* coefficient of variation between the runs of a test */
    double tail = 0;      /* degrees of freedom of Student's t; 0: normal */
    double grid = 0;      /* values are multiples of this part of their mean; 0: any value */
};

/* A change of the judged night. */
struct change {
    std::size_t tests = 1, generators = 1; /* the first ones */
    double factor = 1;
};

using failed_set = std::set<std::pair<std::string, std::string>>; /* test and generator */

struct outcome {
    failed_set failed; /* test "*": all tests together */
    std::size_t judged = 0;
    double least_p = 1; /* of the verdicts about one test */
};

extern const char *const RULE; /* the rule by which nights are judged */

/* Makes earlier nights and a night, and judges it. */
outcome judge(std::mt19937 &random, const campaign &of, const change &changed,
              const ftr_night_options &options);

} // namespace nights

#endif
