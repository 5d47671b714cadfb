#include "model/core/philox.hpp"

#include <Random123/philox.h>

namespace schedproof {

template <std::size_t count>
void next_words(PhiloxState& state, std::array<std::uint64_t, count>& words) {
    static_assert(count % 4 == 0, "a block has four words");
    const r123::Philox4x64::key_type key{{state.key[0], state.key[1]}};
    std::array<std::uint64_t, 4> at = state.counter;
    for (std::size_t first = 0; first < count; first += 4) {
        const r123::Philox4x64::ctr_type counter{{at[0]++, at[1], at[2], at[3]}};
        const auto block = r123::Philox4x64{}(counter, key);
        // Word by word, so that a block never leaves the registers: copied whole it is stored in words and read again
        // in vectors, which waits for the stores.
        for (std::size_t i = 0; i < 4; ++i) words[first + i] = block[i];
    }
    state.counter = at;
}

template void next_words(PhiloxState& state, std::array<std::uint64_t, 4>& words);
template void next_words(PhiloxState& state, std::array<std::uint64_t, 16>& words);

}  // namespace schedproof
