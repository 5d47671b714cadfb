// The whole command with a policy of this project's own.
#include "experiments/command/command.hpp"

#include "least_work.hpp"

int main(int argc, char** argv) { return schedproof::command<schedproof::queueing::language::LeastWork>(argc, argv); }
