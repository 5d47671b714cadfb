#include "model/core/philox.hpp"

#include <Random123/philox.h>

#include <algorithm>

namespace schedproof {

template <std::size_t count>
void next_words(PhiloxState& state, std::array<std::uint64_t, count>& words) {
    static_assert(count % 4 == 0, "a block has four words");
    const r123::Philox4x64::key_type key{{state.key[0], state.key[1]}};
    std::array<std::uint64_t, 4> at = state.counter;
    for (std::size_t first = 0; first < count; first += 4) {
        const r123::Philox4x64::ctr_type counter{{at[0]++, at[1], at[2], at[3]}};
        const auto block = r123::Philox4x64{}(counter, key);
        std::copy(block.begin(), block.end(), words.begin() + static_cast<std::ptrdiff_t>(first));
    }
    state.counter = at;
}

template void next_words(PhiloxState& state, std::array<std::uint64_t, 4>& words);
template void next_words(PhiloxState& state, std::array<std::uint64_t, 16>& words);

}  // namespace schedproof
