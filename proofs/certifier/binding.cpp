/// The binding of a proof to code: the policy is run again, and a tree answers its comparisons.
///
/// The code is a function of its comparisons alone, so its runs are the paths through its comparisons. TreeDecider
/// stands where the solver stood during the search: when the code compares two affine numbers, the difference is
/// normalised to an atom, which must be the atom of the node that the walk has reached; where both sides go on, one is
/// chosen and the other is taken in a later run (DecisionStack), and a closed side is never taken, because the logic
/// has shown that no input lies there. The run ends on a leaf, whose obligations must be the constraints that the code
/// returned, in order. When every leaf has been reached by exactly one run, the tree is that of the code.
/// A proof that belongs to other code differs in a comparison, in its order or in an obligation, and is rejected there.
/// Cost: one run of the code per leaf.
#include "proofs/certifier/binding.hpp"

#include "model/core/randomness.hpp"

namespace schedproof::certify {

using explore::Affine;
using explore::Decider;
using explore::EmptyPath;
using explore::Forbidden;
using explore::Question;
using proof::Atom;
using proof::Closed;
using proof::Side;
using proof::ToLeaf;
using proof::ToNode;
using proof::Tree;

namespace {

/// Answers each comparison from a tree, and follows one chosen branch where both sides go on.
class TreeDecider final : public Decider {
  public:
    TreeDecider(const proof::Space& space, const Tree& tree) : Decider(space), tree_(tree) {}

    struct Mismatch {
        std::string what;
    };

    /// Goes back to the root for the next path; false when all have been taken.
    [[nodiscard]] bool next_path() {
        begin_path();
        side_ = &tree_.root;
        return stack_.next_path();
    }
    void start() { side_ = &tree_.root; }
    [[nodiscard]] std::uint32_t leaf() const {
        const auto* leaf = std::get_if<ToLeaf>(side_);
        if (!leaf) throw Mismatch{"the code ends where the tree goes on"};
        return leaf->leaf;
    }

  private:
    [[nodiscard]] bool choose(const Atom& atom) override {
        const auto* to = std::get_if<ToNode>(side_);
        if (!to) throw Mismatch{"the code goes on where the tree ends"};
        const Tree::Node& node = tree_.nodes[to->node];
        if (node.atom != atom)
            throw Mismatch{"the code asks whether " + text(atom) + ", the tree whether " + text(node.atom)};
        const bool yes = !std::holds_alternative<Closed>(node.yes), no = !std::holds_alternative<Closed>(node.no);
        if (!yes && !no) throw EmptyPath{};
        const bool holds = yes && no ? stack_.decide(2) == 0 : yes;
        side_ = holds ? &node.yes : &node.no;
        return holds;
    }
    [[nodiscard]] std::string text(const Atom& atom) const {
        return to_string(atom.form, space()) + (atom.strict ? " > " : " >= ") + atom.bound.to_string();
    }

    const Tree& tree_;
    const Side* side_ = nullptr;
    DecisionStack stack_;
};

}  // namespace

std::string binding_rejection(const Question& question, const proof::ExploredProof& proof) {
    const auto wrong = [&](const std::string& what) { return question.name + ": " + what; };
    if (proof.name != question.name) return wrong("the proof is of '" + proof.name + "'");
    if (proof.space.symbols != question.space.symbols) return wrong("other symbols");
    if (proof.space.premises != question.space.premises) return wrong("other premises");
    TreeDecider decider(question.space, proof.tree);
    const std::vector<Affine> inputs = symbols(decider);
    std::size_t paths = 0;
    try {
        decider.start();
        do {
            std::vector<Forbidden> forbidden;
            try {
                forbidden = question.body(inputs);
            } catch (const EmptyPath&) {
                continue;
            }
            const std::uint32_t leaf = decider.leaf();
            ++paths;
            if (leaf >= proof.leaves.size()) return wrong("the tree has an unknown leaf");
            const std::vector<proof::Obligation>& obligations = proof.leaves[leaf];
            if (obligations.size() != forbidden.size()) return wrong("a leaf has other obligations");
            for (std::size_t i = 0; i < forbidden.size(); ++i)
                if (obligations[i].against != forbidden[i]) return wrong("a leaf has other obligations");
        } while (decider.next_path());
    } catch (const TreeDecider::Mismatch& mismatch) {
        return wrong(mismatch.what);
    }
    return paths == proof.leaves.size() ? "" : wrong("the tree has leaves that the code does not reach");
}

std::string rejection(const std::vector<Question>& questions, const std::vector<proof::ExploredProof>& proofs) {
    if (questions.size() != proofs.size()) return "there is not one proof per question";
    for (std::size_t i = 0; i < questions.size(); ++i) {
        if (std::string wrong = proof::rejection(proofs[i]); !wrong.empty()) return wrong;
        if (std::string wrong = binding_rejection(questions[i], proofs[i]); !wrong.empty()) return wrong;
    }
    return "";
}

}  // namespace schedproof::certify
