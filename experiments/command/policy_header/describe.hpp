/// What a compiled policy file says of itself: included by the program that `--policy-file FILE.hpp` compiles, and by
/// nothing else. It needs the library's headers alone, so that program is linked with no library of this project.
#pragma once

#include <cstdio>
#include <string_view>
#include <type_traits>

#include "experiments/command/policy_header/introduced.hpp"
#include "model/queueing/policy.hpp"

namespace schedproof::cli::policy_header {

template <class P>
concept Ruled = requires {
    typename std::bool_constant<(static_cast<void>(queueing::Rules(P::rules)), true)>;
};

inline void write(std::FILE* out, std::string_view text) {
    std::fprintf(out, "%zu\n", text.size());
    std::fwrite(text.data(), 1, text.size(), out);
    std::fputc('\n', out);
}
inline void write(std::FILE* out, const queueing::language::Tree& tree) {
    std::fprintf(out, "%zu\n", tree.size());
    for (std::size_t i = 0; i < tree.size(); ++i)
        std::fprintf(out, "%d %d %lld %lld\n", static_cast<int>(tree[i].op), tree[i].children,
                     static_cast<long long>(tree[i].a), static_cast<long long>(tree[i].b));
}

/// Of a struct of the file, the `position`th: its info, what it is held to and its Lyapunov function, if it has an
/// info; then its rules.
template <class P>
void describe(std::FILE* out, int position) {
    if constexpr (Introduced<P>) {
        constexpr PolicyInfo info(P::info);
        std::fprintf(out, "struct %d %d\n", position, Ruled<P> ? 1 : 0);
        write(out, info.id);
        write(out, info.source);
        write(out, info.summary);
        for (const std::vector<std::string>& list : {hopes_of<P>(), stable_on_of<P>(), expects_of<P>()}) {
            std::fprintf(out, "%zu\n", list.size());
            for (const std::string& one : list) write(out, one);
        }
        write(out, lyapunov_of<P>());
        if constexpr (Ruled<P>) {
            const queueing::Rules rules(P::rules);
            std::fprintf(out, "%d\n", static_cast<int>(rules.arrangement()));
            write(out, rules.route());
            write(out, rules.serve());
        }
    }
}

}  // namespace schedproof::cli::policy_header
