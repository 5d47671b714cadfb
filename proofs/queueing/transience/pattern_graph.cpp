/// The cells behind a proof of transience, grouped so that a person can look at them.
///
/// One queue, that of the largest weight in W, is long and grows; what the policy does then depends on the order of the
/// others: which are empty, which are equal, which is shorter. A node is such an order, {0 = Q1 < Q2} say, with the
/// range of the exact drift of W over all cells that meet it and along which the long queue alone can grow, and the
/// same of each queue. Where there is one queue only, the nodes are the combinations of statuses. Where a server has
/// queues for each level, they are taken together as one: the order of their sums leaves a picture that can be read.
/// An edge is a move of one slot, found by exact enumeration at representative states: the long queue far out, the
/// others of up to three tasks each (or as many as are ordered, or as a batch has), all statuses; its probability is a
/// range over those.
#include "proofs/queueing/transience/pattern_graph.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "model/core/errors.hpp"
#include "proofs/explore/farkas.hpp"

namespace schedproof::queueing {

using explore::Affine;
using explore::Maximum;
using proof::Constraint;
using proof::LinearForm;

void PatternGraph::Range::hold(const Rational& value) {
    low = std::min(low, value);
    high = std::max(high, value);
}

namespace {

using Range = PatternGraph::Range;
/// Per queue its place in the order: 0 empty, then 1, 2, ... from the shortest; the long queue has none.
using Ranks = std::vector<std::size_t>;

constexpr std::int64_t far_out = 1'000'000;

/// Extends a range that may be new.
void hold(std::optional<Range>& range, const Rational& value) {
    if (!range) range = Range{value, value};
    range->hold(value);
}

std::optional<TableSize> size_of(const std::optional<QueueTable>& table) {
    if (!table) return std::nullopt;
    return TableSize{table->queue, table->increments.size()};
}

class Builder {
  public:
    Builder(const SymbolicSystem& system, const TransienceTheorem& theorem, const explore::Budget& budget)
        : system_(system),
          theorem_(theorem),
          budget_(budget),
          basis_(system.layout(), theorem.statuses, size_of(theorem.table)),
          shapes_(shapes_of(theorem.statuses)) {
        const Layout& layout = system.layout();
        if (layout.lists_tasks()) throw LimitExceeded("shapes", "this policy's queues list their tasks");
        std::vector<Rational> weight(layout.queues());
        for (const auto& piece : theorem.w.pieces)
            if (!piece.when)
                for (const auto& [q, c] : piece.largest_of.at(0).terms()) weight.at(q) += piece.coefficient * c;
        for (std::size_t q = 1; q < weight.size(); ++q)
            if (holds_none(QueueId(far_)) || (weight[q] > weight[far_] && !holds_none(QueueId(q)))) far_ = q;
        find_groups(layout);
        for (std::size_t g = 0; g < groups_.size(); ++g) {
            const bool longest = std::find(groups_[g].begin(), groups_[g].end(), far_) != groups_[g].end();
            if (longest)
                graph_.longest = g;
            else
                others_.push_back(g);
        }
        graph_.by_status = others_.empty();
        graph_.in_events = system_.instance().continuous();
    }

    PatternGraph build(std::size_t max_nodes) {
        if (graph_.by_status)
            for (const Shape& shape : shapes_) graph_.nodes.push_back({status_lines(shape), 0, {}, {}});
        else
            find_patterns(max_nodes);
        if (graph_.nodes.size() > max_nodes)
            throw LimitExceeded("nodes", "more than " + std::to_string(max_nodes) + " patterns to draw");
        fill_nodes();
        find_edges();
        return std::move(graph_);
    }

  private:
    /// What is ordered, and its names: queues that no task joins are left out.
    void find_groups(const Layout& layout) {
        const Instance& instance = system_.instance();
        graph_.by_server = layout.arrangement() == Arrangement::per_server_and_level;
        if (graph_.by_server) {
            for (const ServerId m : instance.servers()) {
                std::vector<std::size_t> own;
                for (const QueueId q : layout.queues_of(m))
                    if (!holds_none(q)) own.push_back(q.index());
                if (own.empty()) continue;
                graph_.queue.push_back("N[" + instance.server(m).name + "]");
                groups_.push_back(std::move(own));
            }
            return;
        }
        for (const QueueId q : IdRange<QueueId>(layout.queues())) {
            if (holds_none(q)) continue;
            graph_.queue.push_back("Q[" + layout.name(instance, q) + "]");
            groups_.push_back({q.index()});
        }
    }

    /// The sum over a group of a value of each of its queues.
    template <class Value, class Of>
    [[nodiscard]] Value sum(std::size_t group, Of&& of) const {
        Value total{};
        for (const std::size_t q : groups_[group]) total += of(q);
        return total;
    }

