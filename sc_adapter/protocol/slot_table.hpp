/* A hash table of fixed size with open addressing, for state that every call looks up by address.
 * Slots never move. A slot that is no longer in use keeps its key until another key needs the slot,
 * so the payloads of a pool find their slots again. Nothing is allocated after construction. */
#ifndef FTR_SLOT_TABLE_HPP
#define FTR_SLOT_TABLE_HPP

#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include <ftr/detail/systemc_session.hpp>

namespace ftr
{
namespace detail
{

/* Slot must have a member `key` (0: never used) and a function `bool is_in_use() const`. The table
 * has 2^Bits slots. */
template <class Slot, unsigned Bits> class slot_table
{
  public:
    static constexpr std::size_t size = std::size_t{1} << Bits;

    /* A page of memory is not touched before one of its slots is used. If the memory cannot be
     * allocated, find() returns NULL. */
    slot_table()
        : memory_(static_cast<char *>(std::calloc(size + 1, sizeof(Slot)))), slots_(aligned())
    {
    }
    slot_table(const slot_table &) = delete;
    slot_table &operator=(const slot_table &) = delete;
    ~slot_table() { std::free(memory_); }

    /* Returns the slot of @p key. If there is none, returns a free slot, which still has another
     * `key`. NULL: all possible slots are in use. */
    Slot *find(std::uintptr_t key)
    {
        const std::size_t home = home_of(key);
        if (FTR_SC_EXPECTED(slots_) && FTR_SC_EXPECTED(slots_[home].key == key))
            return &slots_[home];
        return search(key, home);
    }

    /* Returns the number of slots in use. */
    std::size_t count() const
    {
        std::size_t counted = 0;
        for (std::size_t i = 0; slots_ && i < size; ++i)
            counted += slots_[i].is_in_use();
        return counted;
    }

  private:
    static constexpr std::size_t search_limit = 64;

    static std::size_t home_of(std::uintptr_t key)
    {
        return static_cast<std::size_t>((key * UINT64_C(0x9e3779b97f4a7c15)) >> (64 - Bits));
    }

    FTR_SC_COLD Slot *search(std::uintptr_t key, std::size_t home)
    {
        Slot *free = nullptr;
        for (std::size_t i = 0; slots_ && i < search_limit; ++i) {
            Slot &slot = slots_[(home + i) & (size - 1)];
            if (slot.key == key)
                return &slot;
            if (!free && !slot.is_in_use())
                free = &slot;
            if (slot.key == 0)
                break;
        }
        return free;
    }

    Slot *aligned()
    {
        const auto address = reinterpret_cast<std::uintptr_t>(memory_);
        const std::size_t more = alignof(Slot) - address % alignof(Slot);
        return memory_ ? reinterpret_cast<Slot *>(memory_ + more) : nullptr;
    }

    char *memory_;
    Slot *slots_;
};

} // namespace detail
} // namespace ftr

#endif
