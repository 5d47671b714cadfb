/// A file names queues, servers and levels, and which queues there are depends on the policy's arrangement. So
/// functions stay text until the policy is known. Then every name is looked up, and an unknown one is refused with the
/// nearest and with those that this policy has.
#include "proofs/queueing/theorems/user_lyapunov.hpp"

#include <algorithm>
#include <unordered_map>

#include "model/base/nearest.hpp"
#include "model/core/errors.hpp"

namespace schedproof::queueing {

namespace {

/// Names of one kind and their positions.
class Names {
  public:
    Names(std::vector<std::string> names, const char* kind) : names_(std::move(names)), kind_(kind) {
        for (std::size_t i = 0; i < names_.size(); ++i) index_.emplace(names_[i], i);
    }
    [[nodiscard]] std::size_t find(const std::string& name, const std::string& key) const {
        if (const auto found = index_.find(name); found != index_.end()) return found->second;
        throw InputError::at_key(key, std::string("expected ") + kind_ + ", not '" + name + "'" +
                                          base::did_you_mean(name, names_) + "; there are " + list());
    }

  private:
    [[nodiscard]] std::string list() const {
        std::string all;
        for (std::size_t i = 0; i < names_.size() && i < 10; ++i) all += (i > 0 ? ", " : "") + names_[i];
        return names_.size() > 10 ? all + " and " + std::to_string(names_.size() - 10) + " more" : all;
    }

    std::vector<std::string> names_;
    const char* kind_;
    std::unordered_map<std::string, std::size_t> index_;
};

std::vector<std::string> queue_names(const Instance& instance, const Layout& layout) {
    std::vector<std::string> names;
    for (const QueueId q : IdRange<QueueId>(layout.queues())) names.push_back(layout.name(instance, q));
    return names;
}

template <class Things>
std::vector<std::string> names_of(const Things& things) {
    std::vector<std::string> names;
    for (const auto& thing : things) names.push_back(thing.name);
    return names;
}

class Resolver {
  public:
    Resolver(const LyapunovText& text, const Instance& instance, const Layout& layout)
        : key_("lyapunov." + text.name),
          queues_(queue_names(instance, layout), "a queue of this policy"),
          servers_(names_of(instance.data().servers), "a server"),
          levels_(names_of(instance.data().levels), "a level") {}

    [[nodiscard]] LyapunovForm::Linear form(const LyapunovText::Form& text) const {
        LyapunovForm::Linear form(text.constant);
        for (const auto& [queue, coefficient] : text.terms) {
            const auto x = static_cast<proof::Variable>(queues_.find(queue, key_));
            if (form.coefficient(x).sign() != 0)
                throw InputError::at_key(key_, "expected each queue once in a form, but '" + queue + "' stands twice");
            form.add(coefficient, LyapunovForm::Linear::variable(x));
        }
        return form;
    }
    [[nodiscard]] LyapunovForm::Condition condition(const LyapunovText::Condition& text) const {
        LyapunovForm::Condition condition{ServerId(servers_.find(text.server, key_)), {}, {}};
        if (text.queue) condition.queue = QueueId(queues_.find(*text.queue, key_));
        if (text.level) condition.level = Level(levels_.find(*text.level, key_));
        return condition;
    }

  private:
    std::string key_;
    Names queues_, servers_, levels_;
};

}  // namespace

LyapunovForm resolve(const LyapunovText& text, const Instance& instance, const Layout& layout) {
    const Resolver resolver(text, instance, layout);
    LyapunovForm v{text.name, {}, {}};
    for (const auto& product : text.products)
        v.products.push_back({product.coefficient, resolver.form(product.first), resolver.form(product.second)});
    for (const auto& piece : text.pieces) {
        LyapunovForm::Piece resolved{{}, piece.coefficient, {}};
        if (piece.when) resolved.when = resolver.condition(*piece.when);
        for (const auto& form : piece.largest_of) resolved.largest_of.push_back(resolver.form(form));
        v.pieces.push_back(std::move(resolved));
    }
    require_fits(v, instance, layout);
    return v;
}

std::string to_string(const LyapunovForm::Linear& form, const Instance& instance, const Layout& layout) {
    proof::Space names;
    for (const std::string& name : queue_names(instance, layout)) names.add("Q[" + name + "]", true, std::nullopt);
    return proof::to_string(form, names);
}

}  // namespace schedproof::queueing
