#include "checks/families.hpp"
#include "experiments/command/families/family_files.hpp"
#include "model/core/errors.hpp"

namespace schedproof::cli {

#define SCHEDPROOF_DECLARE_FILES(NAME) std::unique_ptr<const FamilyFiles> NAME##_files();
SCHEDPROOF_FAMILIES(SCHEDPROOF_DECLARE_FILES)
#undef SCHEDPROOF_DECLARE_FILES

std::size_t FamilyFiles::line_of(const std::string&, const std::string&) const { return 0; }

std::unique_ptr<InstanceFile> InstanceFile::in_time(const std::optional<Rational>& slot) const {
    throw InputError::at_key(slot ? "--in-slots" : "--in-continuous-time",
                             "expected an instance of a family whose time may be in slots or continuous");
}

Json FamilyFiles::place(const checks::Counterexample&) const { return Json::object(); }

std::string FamilyFiles::refusal(const std::string& policy) const {
    for (const checks::Family* known : checks::families())
        if (known->id() == family()) return known->refusal(policy);
    throw ContractViolation("files of no family: " + std::string(family()));
}

std::vector<std::string> FamilyFiles::worst_cases(const std::string&, const explore::Budget&,
                                                  const std::function<void(const WorstFound&)>&) const {
    return {};
}

std::vector<Comparison> FamilyFiles::comparisons(const std::string&, std::uint64_t) const { return {}; }

std::string FamilyFiles::policy_from(const std::string&, std::string_view, std::string_view, bool) const {
    throw ContractViolation("a policy from another one, in a family whose policies are code");
}

void FamilyFiles::know_policy(const BundleText&) const {}

std::optional<PolicyPicture> FamilyFiles::pictured(const std::string&) const { return {}; }

void FamilyFiles::illustrate(const std::string&, const std::string&, const checks::Counterexample&) const {}

const std::vector<std::unique_ptr<const FamilyFiles>>& family_files() {
    static const auto files = [] {
        std::vector<std::unique_ptr<const FamilyFiles>> list;
#define SCHEDPROOF_ADD_FILES(NAME) list.push_back(NAME##_files());
        SCHEDPROOF_FAMILIES(SCHEDPROOF_ADD_FILES)
#undef SCHEDPROOF_ADD_FILES
        return list;
    }();
    return files;
}

CodeFamilies code_families() {
    CodeFamilies list;
    for (const auto& files : family_files())
        if (files->policy_headers()) list.push_back(files.get());
    return list;
}

void require_agreement(std::string_view family, const std::string& policy) {
    for (const auto& files : family_files()) {
        if (files->family() != family) continue;
        if (const std::string why = files->refusal(policy); !why.empty())
            throw OracleConflict(policy + " is refused: " + why);
    }
}

const FamilyFiles& files_of(const checks::Family& family) {
    for (const auto& files : family_files())
        if (files->family() == family.id()) return *files;
    throw ContractViolation("a family without files: " + std::string(family.id()));
}

}  // namespace schedproof::cli