    [[nodiscard]] std::vector<std::string> status_lines(const Shape& shape) const {
        std::vector<std::string> lines;
        const Instance& instance = system_.instance();
        for (const ServerId m : instance.servers()) {
            const Service& s = shape.serving[m.index()];
            lines.push_back(instance.server(m).name + " " +
                            (s.status == Service::Status::idle ? std::string("idle")
                                                               : instance.data().levels[s.level.index()].name));
        }
        return lines;
    }

    /// All weak orders of the other queues over zero: vectors of ranks that leave out no rank between.
    void find_patterns(std::size_t max_nodes) {
        Ranks ranks(others_.size(), 0);
        for (;;) {
            const std::size_t top = *std::max_element(ranks.begin(), ranks.end());
            std::set<std::size_t> used(ranks.begin(), ranks.end());
            used.insert(0);
            if (used.size() == top + 1) {
                pattern_.emplace(ranks, graph_.nodes.size());
                graph_.nodes.push_back({{pattern_name(ranks)}, 0, {}, {}});
                if (graph_.nodes.size() > max_nodes) return;
            }
            std::size_t i = 0;
            while (i < ranks.size() && ++ranks[i] > others_.size()) ranks[i++] = 0;
            if (i == ranks.size()) return;
        }
    }

    [[nodiscard]] std::string pattern_name(const Ranks& ranks) const {
        std::string name = "0";
        for (std::size_t rank = 0; rank <= others_.size(); ++rank) {
            bool first = rank > 0;
            for (std::size_t i = 0; i < others_.size(); ++i)
                if (ranks[i] == rank) {
                    name += (first ? " < " : " = ") + graph_.queue[others_[i]];
                    first = false;
                }
        }
        return name;
    }

    /// What a pattern says about the symbols of any shape.
    [[nodiscard]] std::vector<Constraint> constraints(const Ranks& ranks) const {
        const auto symbol = [&](std::size_t i) {
            return sum<LinearForm>(others_[i],
                                   [](std::size_t q) { return LinearForm::variable(static_cast<proof::Variable>(q)); });
        };
        std::vector<Constraint> all;
        for (std::size_t i = 0; i < ranks.size(); ++i) {
            all.push_back(ranks[i] == 0 ? Constraint{-symbol(i), false}
                                        : Constraint{symbol(i) - LinearForm(Rational(1)), false});
            for (std::size_t j = 0; j < ranks.size(); ++j) {
                if (i == j || ranks[i] == 0) continue;
                if (ranks[i] == ranks[j]) all.push_back({symbol(i) - symbol(j), false});
                if (ranks[i] > ranks[j]) all.push_back({symbol(i) - symbol(j) - LinearForm(Rational(1)), false});
            }
        }
        return all;
    }

    void fill_nodes() {
        std::vector<std::optional<Range>> drift(graph_.nodes.size());
        std::vector<std::vector<std::optional<Range>>> change(graph_.nodes.size());
        for (auto& ranges : change) ranges.resize(graph_.queue.size());
        for (std::size_t s = 0; s < shapes_.size(); ++s) {
            const LinearCells found = linear_cells(system_, shapes_[s], basis_, budget_, theorem_.empty);
            if (found.cells.ended) throw LimitExceeded("exploration", *found.cells.ended);
            const proof::Space space = space_without(system_, shapes_[s], theorem_.empty);
            proof::for_each_leaf(space, found.cells.tree, [&](std::uint32_t leaf, const std::vector<Constraint>& cell) {
                const std::vector<std::size_t>& longest = groups_[graph_.longest];
                if (!found.cells.leaves[leaf]) return;
                if (std::none_of(longest.begin(), longest.end(),
                                 [&](std::size_t q) { return grows_alone(cell, static_cast<proof::Variable>(q)); }))
                    return;
                const std::vector<Rational>& row = found.cells.leaves[leaf]->row;
                for (const std::size_t node : nodes_of(s, cell, space.symbols.size())) {
                    ++graph_.nodes[node].cells;
                    hold(drift[node], basis_.drift(theorem_.w, theorem_.table, row));
                    for (std::size_t g = 0; g < groups_.size(); ++g)
                        hold(change[node][g], sum<Rational>(g, [&](std::size_t q) { return row[q]; }));
                }
            });
        }
        for (std::size_t i = 0; i < graph_.nodes.size(); ++i) {
            graph_.nodes[i].drift = drift[i].value_or(Range{});
            for (const auto& range : change[i]) graph_.nodes[i].queues.push_back(range.value_or(Range{}));
        }
    }

    [[nodiscard]] std::vector<std::size_t> nodes_of(std::size_t shape, const std::vector<Constraint>& cell,
                                                    std::size_t symbols) const {
        if (graph_.by_status) return {shape};
        std::vector<std::size_t> nodes;
        for (const auto& [ranks, node] : pattern_) {
            std::vector<Constraint> both = cell;
            for (Constraint& c : constraints(ranks)) both.push_back(std::move(c));
            if (explore::maximise(both, LinearForm(), symbols).kind == Maximum::Kind::attained) nodes.push_back(node);
        }
        return nodes;
    }

