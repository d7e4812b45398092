// Smaller behaviours, selected by the first argument; sc_adapter_test.py has the expected result of
// each.
#include <ftr/systemc.hpp>

#include <cstdio>
#include <string>
#include <thread>
#include <vector>

namespace
{

using sc_core::sc_time;

sc_time ns(int count)
{
    return sc_time(count, sc_core::SC_NS);
}

/* A user's model: it prints the same to stdout with and without recording. */
void model()
{
    ftr::stream stream("model");
    ftr::generator<ftr::at_begin<int>, ftr::at_end<bool>> generator(stream, "step", "number", "ok");
    ftr::relation next("PREDECESSOR_SUCCESSOR");
    ftr_tx previous{};
    for (int i = 0; i < 3; ++i) {
        auto tx = generator.begin(i);
        if (i)
            next.put(previous, tx);
        sc_core::sc_start(10, sc_core::SC_NS);
        tx.end(true);
        previous = tx;
    }
    std::printf("%s\n", sc_core::sc_time_stamp().to_string().c_str());
}

/* FTR_EXCLUDE excludes one stream; relations to transactions that are not recorded are not
 * written. */
void filtered()
{
    ftr::stream kept("kept");
    ftr::stream left_out("left_out");
    ftr::generator<> keep(kept, "g");
    ftr::generator<> leave(left_out, "g");
    ftr::relation relation("r");
    auto in = keep.begin();
    auto out = leave.begin();
    std::printf("%d %d %d %d\n", kept.is_recorded(), left_out.is_recorded(), in.is_open(),
                out.is_open());
    relation.put(in, out);
    relation.put(out, in);
    in.end();
    std::printf("%d\n",
                static_cast<int>(ftr::recorder::standard().statistics().relations_discarded));
}

void switched()
{
    ftr::recorder &recorder = ftr::recorder::standard();
    ftr::stream stream("switched");
    ftr::generator<int> generator(stream, "g", "number");
    auto across = generator.begin();
    across.put<0>(1);
    recorder.set_recording(false);
    auto off = generator.begin();
    off.put<0>(2);
    across.put("off", true);
    std::printf("%d %d\n", generator.is_recording(), off.is_open());
    recorder.set_recording(true);
    off.put("still", "off");
    generator.begin().put<0>(3);
}

/* Prints begin, end and number of each transaction, and then the number of filtered transactions.
 * Before, in and after the window, transactions begin and end now, and at times before and after
 * now. */
void windowed()
{
    ftr::stream stream("windowed");
    sc_core::sc_start(sc_core::SC_ZERO_TIME); // before, the time scale and the window are not known
    ftr::generator<int> generator(stream, "g", "number");
    int number = 0;
    const auto print = [&](const sc_time &begin, const sc_time &end) {
        std::printf("%llu %llu %d\n", static_cast<unsigned long long>(begin.value()),
                    static_cast<unsigned long long>(end.value()), number++);
    };
    auto longest = generator.begin();
    longest.put<0>(number);
    print(ns(0), ns(400));
    for (int i = 0; i < 40; ++i) {
        const sc_time now = ns(10 * i);
        auto tx = generator.begin();
        tx.put<0>(number);
        print(now, now + ns(10));
        for (const int begin : {0, 95, 150, 205, 1000}) {
            const sc_time from = i % 2 ? ns(begin) : now + ns(begin / 10);
            auto other = generator.begin_at(from);
            other.put<0>(number);
            other.end_at(from + ns(7));
            print(from, from + ns(7));
            generator.record(from, from + ns(4), number);
            print(from, from + ns(4));
        }
        sc_core::sc_start(10, sc_core::SC_NS);
        tx.end();
    }
    longest.end();
    std::printf("%d %d\n", generator.begin().is_open(), generator.begin_at(ns(150)).is_open());
    std::printf("filtered %d\n", static_cast<int>(ftr::recorder::standard().statistics().filtered));
}

/* A transaction moved any number of times is one transaction; an end before the begin is rejected
 * and leaves it open. */
void moved()
{
    ftr::stream stream("moved");
    ftr::generator<> generator(stream, "g");
    std::vector<ftr::transaction> open;
    for (int i = 0; i < 5; ++i) {
        open.push_back(generator.begin_at(ns(i)));
        open.back().put("number", i);
    }
    ftr::transaction taken = std::move(open[3]);
    open[3].put("gone", true);
    open.erase(open.begin() + 1);
    for (ftr::transaction &tx : open)
        tx.end_at(ns(20));
    open.clear();
    std::printf("%s\n", ftr_status_name(taken.end_at(ns(2))));
    std::printf("%s\n", ftr_status_name(taken.end_at(ns(30))));
    taken = generator.begin_at(ns(40));
    taken.end_at(ns(41));
}

void events()
{
    ftr::stream stream("events");
    ftr::generator<> parent(stream, "parent");
    ftr::generator<const char *> event(stream, "event", "what");
    auto tx = parent.begin_at(ns(1));
    event.event_at(tx, ns(2), "first");
    tx.end_at(ns(3));
    event.event_at(tx, ns(4), "after its end");
}

struct place {
    unsigned way;
    bool is_dirty;
};
template <class Visitor> void ftr_fields(Visitor &visit, const place &value)
{
    visit("way", value.way);
    visit("dirty", value.is_dirty);
}

void marks()
{
    ftr::stream stream("marks");
    ftr::generator<> read(stream, "read");
    ftr::generator<> write(stream, "write");
    ftr::events<unsigned> declared(write, "way");
    ftr::events<place> structs(ftr::generator<>(stream, "move"), "at");
    static const ftr::known_text known("known");

    auto tx = read.begin_at(ns(1));
    tx.event_at(ns(2), "plain");
    tx.event_at(ns(3), std::string("pairs"), "way", 3U, std::string("reason"), "queue full");
    tx.event_between(ns(4), ns(6), known, "delay", ns(7));
    tx.event_between(ns(7), ns(8), "struct", "at", place{4, true}, "last", 1);
    std::printf("%d\n", tx.event_between(ns(8), ns(7), "backwards", "at", place{4, true}).id ==
                            FTR_TX_NOT_RECORDED);
    tx.event("now");
    tx.end_at(ns(9));
    std::printf("%d\n", tx.event("ended").id == FTR_TX_NOT_RECORDED);

    auto sent = write.begin_at(ns(10));
    declared.event_at(sent, ns(11), "hit", 5);
    declared.event_between(sent, ns(12), ns(13), known, 6);
    sent.event_at(ns(14), "undeclared", "set", 7);
    const ftr_tx ended = sent;
    sent.end_at(ns(15));
    declared.event_at(ended, ns(14), "after its end", 8);
    structs.event_at(ended, ns(14), "of another", place{9, false});

    ftr::events<int> differs(write, "other");
    differs.event_at(ended, ns(15), "not recorded", 1);
    std::printf("%d %d\n", declared.is_recording(), differs.is_recording());
    ftr::events<unsigned>().event_at(ended, ns(16), "nothing", 1);
    ftr::transaction().event_at(ns(16), "nothing", "way", 1);
}

void threads()
{
    ftr::stream shared("shared");
    ftr::generator<int> generator(shared, "g", "number");
    std::vector<std::thread> workers;
    workers.reserve(4);
    for (int worker = 0; worker < 4; ++worker) {
        workers.emplace_back([&generator, worker] {
            ftr::stream own("worker" + std::to_string(worker));
            ftr::generator<int> of_own(own, "g", "number");
            for (int i = 0; i < 1000; ++i) {
                generator.record(ns(i), ns(i + 1), worker * 1000 + i);
                auto tx = of_own.begin_at(ns(i));
                tx.put<0>(i);
                tx.end_at(ns(i + 2));
            }
        });
    }
    for (std::thread &worker : workers)
        worker.join();
}

/* Misuse of definitions is reported on stderr and has no other effect. */
void misused()
{
    ftr::stream nameless("");
    ftr::generator<> generator(nameless, "g");
    generator.begin().put("number", 1);
    ftr::stream stream("good");
    ftr::generator<int> good(stream, "g", "number");
    good.begin().put<0>(1);
    const char *const no_text = nullptr;
    good.begin().put("text", no_text);
}

/* Invalid calls are reported with the names of the member functions. */
void miscalled()
{
    ftr::stream stream("top.cpu");
    ftr::generator<int> read(stream, "read", "number");
    ftr::relation follows("follows");
    auto tx = read.begin_at(ns(5));
    for (int i = 0; i < 3; ++i)
        tx.end();
    read.record(ns(2), ns(1), 7);
    follows.put(tx, ftr_tx{});
    static_cast<void>(ftr_tx_put_int(ftr::recorder::standard().handle(), tx, 7, 1));
    tx.end_at(ns(6));
    static_cast<void>(ftr_tx_end(ftr::recorder::standard().handle(), tx, 7000));
}

/* Long enough that a write fails during the simulation; a destructor proves unwinding. */
void endless()
{
    struct unwound {
        ~unwound() { std::printf("unwound\n"); }
    } const proof;
    ftr::stream stream("endless");
    ftr::generator<int> generator(stream, "g", "number");
    for (int i = 0; i < 3000000; ++i) {
        if (i % 1000 == 0)
            sc_core::sc_start(1, sc_core::SC_NS);
        generator.begin().put<0>(i);
    }
    std::printf("finished\n");
}

} // namespace

int sc_main(int argc, char **argv)
{
    const std::string what = argc > 1 ? argv[1] : "";
    const struct {
        const char *name;
        void (*run)();
    } behaviours[] = {{"model", model},         {"filtered", filtered}, {"switched", switched},
                      {"windowed", windowed},   {"moved", moved},       {"events", events},
                      {"marks", marks},         {"threads", threads},   {"misused", misused},
                      {"miscalled", miscalled}, {"endless", endless}};
    for (const auto &behaviour : behaviours) {
        if (what == behaviour.name) {
            behaviour.run();
            return 0;
        }
    }
    return 2;
}
