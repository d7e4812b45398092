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

/* Slot must have the functions `bool is_in_use() const` and `bool is_blank() const`, which returns
 * true if the slot was never used. The table has 2^Bits slots. */
template <class Slot, unsigned Bits> class slot_table
{
  public:
    static constexpr std::size_t size = std::size_t{1} << Bits;
    static_assert((sizeof(Slot) & (sizeof(Slot) - 1)) == 0 && size * sizeof(Slot) <= UINT32_MAX);

    /* A page of memory is not touched before one of its slots is used. If the memory cannot be
     * allocated, find() returns NULL. */
    slot_table()
        : memory_(static_cast<char *>(std::calloc(size + 1, sizeof(Slot)))), slots_(aligned())
    {
    }
    slot_table(const slot_table &) = delete;
    slot_table &operator=(const slot_table &) = delete;
    ~slot_table() { std::free(memory_); }

    /* Returns the slots; NULL if they could not be allocated. A key is usually in the slot at the
     * distance home_of() of its hash. */
    Slot *slots() const { return slots_; }
    /* Returns the usual slot of a key with this hash, as its distance from the first slot in
     * bytes. */
    static FTR_SC_INLINE std::size_t home_of(std::uintptr_t hash)
    {
        return static_cast<std::uint32_t>(hash) * UINT32_C(0x9e3779b1) &
               static_cast<std::uint32_t>((size - 1) * sizeof(Slot));
    }
    static FTR_SC_INLINE Slot &at(Slot *first, std::size_t distance)
    {
        return *reinterpret_cast<Slot *>(reinterpret_cast<char *>(first) + distance);
    }

    /* Returns the slot for which @p matches returns true. If there is none, returns a free slot,
     * which may still contain the state of another key. NULL: all possible slots are in use, or
     * there are no slots. @p hash: of the key; slots with equal keys must have equal hashes */
    template <class Matches> FTR_SC_INLINE Slot *find(std::uintptr_t hash, Matches matches)
    {
        const std::size_t home = home_of(hash);
        if (FTR_SC_EXPECTED(slots_) && FTR_SC_EXPECTED(matches(at(slots_, home))))
            return &at(slots_, home);
        return search(home / sizeof(Slot), matches);
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

    template <class Matches> FTR_SC_COLD Slot *search(std::size_t home, Matches matches)
    {
        Slot *free = nullptr;
        for (std::size_t i = 0; slots_ && i < search_limit; ++i) {
            Slot &slot = slots_[(home + i) & (size - 1)];
            if (matches(slot))
                return &slot;
            if (!free && !slot.is_in_use())
                free = &slot;
            if (slot.is_blank())
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
