/// What a policy does on a small problem of its family, as a part of its page.
///
/// The family draws it (`FamilyFiles::pictured`), always on the same problem, so that pages of policies can be held
/// beside each other. A policy that cannot run there has a page without such a picture.
#include "checks/families.hpp"
#include "experiments/command/families/family_files.hpp"
#include "experiments/command/report/pages.hpp"
#include "experiments/command/report/plates.hpp"
#include "model/base/text.hpp"
#include "model/core/errors.hpp"

namespace schedproof::cli::site {

namespace {

std::optional<PolicyPicture> picture_by_family(const Policy& policy) {
    for (const checks::Family* family : checks::families()) {
        if (family->id() != policy.family) continue;
        try {
            return cli::files_of(*family).pictured(std::string(policy.id));
        } catch (const InputError&) {
            return {};
        } catch (const LimitExceeded&) {
            return {};
        }
    }
    return {};
}

}  // namespace

Html policy_picture(const Policy& policy, std::vector<std::string>& scripts) {
    const std::optional<PolicyPicture> made = picture_by_family(policy);
    if (!made) return {};
    std::vector<Picture> pictures;
    for (const auto& [name, svg] : made->pictures) pictures.push_back({name, svg});
    scripts.emplace_back("assets/picture.js");
    Html words(made->words);
    if (!made->command.empty()) words += " " + code(base::command_line(made->command)) + " draws it too.";
    return element("h2", made->heading) + paragraph(words) + plates(std::move(pictures), "");
}

}  // namespace schedproof::cli::site
