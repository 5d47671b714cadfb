/// The same cluster under another load.
#pragma once

#include "model/queueing/instance.hpp"

namespace schedproof::queueing {

/// Each outcome of each factor of the arrival law that brings tasks, with `factor` times its probability; arrival rates
/// are `factor` times as large, and so is the load. The name says so.
/// Throws InputError unless factor > 0, there is an arrival law, and the probabilities of a factor stay at most one.
[[nodiscard]] Instance with_load(const Instance& instance, const Rational& factor);

/// The member of the instance's family at a slack: the mixture of the laws at its two ends. It states no family; its
/// name says the slack. Throws InputError at the key `slack` unless the instance has a family, and
/// 0 <= eps <= up_to.
[[nodiscard]] Instance at_slack(const Instance& instance, const Rational& eps);

/// The law in which one task of the type alone has `eps` less probability, and no task of its factor so much more.
/// Throws InputError at the key `slack.up-to` where a factor has no such outcome, or a less probable one.
[[nodiscard]] ArrivalLaw with_fewer(const ArrivalLaw& law, TaskTypeId type, const Rational& eps);

/// The same cluster in continuous time, its rates per slot taken as rates per unit of time; and one in continuous time
/// in short slots, each with one arrival at most, of a task or a batch: of length h, every rate becomes the probability
/// rate times h.
/// The instance itself where its time is that already. Throws InputError naming the key unless every type arrives, the
/// probabilities of a slot are at most 1 and sum to at most 1, and tasks are not interrupted.
[[nodiscard]] Instance in_continuous_time(const Instance& instance);
[[nodiscard]] Instance in_slots(const Instance& instance, const Rational& h);
/// The one of the two that is not the instance's own, in slots of the greatest length 1/k that its rates allow.
[[nodiscard]] Instance in_other_time(const Instance& instance);

}  // namespace schedproof::queueing
