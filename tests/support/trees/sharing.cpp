#include "tests/support/trees/sharing.hpp"

#include <array>

namespace schedproof::sharing::trees {

namespace {

rc::Gen<std::int64_t> small(int from, int to) {
    return rc::gen::map(rc::gen::resize(rc::kNominalSize, rc::gen::inRange(from, to)),
                        [](int n) { return std::int64_t{n}; });
}

rc::Gen<Term> terms() {
    return rc::gen::build<Term>(
        rc::gen::set(&Term::question,
                     rc::gen::element(Question::constant, Question::skips, Question::running, Question::waited,
                                      Question::since_submitted, Question::reserved, Question::nearest,
                                      Question::remote_tasks, Question::remote_time)),
        rc::gen::set(&Term::constant, small(0, 4)));
}
rc::Gen<Relation> relations() { return rc::gen::element(Relation::less, Relation::at_least, Relation::equal); }
rc::Gen<Atom> atoms() {
    return rc::gen::build<Atom>(rc::gen::set(&Atom::left, terms()), rc::gen::set(&Atom::relation, relations()),
                                rc::gen::set(&Atom::right, terms()));
}
rc::Gen<Rule> rules() {
    return rc::gen::build<Rule>(
        rc::gen::set(&Rule::when, rc::gen::resize(3, rc::gen::container<std::vector<Atom>>(atoms()))),
        rc::gen::set(&Rule::action, rc::gen::weightedElement<Action>({{6, Action::launch_nearest},
                                                                      {1, Action::launch_local},
                                                                      {1, Action::launch_remote},
                                                                      {3, Action::skip},
                                                                      {2, Action::set_skips},
                                                                      {1, Action::next_job},
                                                                      {1, Action::decline}})),
        rc::gen::set(&Rule::skips, small(0, 4)));
}

constexpr std::array<const char*, 3> symbols{" < ", " >= ", " == "};
const char* symbol(Relation relation) { return symbols[static_cast<std::size_t>(relation)]; }
const char* name(Order order) { return order == Order::fair ? "Order::fair" : "Order::fifo"; }

std::string text(const Term& term) {
    constexpr std::array<const char*, 9> questions{"",
                                                   "now.skips(j)",
                                                   "now.running(j)",
                                                   "now.waited(j)",
                                                   "now.since_submitted(j)",
                                                   "now.reserved(j, n)",
                                                   "static_cast<int>(now.nearest(j, n))",
                                                   "now.remote_tasks(n)",
                                                   "now.remote_time(n)"};
    if (term.question == Question::constant) return std::to_string(term.constant);
    return questions[static_cast<std::size_t>(term.question)];
}
std::string text(const Rule& rule) {
    std::string when, then;
    for (const Atom& atom : rule.when)
        when += (when.empty() ? "" : " && ") + text(atom.left) + symbol(atom.relation) + text(atom.right);
    constexpr std::array<const char*, 7> actions{"return Launch{j, now.nearest(j, n)};",
                                                 "return Launch{j, Locality::local};",
                                                 "return Launch{j, Locality::remote};",
                                                 "now.skip(j);",
                                                 "",
                                                 "continue;",
                                                 "return {};"};
    then = rule.action == Action::set_skips ? "now.set_skips(j, " + std::to_string(rule.skips) + ");"
                                            : actions[static_cast<std::size_t>(rule.action)];
    return when.empty() ? then : "if (" + when + ") " + then;
}

}  // namespace

rc::Gen<JobTree> job_trees() {
    return rc::gen::build<JobTree>(
        rc::gen::set(&JobTree::local_first), rc::gen::set(&JobTree::order, rc::gen::element(Order::fair, Order::fifo)),
        rc::gen::set(&JobTree::rules, rc::gen::resize(5, rc::gen::container<std::vector<Rule>>(rules()))));
}
rc::Gen<QueueTree> queue_trees() {
    return rc::gen::build<QueueTree>(
        rc::gen::set(&QueueTree::join_common), rc::gen::set(&QueueTree::relation, relations()),
        rc::gen::set(&QueueTree::allowance, small(-3, 4)), rc::gen::set(&QueueTree::try_other),
        rc::gen::set(&QueueTree::true_level, rc::gen::weightedElement<bool>({{4, true}, {1, false}})));
}
rc::Gen<KillTree> kill_trees() {
    return rc::gen::build<KillTree>(
        rc::gen::set(&KillTree::relation, relations()), rc::gen::set(&KillTree::bound, small(0, 4)),
        rc::gen::set(&KillTree::spare_poor, rc::gen::weightedElement<bool>({{4, true}, {1, false}})),
        rc::gen::set(&KillTree::first_job));
}

std::ostream& operator<<(std::ostream& out, const JobTree& tree) {
    out << "std::optional<Launch> offer(V& now, NodeRef n) const {\n";
    if (tree.local_first)
        out << "    if (const auto j = now.first_local(" << name(tree.order)
            << ", n)) return Launch{*j, Locality::local};\n";
    out << "    for (const JobRef j : now.jobs(" << name(tree.order) << ")) {\n";
    for (const Rule& rule : tree.rules) out << "        " << text(rule) << "\n";
    return out << "    }\n    return {};\n}\n";
}
std::ostream& operator<<(std::ostream& out, const QueueTree& tree) {
    out << "auto route(const V& now, DataRef data) const { return now.shortest(now."
        << (tree.join_common ? "own_and_common" : "own") << "(data)); }\n"
        << "std::optional<Launch> offer(V& now, NodeRef n) const {\n    const bool own = now.weight(now.own(n)) + "
        << tree.allowance << symbol(tree.relation) << "now.weight(now.common());\n    const QueueRef first = own ? "
        << "now.own(n) : now.common(), other = own ? now.common() : now.own(n);\n";
    for (const char* q : {"first", "other"}) {
        const std::string level = tree.true_level ? std::string("now.level(") + q + ")" : "Locality::rack_local";
        out << "    if (const auto j = now.fewest_running(" << q << ")) return Launch{*j, " << level << "};\n";
        if (!tree.try_other) break;
    }
    return out << "    return {};\n}\n";
}
std::ostream& operator<<(std::ostream& out, const KillTree& tree) {
    out << "std::optional<JobRef> reclaim(const V& now) const {\n    for (const JobRef waiting : "
        << "now.jobs(Order::fair)) {\n        if (!(now.free_slots()" << symbol(tree.relation) << tree.bound
        << ")) return {};\n        const std::optional<JobRef> rich = "
        << (tree.first_job ? "waiting" : "now.most_running()")
        << ";\n        if (!rich || now.running(*rich) == 0) return {};\n";
    if (tree.spare_poor) out << "        if (now.running(*rich) <= now.fair_share()) return {};\n";
    return out << "        return rich;\n    }\n    return {};\n}\n";
}

}  // namespace schedproof::sharing::trees
