#include "simulated_nights.hpp"

extern "C" {
#include "growing_array.h"
}

#include <cmath>
#include <cstring>
#include <new>
#include <vector>

namespace nights
{

const char *const RULE = "* mean <= baseline";

namespace
{

struct values {
    ftr_gate_rules rules{};
    ftr_night_values of{};

    values()
    {
        unsigned line = 0;
        ftr_condition_error error;
        if (ftr_gate_rules_parse(RULE, std::strlen(RULE), &rules, &line, &error) != FTR_OK)
            throw std::bad_alloc();
        of.rules = &rules;
    }
    values(const values &) = delete;
    values &operator=(const values &) = delete;
    ~values()
    {
        ftr_night_values_release(&of);
        ftr_gate_rules_release(&rules);
    }
};

double draw(std::mt19937 &random, const campaign &of, double mean)
{
    std::normal_distribution<double> normal;
    double value = normal(random);
    if (of.tail > 0) {
        std::student_t_distribution<double> student(of.tail);
        value = student(random) / std::sqrt(of.tail / (of.tail - 2)); // with a variance of 1
    }
    value = mean * (1 + of.spread * value);
    return of.grid > 0 ? std::round(value / (mean * of.grid)) * mean * of.grid : value;
}

/* A run with one transaction per generator: its latency is the mean of the run. */
void add_run(values &to, ftr_night_side side, std::mt19937 &random, const campaign &of,
             std::size_t test, double factor, std::size_t changed)
{
    ftr_run_totals totals{};
    std::vector<ftr_total_row> rows(of.generators);
    std::vector<std::string> names(of.generators);
    ftr_run_record run{};
    std::string name = "test" + std::to_string(test);
    run.test = {name.data(), name.size()};
    totals.time_scale = -15;
    totals.rows = rows.data();
    totals.row_count = rows.size();
    for (std::size_t i = 0; i < rows.size(); ++i) {
        names[i] = "g" + std::to_string(i) + ".read";
        rows[i].name = names[i].data();
        rows[i].name_size = names[i].size();
        const double mean = 1e6 * static_cast<double>(1 + test) * static_cast<double>(1 + i);
        const double value = std::fmax(draw(random, of, mean) * (i < changed ? factor : 1), 0);
        if (!ftr_latency_bins_add(&rows[i].latency, static_cast<std::uint64_t>(value), 1))
            throw std::bad_alloc();
    }
    const bool ok = ftr_night_values_add(&to.of, side, &run, &totals, "run.ftr");
    for (ftr_total_row &row : rows)
        std::free(row.latency.bins);
    if (!ok)
        throw std::bad_alloc();
}

} // namespace

outcome judge(std::mt19937 &random, const campaign &of, const change &changed,
              const ftr_night_options &options)
{
    values made;
    for (std::size_t test = 0; test < of.tests; ++test) {
        for (std::size_t i = 0; i < of.runs * of.earlier_nights; ++i)
            add_run(made, FTR_NIGHT_EARLIER, random, of, test, 1, 0);
        for (std::size_t i = 0; i < of.runs; ++i)
            add_run(made, FTR_NIGHT_JUDGED, random, of, test, changed.factor,
                    test < changed.tests ? changed.generators : 0);
    }
    ftr_night_verdicts verdicts{};
    if (ftr_night_judge(&made.of, &options, &verdicts) != FTR_OK)
        throw std::bad_alloc();
    outcome found;
    for (std::size_t i = 0; i < verdicts.count; ++i) {
        const ftr_night_verdict &verdict = verdicts.of[i];
        found.judged += ftr_night_is_judged(verdict.outcome);
        if (verdict.of != nullptr && !verdict.is_certain && verdict.p < found.least_p)
            found.least_p = verdict.p;
        if (verdict.outcome == FTR_NIGHT_FAILED)
            found.failed.insert(
                {verdict.of != nullptr ? made.of.test_names.names[verdict.of->key.test]->text : "*",
                 made.of.generator_names.names[verdict.generator]->text});
    }
    ftr_night_verdicts_release(&verdicts);
    return found;
}

} // namespace nights
