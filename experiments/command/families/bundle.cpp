/// Bundles of counterexamples, for every family.
///
/// The driver shrinks, says what fails and where, writes the claim's own pictures and a test; the family's files write
/// the problem itself. A replay reads the problem back and asks the claim's property: no oracle, no solver.
#include "experiments/command/families/bundle.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>

#include "checks/core/about_policy.hpp"
#include "checks/families.hpp"
#include "checks/pictures/render.hpp"
#include "experiments/command/core/certificate_file.hpp"
#include "experiments/command/core/commit.hpp"
#include "experiments/command/core/output.hpp"
#include "experiments/command/core/policy_file.hpp"
#include "experiments/command/core/state_json.hpp"
#include "experiments/command/families/family_files.hpp"
#include "experiments/command/families/queueing_steps.hpp"
#include "experiments/command/families/sharing_case_file.hpp"
#include "model/base/output_file.hpp"
#include "model/base/stored.hpp"
#include "model/core/errors.hpp"

namespace schedproof::cli {

namespace {

namespace fs = std::filesystem;
using namespace checks;
using base::Shape;

std::string stem(const Claim& claim, const std::string& policy, const std::string& instance) {
    return file_name(claim.id) + "--" + file_name(policy) + "--" + file_name(instance);
}

/// A failure, and where in its instance: members of an object.
struct Failure {
    std::string instance;
    Json place;
    std::string violation;
};

/// What fails, and how it was found.
struct Refutation {
    std::string claim, statement, policy, definition;
    Failure shrunk, found;
    std::size_t tried = 0;
    bool minimal = false;
};

std::vector<FieldOf<Failure>> place_fields() {
    const auto member = [](const char* name, const char* meaning, const Shape& shape) {
        const auto get = [name](const Failure& f) {
            const Json* found = f.place.find(name);
            return found == nullptr ? Json() : *found;
        };
        return field(name, get, meaning, shape);
    };
    return {member("queue_names", "Names of the queues, in the order of every list of queues here and of --queues.",
                   base::detail::shape_of<std::vector<std::string>>())
                .items(1),
            member("state", "Where it fails.", state_record().shape()),
            member("direction", "Steps of a ray of states on which the claim fails, per queue and then per counter.",
                   base::detail::shape_of<std::vector<std::int64_t>>())
                .items(1)
                .optional()};
}

Record<Failure> found_record(bool at_state) {
    std::vector<FieldOf<Failure>> fields = at_state ? place_fields() : std::vector<FieldOf<Failure>>();
    fields.insert(fields.begin(), field("instance", &Failure::instance,
                                        "Name, or file beside this one, of the instance on which the claim was refuted "
                                        "first.")
                                      .or_empty());
    fields.push_back(field("violation", &Failure::violation, "What fails there."));
    return Record<Failure>(fields);
}

const Answer<Refutation>& refutation_file() {
    static const Answer<Refutation> answer = [] {
        std::vector<std::string> with_states, without;
        for (const auto& files : family_files())
            (files->has_states() ? with_states : without).push_back(std::string(files->family()) + ".*");
        std::vector<FieldOf<Refutation>> fields{
            field("claim", &Refutation::claim, "Id, as in `schedproof list claims`."),
            field("statement", &Refutation::statement, "The claim in one sentence."), policy_field(&Refutation::policy),
            definition_field(&Refutation::definition)};
        for (FieldOf<Failure>& of : place_fields())
            fields.push_back(of_part(&Refutation::shrunk, std::move(of)).only_when("claim", with_states));
        fields.push_back(of_part(&Refutation::shrunk,
                                 field("violation", &Failure::violation,
                                       "What fails, at the state if there is one, on the instance beside this file.")));
        for (const bool at_state : {true, false})
            fields.push_back(field("found", &Refutation::found, "As it was found.", found_record(at_state))
                                 .only_when("claim", at_state ? with_states : without));
        fields.push_back(field("candidates_tried", &Refutation::tried, "Smaller candidates looked at."));
        fields.push_back(field("one_minimal", &Refutation::minimal,
                               "Whether all smaller variants of the problem were looked at and none fails in the same "
                               "way; false where the limit of candidates came first."));
        return Answer<Refutation>{
            "counterexample",
            "A state, or a problem, at which a claim fails, smallest that was found. File counterexample.json of a "
            "bundle of `schedproof check --evidence DIR`.",
            Record<Refutation>(fields), false};
    }();
    return answer;
}

/// The counterexample as a test of a project that links the installed library.
std::string test_of(const FamilyFiles& files, const Claim& claim, const Counterexample& c,
                    const std::string& violation) {
    TestCode code = files.test_code(c);
    if (const PolicyFile* file = find_policy_file(c.policy); file != nullptr && !file->type.empty()) {
        code.includes.insert(code.includes.end(), {file->path, std::string(files.policy_headers()->added)});
        code.setup = fmt::format("    {0}::add_policy({0}::added<::{1}>());\n", file->family, file->type) + code.setup;
    }
    code.includes.emplace_back("checks/core/family_of.hpp");
    code.includes.emplace_back("checks/families.hpp");
    std::sort(code.includes.begin(), code.includes.end());
    std::string includes;
    for (const std::string& path : code.includes) includes += "#include \"" + path + "\"\n";
    return fmt::format(
        "// {0}: {1}\n// {2}: {3}\n// Fails while the claim fails there. Link schedproof::checks and "
        "GTest::gtest_main.\n#include <gtest/gtest.h>\n\n{4}\nTEST(Counterexample, {5}) {{\n"
        "    using namespace schedproof;\n{6}    const checks::Claim claim = checks::claim_named(\"{0}\");\n"
        "    const auto found = checks::counterexample<checks::{7}>({8}, \"{9}\");\n"
        "    EXPECT_EQ(claim.any->violation(found), \"\");\n}}\n",
        claim.id, checks::statement_about(c.policy, claim), claim.any->describe(c),
        violation.empty() ? "the claim holds there" : violation, includes, test_name(claim.id), code.setup, code.traits,
        code.problem, c.policy);
}

/// A word of a shell, as it is.
std::string in_shell(const std::string& text) {
    std::string word = "'";
    for (const char c : text) word += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return word + "'";
}

/// The command that checks a bundle again, from wherever the bundle is: that of $SCHEDPROOF, else the program that
/// wrote it, else the one on the PATH.
std::string replay_script() {
    std::error_code unknown;
    const std::string program = fs::read_symlink("/proc/self/exe", unknown).string();
    return fmt::format(
        "#!/bin/sh\n# Checks this counterexample again, exactly. Written by schedproof {0}.\n"
        "written_by={1}\n"
        "if [ -n \"${{SCHEDPROOF:-}}\" ]; then program=$SCHEDPROOF\n"
        "elif [ -x \"$written_by\" ]; then program=$written_by\n"
        "else program=schedproof; fi\n"
        "if ! command -v \"$program\" >/dev/null; then\n"
        "  echo \"replay.sh: schedproof {0} wrote this bundle and is not here; set SCHEDPROOF to the program\" >&2\n"
        "  exit 2\nfi\n"
        "exec \"$program\" check --replay \"$(dirname \"$0\")\" \"$@\"\n",
        version_and_commit(), in_shell(program));
}

/// The pictures that the claim itself has of its failure.
void write_pictures(const std::string& folder, const Claim& claim, const Counterexample& c) {
    for (const Picture& picture : claim.any->pictures(c, {claim.id + ", " + c.policy, c.violation})) {
        base::write_file(folder + "/" + picture.name + ".dot", picture.dot);
        base::write_file(folder + "/" + picture.name + ".svg", graph::picture(picture.dot, graph::PictureFormat::svg));
    }
}

}  // namespace

base::Form counterexample_form() { return refutation_file().form(); }

Forms bundle_forms() { return forms(counterexample_form, steps_form, sharing_case_form); }

std::string write_bundle(const Claim& claim, const Counterexample& found, const std::string& instance,
                         const std::string& root) {
    std::string folder = root + "/" + stem(claim, found.policy, instance);
    base::make_directory(folder);
    const FamilyFiles& files = files_of(claim.family());
    const Shrunk shrunk = claim.any->shrink(found);
    const Counterexample& c = shrunk.counterexample;
    files.write_problem(folder, claim.id, c);
    const std::string found_name = files.write_found(folder, claim.id, found);
    write_file(folder + "/counterexample.json", refutation_file(),
               {claim.id,
                checks::statement_about(c.policy, claim),
                c.policy,
                files.definition(c),
                {"", files.place(c), c.violation},
                {found_name, files.place(found), found.violation},
                shrunk.tried,
                shrunk.minimal});
    write_pictures(folder, claim, c);
    files.illustrate(folder, claim.id, c);
    // The problem as a replay reads it, so that both write the same test.
    const Counterexample kept = files.read_problem(BundleText(folder), c.policy);
    base::write_file(folder + "/counterexample_test.cpp", test_of(files, claim, kept, c.violation));
    base::write_file(folder + "/replay.sh", replay_script());
    return folder;
}

std::string write_theorem(const Claim& claim, const Proved& proved, const std::string& policy,
                          const std::string& instance, const std::string& root) {
    base::make_directory(root);
    std::string file = root + "/" + stem(claim, policy, instance) + ".certificate.json";
    write_certificate_file(file, *proved.certificate);
    return file;
}

Replay replay(const std::string& directory) {
    const BundleText bundle(directory);
    const std::string id = bundle.text("claim");
    const std::vector<Claim> claims = all_claims();
    const auto claim = std::find_if(claims.begin(), claims.end(), [&](const Claim& c) { return c.id == id; });
    if (claim == claims.end()) bundle.member("claim").fail("expected a registered claim, not '" + id + "'");
    const FamilyFiles& files = files_of(claim->family());
    files.know_policy(bundle);
    const std::string policy = claim->family().resolve_policy(bundle.text("policy"));
    if (policy.empty())
        bundle.member("policy").fail(
            fmt::format("expected a policy of the {} family, not '{}'", claim->family().id(), bundle.text("policy")));
    require_agreement(claim->family().id(), policy);
    const Counterexample c = files.read_problem(bundle, policy);
    if (const auto wrong = claim->any->misfit(c)) {
        const std::string file = directory + "/" + files.problem_file();
        throw InputError::at_line(file, files.line_of(file, wrong->key), wrong->key, "expected " + wrong->expected);
    }
    if (const std::string registered = files.definition(c); bundle.text("definition") != registered)
        bundle.member("definition")
            .fail(fmt::format("expected the policy {} of this program, {}, not another one: {}", c.policy, registered,
                              bundle.text("definition")));
    const std::string violation = claim->any->violation(c);
    return {claim->id,
            c.policy,
            directory + "/" + std::string(files.problem_file()),
            claim->any->describe(c),
            violation,
            test_of(files, *claim, c, violation)};
}

}  // namespace schedproof::cli
