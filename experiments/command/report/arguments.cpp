#include "experiments/command/report/arguments.hpp"

namespace schedproof::cli::site {

const std::vector<Argument>& arguments() {
    static const std::vector<Argument> all = [] {
        std::vector<Argument> of_all;
        for (const auto& files : family_files()) {
            const std::vector<Argument> own = files->arguments();
            of_all.insert(of_all.end(), own.begin(), own.end());
        }
        return of_all;
    }();
    return all;
}

}  // namespace schedproof::cli::site
