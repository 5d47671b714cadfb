#include "proofs/certificate/explored_proof.hpp"

namespace schedproof::proof {

std::string rejection(const ExploredProof& proof) {
    if (std::string wrong = rejection(proof.space, proof.tree); !wrong.empty()) return proof.name + ": " + wrong;
    if (!proof.space.products_are_sound()) return proof.name + ": the products are not those of the other symbols";
    if (proof.leaves.size() != proof.tree.leaves) return proof.name + ": there is not one list of obligations per leaf";
    std::string wrong;
    for_each_leaf(proof.space, proof.tree, [&](std::uint32_t leaf, std::vector<Constraint>& path) {
        if (!wrong.empty()) return;
        const std::size_t length = path.size();
        for (const Obligation& obligation : proof.leaves[leaf]) {
            for (const Constraint& c : obligation.against)
                if (!c.form.is_constant() && c.form.terms().back().first >= proof.space.symbols.size())
                    wrong = "an obligation has an unknown variable";
            path.insert(path.end(), obligation.against.begin(), obligation.against.end());
            if (wrong.empty()) wrong = rejection(with_products(proof.space, path), obligation.multipliers);
            path.resize(length);
            if (!wrong.empty()) {
                wrong = proof.name + ", leaf " + std::to_string(leaf) + ": " + wrong;
                return;
            }
        }
    });
    return wrong;
}

namespace {

/// Copies a tree in its own order.
class Renumbering {
  public:
    explicit Renumbering(const ExploredProof& from) : from_(from), path_(from.space.constraints()) {
        to_.name = from.name;
        to_.space = from.space;
        to_.tree.root = copy(from.tree.root);
        to_.tree.leaves = static_cast<std::uint32_t>(to_.leaves.size());
    }
    [[nodiscard]] ExploredProof take() { return std::move(to_); }

  private:
    Side copy(const Side& side) {
        if (const auto* leaf = std::get_if<ToLeaf>(&side)) return copy_leaf(from_.leaves[leaf->leaf]);
        if (const auto* closed = std::get_if<Closed>(&side)) return Closed{canonical(path_, closed->multipliers)};
        const Tree::Node& node = from_.tree.nodes[std::get<ToNode>(side).node];
        const std::size_t index = to_.tree.nodes.size();
        to_.tree.nodes.push_back({node.atom, {}, {}});
        for (const bool holds : {true, false}) {
            path_.push_back(node.atom.side(holds));
            Side below = copy(holds ? node.yes : node.no);
            (holds ? to_.tree.nodes[index].yes : to_.tree.nodes[index].no) = std::move(below);
            path_.pop_back();
        }
        return ToNode{static_cast<std::uint32_t>(index)};
    }
    Side copy_leaf(const std::vector<Obligation>& obligations) {
        std::vector<Obligation> copies;
        const std::size_t length = path_.size();
        for (const Obligation& obligation : obligations) {
            path_.insert(path_.end(), obligation.against.begin(), obligation.against.end());
            copies.push_back({obligation.against, canonical(with_products(to_.space, path_), obligation.multipliers)});
            path_.resize(length);
        }
        to_.leaves.push_back(std::move(copies));
        return ToLeaf{static_cast<std::uint32_t>(to_.leaves.size() - 1)};
    }

    const ExploredProof& from_;
    ExploredProof to_;
    std::vector<Constraint> path_;
};

}  // namespace

ExploredProof canonical(const ExploredProof& proof) { return Renumbering(proof).take(); }

}  // namespace schedproof::proof
