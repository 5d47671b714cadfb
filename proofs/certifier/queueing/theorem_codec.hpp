/// The data of each kind of queueing theorem as JSON text, and back: the member `statement`.
///
/// Functions of the state and statuses, which several kinds share, have functions of their own here.
#pragma once

#include <string>
#include <vector>

#include "proofs/certifier/shapes.hpp"
#include "proofs/certifier/strict_cursor.hpp"
#include "proofs/queueing/theorems/theorem.hpp"

namespace schedproof::certify {

[[nodiscard]] std::string to_json(const queueing::DriftTheorem& theorem);
[[nodiscard]] std::string to_json(const queueing::TransienceTheorem& theorem);
[[nodiscard]] std::string to_json(const queueing::MaxWeightTheorem& theorem);
[[nodiscard]] std::string to_json(const queueing::UniformTheorem& theorem);
[[nodiscard]] std::string to_json(const queueing::InvariantTheorem& theorem);
/// But for the table, which is a file of its own beside the certificate, named by its digest.
[[nodiscard]] std::string table_name(const std::string& digest);
[[nodiscard]] std::string to_json(const queueing::MeanTheorem& theorem);
[[nodiscard]] std::string to_json(const queueing::AnyPolicyTheorem& theorem);
[[nodiscard]] std::string to_json(const queueing::CollapseTheorem& theorem);
[[nodiscard]] std::string to_json(const queueing::HeavyLowerTheorem& theorem);
[[nodiscard]] std::string to_json(const queueing::HeavyUpperTheorem& theorem);
[[nodiscard]] std::string to_json(const queueing::HeavyRayTheorem& theorem);
[[nodiscard]] std::string to_json(const queueing::RegretTheorem& theorem);

/// The inverses. Throw InputError when the data have another form.
[[nodiscard]] queueing::DriftTheorem read_drift(const StrictCursor& data);
[[nodiscard]] queueing::TransienceTheorem read_transience(const StrictCursor& data);
[[nodiscard]] queueing::MaxWeightTheorem read_max_weight(const StrictCursor& data);
[[nodiscard]] queueing::UniformTheorem read_uniform(const StrictCursor& data);
[[nodiscard]] queueing::InvariantTheorem read_invariants(const StrictCursor& data);
/// Read the table's file too.
[[nodiscard]] queueing::MeanTheorem read_mean(const StrictCursor& data);
[[nodiscard]] queueing::AnyPolicyTheorem read_any_policy(const StrictCursor& data);
[[nodiscard]] queueing::CollapseTheorem read_collapse(const StrictCursor& data);
[[nodiscard]] queueing::HeavyLowerTheorem read_heavy_lower(const StrictCursor& data);
[[nodiscard]] queueing::HeavyUpperTheorem read_heavy_upper(const StrictCursor& data);
[[nodiscard]] queueing::HeavyRayTheorem read_heavy_ray(const StrictCursor& data);
[[nodiscard]] queueing::RegretTheorem read_regret(const StrictCursor& data);

/// What each holds.
[[nodiscard]] Shape drift_shape();
[[nodiscard]] Shape transience_shape();
[[nodiscard]] Shape max_weight_shape();
[[nodiscard]] Shape uniform_shape();
[[nodiscard]] Shape invariants_shape();
[[nodiscard]] Shape mean_shape();
[[nodiscard]] Shape any_policy_shape();
[[nodiscard]] Shape collapse_shape();
[[nodiscard]] Shape heavy_lower_shape();
[[nodiscard]] Shape heavy_upper_shape();
[[nodiscard]] Shape heavy_ray_shape();
[[nodiscard]] Shape regret_shape();

[[nodiscard]] Shape lyapunov_shape();
[[nodiscard]] std::string to_json(const queueing::LyapunovForm& v);
[[nodiscard]] queueing::LyapunovForm read_lyapunov(const StrictCursor& at);

/// Per server the list of what it can be doing: `"idle"` or {"status": "busy", "level": 1, "queue": 2}.
[[nodiscard]] Shape statuses_shape();
/// Queues that no task joins: a member that is there only if there are some.
[[nodiscard]] std::string empty_to_json(const std::vector<QueueId>& empty);
[[nodiscard]] base::Member empty_member();
/// `at` is the statement.
[[nodiscard]] std::vector<QueueId> read_empty(const StrictCursor& at);
/// Of servers and queues, a member that is there only if there are some. `at` is the statement.
[[nodiscard]] std::string renamings_to_json(const std::vector<queueing::Renaming>& renamings);
[[nodiscard]] base::Member renamings_member(const char* meaning);
[[nodiscard]] std::vector<queueing::Renaming> read_renamings(const StrictCursor& at);
[[nodiscard]] std::string to_json(const std::vector<std::vector<queueing::Service>>& statuses);
[[nodiscard]] std::vector<std::vector<queueing::Service>> read_statuses(const StrictCursor& at);

}  // namespace schedproof::certify
