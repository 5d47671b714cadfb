/// A shared object is never closed: the policy's code and texts live in it. Its symbols are its own, and what it calls
/// of the library's it finds in this program, which exports them.
#include "experiments/command/policy_header/shared_object.hpp"

#include <cxxabi.h>
#include <dlfcn.h>
#include <fmt/core.h>

#include <cstdlib>
#include <cstring>
#include <memory>

#include "experiments/command/policy_header/hand_over.hpp"
#include "experiments/command/policy_header/process_end.hpp"
#include "model/base/text.hpp"

namespace schedproof::cli::policy_header {

namespace fs = std::filesystem;

namespace {

constexpr base::ProcessLimits trial_limits{.time = std::chrono::seconds(120),
                                           .processor = std::chrono::seconds(30),
                                           .memory = std::uint64_t{2} << 30U,
                                           .file = std::uint64_t{1} << 24U};

/// The loader's complaint, with names as C++ has them.
std::string complaint() {
    const char* text = ::dlerror();
    std::string words = text == nullptr ? "" : text;
    constexpr std::string_view undefined = "undefined symbol: ";
    const std::size_t at = words.find(undefined);
    if (at == std::string::npos) return words;
    const std::string rest = words.substr(at + undefined.size()), symbol = rest.substr(0, rest.find_first_of(" ,("));
    return fmt::format("it calls {}, which this program does not have", demangled(symbol));
}

}  // namespace

std::string demangled(const std::string& symbol) {
    int status = 0;
    const std::unique_ptr<char, void (*)(void*)> plain(abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status),
                                                       std::free);
    return status == 0 ? plain.get() : symbol;
}

PolicyCode loaded(const fs::path& object, const CodeFamily& family, const std::string& name) {
    void* const handle = ::dlopen(object.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (handle == nullptr) throw InputError::in_file(name, "expected a policy that can be loaded: " + complaint());
    using HandOver = void(std::vector<HandedOver>&);
    auto* const hand_over = reinterpret_cast<HandOver*>(::dlsym(handle, "schedproof_hand_over"));
    if (hand_over == nullptr) throw InputError::in_file(name, "expected a policy that can be loaded: " + complaint());
    std::vector<HandedOver> policies;
    hand_over(policies);
    if (policies.empty())
        throw InputError::in_file(
            name, fmt::format("expected a struct, no template, with `static constexpr PolicyInfo info`, as a policy of "
                              "the {} family is",
                              family.family()));
    if (policies.size() > 1)
        throw InputError::at_line(name, policies[1].line,
                                  fmt::format("expected one policy in a file, but '{}' stands in line {} already and "
                                              "'{}' is another",
                                              policies[0].type, policies[0].line, policies[1].type));
    HandedOver& policy = policies.front();
    if (const std::string wrong = wrong_words(policy.info); !wrong.empty())
        throw InputError::at_line(name, policy.line, wrong);
    return {&family,
            std::string(policy.info.id),
            std::move(policy.type),
            std::move(policy.policy),
            policy.line,
            std::move(policy.hopes),
            read_expects(policy.expects, name, policy.line)};
}

PolicyCode tried(const fs::path& object, const CodeFamily& family, const std::string& name) {
    const base::IsolatedEnd end = base::run_isolated(
        [&]() -> std::string {
            try {
                return family.refusal(family.add_policy(loaded(object, family, name).policy));
            } catch (const InputError&) {
                return "";  // what this process is told too
            }
        },
        trial_limits);
    std::string wrong = misbehaviour(end, trial_limits);
    if (wrong.empty() && end.exception && *end.exception == std::bad_alloc().what())
        wrong = fmt::format("asks for more than {} GiB of memory", trial_limits.memory >> 30U);
    if (wrong.empty() && end.exception) wrong = "throws " + base::shown(*end.exception, 200);
    if (wrong.empty() && !end.answer) wrong = "ends the program";
    if (!wrong.empty()) throw InputError::in_file(name, "expected a policy that only answers, but its code " + wrong);
    if (!end.answer->empty()) throw OracleConflict(fmt::format("the policy of {} is refused: {}", name, *end.answer));
    return loaded(object, family, name);
}

}  // namespace schedproof::cli::policy_header
