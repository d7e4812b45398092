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

std::string test_name(std::size_t test)
{
    return "test" + std::to_string(test);
}

std::string generator_name(std::size_t generator)
{
    return "g" + std::to_string(generator) + ".read";
}

/* Returns the mean latency of a generator in a run, in ticks of 1 fs. */
double draw_value(std::mt19937 &random, const campaign &of, std::size_t test, std::size_t generator,
                  double factor)
{
    const double mean = 1e6 * static_cast<double>(1 + test) * static_cast<double>(1 + generator);
    return std::floor(std::fmax(draw(random, of, mean) * factor, 0));
}

/* The runs of all earlier nights, as one night. */
class earlier_runs
{
  public:
    explicit earlier_runs(const campaign &of)
    {
        ftr_history_night_init(&night_);
        bool ok = ftr_history_night_measure(&night_, {FTR_METRIC_MEAN, 0, nullptr});
        for (std::size_t i = 0; i < of.generators; ++i)
            ok = ok && intern(night_.generator_names, generator_name(i));
        for (std::size_t i = 0; i < of.tests; ++i)
            ok = ok && intern(night_.test_names, test_name(i)) &&
                 ftr_array_reach(&night_.tests, &night_.test_capacity, i, sizeof *night_.tests);
        if (!ok)
            throw std::bad_alloc();
    }
    earlier_runs(const earlier_runs &) = delete;
    earlier_runs &operator=(const earlier_runs &) = delete;
    ~earlier_runs() { ftr_history_night_release(&night_); }

    void add_test(std::mt19937 &random, const campaign &of, std::size_t test)
    {
        const std::size_t runs = of.runs * of.earlier_nights;
        night_.tests[test] = {};
        night_.tests[test].runs = night_.tests[test].complete = runs;
        night_.tests[test].has_spread = of.spread > 0;
        std::vector<double *> values(of.generators);
        for (std::size_t i = 0; i < of.generators; ++i)
            values[i] = add_series(test, i, runs);
        for (std::size_t run = 0; run < runs; ++run)
            for (std::size_t i = 0; i < of.generators; ++i)
                values[i][run] = draw_value(random, of, test, i, 1) * 1e-15;
    }

    const ftr_history_night &get() const { return night_; }

  private:
    static bool intern(ftr_names &names, const std::string &text)
    {
        return ftr_names_intern(&names, text.data(), text.size()) != nullptr;
    }

    double *add_series(std::size_t test, std::size_t generator, std::size_t runs)
    {
        auto *series = static_cast<ftr_night_series *>(std::calloc(1, sizeof(ftr_night_series)));
        if (series == nullptr || !ftr_array_grow(&night_.series, &night_.series_capacity,
                                                 night_.series_count, sizeof(ftr_night_series *))) {
            std::free(series);
            throw std::bad_alloc();
        }
        night_.series[night_.series_count++] = series;
        series->key = {test, generator, 0};
        series->values = static_cast<double *>(std::calloc(runs, sizeof(double)));
        if (series->values == nullptr)
            throw std::bad_alloc();
        series->runs = series->capacity = runs;
        return series->values;
    }

    ftr_history_night night_{};
};

/* A run with one transaction per generator: its latency is the mean of the run. */
void add_run(values &to, std::mt19937 &random, const campaign &of, std::size_t test, double factor,
             std::size_t changed)
{
    ftr_run_totals totals{};
    std::vector<ftr_total_row> rows(of.generators);
    std::vector<std::string> names(of.generators);
    ftr_run_record run{};
    std::string name = test_name(test);
    run.test = {name.data(), name.size()};
    totals.time_scale = -15;
    totals.rows = rows.data();
    totals.row_count = rows.size();
    for (std::size_t i = 0; i < rows.size(); ++i) {
        names[i] = generator_name(i);
        rows[i].name = names[i].data();
        rows[i].name_size = names[i].size();
        const double value = draw_value(random, of, test, i, i < changed ? factor : 1);
        if (!ftr_latency_bins_add(&rows[i].latency, static_cast<std::uint64_t>(value), 1))
            throw std::bad_alloc();
    }
    const bool ok = ftr_night_values_add(&to.of, &run, &totals, "run.ftr");
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
    earlier_runs earlier(of);
    for (std::size_t test = 0; test < of.tests; ++test)
        earlier.add_test(random, of, test);
    if (!ftr_night_values_add_night(&made.of, &earlier.get()))
        throw std::bad_alloc();
    for (std::size_t test = 0; test < of.tests; ++test)
        for (std::size_t i = 0; i < of.runs; ++i)
            add_run(made, random, of, test, changed.factor,
                    test < changed.tests ? changed.generators : 0);
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