    /// The node of a state with constant lengths.
    [[nodiscard]] std::size_t node_of(const SymbolicState& state) const {
        if (graph_.by_status) {
            for (std::size_t s = 0; s < shapes_.size(); ++s)
                if (shapes_[s].serving == state.serving) return s;
            throw OracleConflict("a slot leads to statuses that the theorem does not list");
        }
        const auto tasks = [&](std::size_t group) {
            return sum<Rational>(group, [&](std::size_t q) { return state.length[q].constant(); });
        };
        std::set<Rational> levels;
        for (const std::size_t g : others_)
            if (const Rational value = tasks(g); value.sign() > 0) levels.insert(value);
        Ranks ranks;
        for (const std::size_t g : others_) {
            const Rational value = tasks(g);
            ranks.push_back(value.sign() == 0
                                ? 0
                                : 1 + static_cast<std::size_t>(std::distance(levels.begin(), levels.find(value))));
        }
        return pattern_.at(ranks);
    }

    /// Every order of the others, and more than one task from each border where there are few of them; a batch's tasks
    /// from each border where that leaves the states few.
    [[nodiscard]] std::int64_t longest_short_queue(std::size_t queues) const {
        constexpr std::uint64_t few = 10'000;
        const std::size_t reach = std::max<std::size_t>(3, others_.size());
        if (!system_.instance().batches()) return static_cast<std::int64_t>(reach);
        const std::uint64_t batch = system_.instance().arrivals().largest_total();
        std::uint64_t states = 1;
        for (std::size_t i = 0; i < queues && states <= few; ++i) states *= batch + 1;
        return static_cast<std::int64_t>(states <= few ? std::max<std::uint64_t>(reach, batch) : reach);
    }

    /// Calls visit(state) for the representative states.
    template <class Visit>
    void for_each_representative(Visit&& visit) const {
        std::vector<std::size_t> short_queues;
        for (const std::size_t g : others_)
            short_queues.insert(short_queues.end(), groups_[g].begin(), groups_[g].end());
        const std::int64_t reach = longest_short_queue(short_queues.size());
        for (const Shape& shape : shapes_) {
            const proof::Space space = system_.space(shape);
            std::vector<std::int64_t> lengths(short_queues.size(), 0);
            for (;;) {
                std::vector<Affine> symbols;
                for (const auto& symbol : space.symbols) symbols.emplace_back(symbol.lower.value_or(Rational(0)));
                symbols[far_] = Affine(far_out);
                bool valid = true;
                for (std::size_t i = 0; i < short_queues.size(); ++i) {
                    symbols[short_queues[i]] = Affine(lengths[i]);
                    valid = valid && Rational(lengths[i]) >= *space.symbols[short_queues[i]].lower;
                }
                if (const SymbolicState state = system_.state(shape, symbols); valid && system_.is_settled(state))
                    visit(state);
                std::size_t i = 0;
                while (i < lengths.size() && ++lengths[i] > reach) lengths[i++] = 0;
                if (i == lengths.size()) break;
            }
        }
    }

    /// Whether no task joins the queue.
    [[nodiscard]] bool holds_none(QueueId q) const {
        return std::binary_search(theorem_.empty.begin(), theorem_.empty.end(), q);
    }

    void find_edges() {
        struct Move {
            std::optional<Range> probability, tasks;
        };
        std::map<std::pair<std::size_t, std::size_t>, Move> found;
        for_each_representative([&](const SymbolicState& state) {
            const std::size_t from = node_of(state);
            std::map<std::size_t, Rational> to;
            for (const SymbolicMove& move : system_.moves(state)) {
                const std::size_t target = node_of(move.slot.next);
                if (target == from && !graph_.by_status) continue;
                to[target] += move.probability;
                hold(found[{from, target}].tasks, Rational(static_cast<std::int64_t>(move.slot.arrived) -
                                                           static_cast<std::int64_t>(move.slot.completed)));
            }
            for (const auto& [target, probability] : to) hold(found[{from, target}].probability, probability);
        });
        for (const auto& [ends, move] : found)
            graph_.edges.push_back({ends.first, ends.second, *move.probability, *move.tasks});
    }

    const SymbolicSystem& system_;
    const TransienceTheorem& theorem_;
    const explore::Budget& budget_;
    LinearBasis basis_;
    std::vector<Shape> shapes_;
    std::vector<std::vector<std::size_t>> groups_;  // queues, by what is ordered
    std::size_t far_ = 0;                           // the queue of largest weight
    std::vector<std::size_t> others_;               // all groups but that of this queue
    std::map<Ranks, std::size_t> pattern_;          // node of each
    PatternGraph graph_;
};

}  // namespace

PatternGraph pattern_graph(const SymbolicSystem& system, const TransienceTheorem& theorem,
                           const explore::Budget& budget, std::size_t max_nodes) {
    return Builder(system, theorem, budget).build(max_nodes);
}

}  // namespace schedproof::queueing
