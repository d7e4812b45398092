// Prints a table that shows how often a gate with default options fails a night that differs from
// the earlier nights in its seeds only, and how often the gate finds a change. Each row is a number
// of runs, of earlier nights, and a spread of the runs; the last columns are changes.
//
//     gate_power [NIGHTS]
//
// Prints Markdown (docs/campaign.md). A cell has the percentage of the nights in which the gate
// fails, or in which it finds the change in the test and generator that have it. NIGHTS (default
// 2000) is the number of nights without a change; with each change, and for the column `plain`,
// there are a tenth of them. `plain` shows, for comparison, a gate that uses the same rank test
// without regard to the number of comparisons: it fails if any generator of a test has p < 0.01.
#include "simulated_nights.hpp"

#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace
{

constexpr ftr_night_options USUAL = {1, 1, 0.005};
constexpr ftr_night_options PLAIN = {0, 0, 0.01};

struct row {
    const char *name;
    nights::campaign of;
};

/* Returns the one-sided upper bound, with 95 % confidence, of the probability of an event that
 * occurred @p found times in @p count trials (Clopper and Pearson), by bisection. */
double upper_bound(std::size_t found, std::size_t count)
{
    const auto n = static_cast<double>(count);
    double low = 0, high = 1;
    for (int i = 0; i < 60; ++i) {
        const double p = (low + high) / 2;
        double at_most = 0;
        for (std::size_t k = 0; k <= found; ++k) {
            const auto x = static_cast<double>(k);
            at_most += std::exp(std::lgamma(n + 1) - std::lgamma(x + 1) - std::lgamma(n - x + 1) +
                                x * std::log(p) + (n - x) * std::log1p(-p));
        }
        (at_most > 0.05 ? low : high) = p;
    }
    return high;
}

double percent(std::size_t part, std::size_t of)
{
    return 100 * static_cast<double>(part) / static_cast<double>(of);
}

void print_row(const row &from, std::size_t count)
{
    std::mt19937 random(1);
    std::size_t failed = 0, plain = 0;
    for (std::size_t i = 0; i < count; ++i) {
        failed += !nights::judge(random, from.of, {}, USUAL).failed.empty();
        if (i < count / 10)
            plain += nights::judge(random, from.of, {}, PLAIN).least_p < 0.01;
    }
    std::printf("| %s | %.2f %% (below %.2f %%) | %.0f %% |", from.name, percent(failed, count),
                100 * upper_bound(failed, count), percent(plain, count / 10));
    for (const double factor : {1.02, 1.05, 1.1, 1.2}) {
        std::size_t found = 0;
        for (std::size_t i = 0; i < count / 10; ++i)
            found += nights::judge(random, from.of, {1, 1, factor}, USUAL)
                         .failed.count({"test0", "g0.read"});
        std::printf(" %.0f %% |", percent(found, count / 10));
    }
    std::printf("\n");
    std::fflush(stdout);
}

nights::campaign campaign(std::size_t runs, std::size_t earlier_nights, double spread,
                          double tail = 0, double grid = 0)
{
    nights::campaign made;
    made.runs = runs;
    made.earlier_nights = earlier_nights;
    made.spread = spread;
    made.tail = tail;
    made.grid = grid;
    return made;
}

} // namespace

int main(int argc, char *argv[])
{
    const std::size_t count = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 2000;
    const row rows[] = {
        {"10 runs, 7 nights, spread 1 %", campaign(10, 7, 0.01)},
        {"10 runs, 7 nights, spread 2 %", campaign(10, 7, 0.02)},
        {"10 runs, 7 nights, spread 5 %", campaign(10, 7, 0.05)},
        {"10 runs, 7 nights, 2 %, outliers", campaign(10, 7, 0.02, 3)},
        {"10 runs, 7 nights, 2 %, steps of 2 %", campaign(10, 7, 0.02, 0, 0.02)},
        {"10 runs, 1 night, spread 2 %", campaign(10, 1, 0.02)},
        {"3 runs, 7 nights, spread 2 %", campaign(3, 7, 0.02)},
        {"1 run, 7 nights, spread 2 %", campaign(1, 7, 0.02)},
    };
    if (count < 10) {
        std::fprintf(stderr, "gate_power: at least 10 nights are needed\n");
        return EXIT_FAILURE;
    }
    std::printf(
        "| runs of each of 20 tests | false nights | plain | +2 %% | +5 %% | +10 %% | +20 %% "
        "|\n|--|--|--|--|--|--|--|\n");
    for (const row &of : rows)
        print_row(of, count);
    return EXIT_SUCCESS;
}
