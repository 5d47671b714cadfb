/// The program `schedproof`.
#include "experiments/command/command.hpp"

int main(int argc, char** argv) { return schedproof::command<>(argc, argv); }
