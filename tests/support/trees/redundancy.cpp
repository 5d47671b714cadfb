#include "tests/support/trees/redundancy.hpp"

namespace schedproof::redundancy::trees {

namespace {

rc::Gen<std::size_t> small(int from, int to) {
    return rc::gen::map(rc::gen::resize(rc::kNominalSize, rc::gen::inRange(from, to)),
                        [](int n) { return static_cast<std::size_t>(n); });
}

}  // namespace

template <Order order>
rc::Gen<GrantTree<order>> grant_trees() {
    const auto piece =
        rc::gen::build<Piece>(rc::gen::set(&Piece::ranks, small(1, 4)), rc::gen::set(&Piece::copies, small(0, 4)),
                              rc::gen::set(&Piece::ways, small(1, 4)));
    const auto pieces = rc::gen::resize(4, rc::gen::container<std::vector<Piece>>(piece));
    using Tree = GrantTree<order>;
    return rc::gen::build<Tree>(
        rc::gen::set(&Tree::by_jobs, rc::gen::resize(6, rc::gen::container<std::vector<std::vector<Piece>>>(pieces))),
        rc::gen::set(&Tree::unchecked, rc::gen::weightedElement<bool>({{9, false}, {1, true}})),
        rc::gen::set(&Tree::rest, rc::gen::weightedElement<bool>({{9, true}, {1, false}})));
}

template <Order order>
std::ostream& operator<<(std::ostream& out, const GrantTree<order>& tree) {
    out << "static constexpr Order order = Order::" << (order == Order::remaining ? "remaining" : "arrival")
        << ";\nconstexpr Allocation allocate(std::size_t n, std::size_t machines) const {\n    Allocation "
           "allocation;\n";
    for (std::size_t i = 0; i < tree.by_jobs.size(); ++i) {
        out << "    " << (i + 1 < tree.by_jobs.size() ? "if (n == " + std::to_string(i + 1) + ") " : "") << "{\n";
        std::size_t rank = 0;
        for (const Piece& piece : tree.by_jobs[i]) {
            if (piece.copies > 0)
                out << "        grant(allocation, " << rank << ", std::min<std::size_t>(n, " << rank + piece.ranks
                    << "), {" << piece.copies << ", " << piece.ways << "});"
                    << (tree.unchecked ? "" : "  // if it fits") << "\n";
            rank += piece.ranks;
        }
        out << "        return allocation;\n    }\n";
    }
    return out << (tree.rest ? "    // the first rank that is left gets a machine if one is left\n" : "") << "}\n";
}

template rc::Gen<GrantTree<Order::remaining>> grant_trees();
template rc::Gen<GrantTree<Order::arrival>> grant_trees();
template std::ostream& operator<<(std::ostream&, const GrantTree<Order::remaining>&);
template std::ostream& operator<<(std::ostream&, const GrantTree<Order::arrival>&);

}  // namespace schedproof::redundancy::trees
