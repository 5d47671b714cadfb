/// The pages of the site, by kind; each function adds its files.
#pragma once

#include "experiments/command/report/site.hpp"

namespace schedproof::cli::site {

/// The first page: totals, and the table of claims and policies.
void add_index(const Site& site, Files& files);
/// A page a claim, with its certificates in a script beside it.
void add_claims(const Site& site, Files& files);
/// A page a policy, and the list of them.
void add_policies(const Site& site, Files& files);
/// A page a figure, and the list of them.
void add_figures(const Site& site, Files& files);
/// A page for the works of each section of the ledger, and the list of them.
void add_papers(const Site& site, Files& files);
/// Benchmarks, what verdicts rest on, and which claims the arguments for claims use.
void add_texts(const Site& site, Files& files);
void add_graph(const Site& site, Files& files);

/// The sections on the refutations of a claim, one for each bundle; `scripts` gets what they need.
[[nodiscard]] Html counterexamples(const std::vector<const Checked*>& rows, std::vector<std::string>& scripts);
/// What the policy does on a small problem of its family, drawn. `scripts` gets what the pictures need.
[[nodiscard]] Html policy_picture(const Policy& policy, std::vector<std::string>& scripts);
/// The mark of a bundle's section within its page.
[[nodiscard]] std::string counterexample_id(std::string_view bundle);

/// All of them, with style and scripts.
[[nodiscard]] Files files_of(const Site& site);

}  // namespace schedproof::cli::site
