// A policy under a name of the library's, which the command refuses.
#include "experiments/command/command.hpp"

namespace {

struct Taken {
    static constexpr schedproof::PolicyInfo info{"pandas", "consumer", "another policy of this name"};
    static constexpr schedproof::queueing::Rules rules{
        schedproof::queueing::language::keep(schedproof::queueing::Arrangement::per_server),
        route(schedproof::queueing::language::local), serve(schedproof::queueing::language::own)};
};

}  // namespace

int main(int argc, char** argv) { return schedproof::command<Taken>(argc, argv); }
