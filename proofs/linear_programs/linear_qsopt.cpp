/// QSopt_ex: the rational simplex, in a process of its own.
///
/// The library's initialisation replaces GMP's allocator for the whole process, so every rational that exists by then
/// would be freed by an allocator that never saw it. It also keeps global state and prints to the console. A forked
/// child solves one program and writes the numbers to a pipe; a crash there is a method that gave up. What the child
/// says is checked by the caller like any other guess.
///
/// Solutions are read from the problem afterwards: filling x through QSexact_solver writes slack values beyond an array
/// of structural variables.
///
/// A child may allocate although other threads held the allocator when it was forked: the C library's allocator is made
/// for that. The address sanitizer's is not, and such a child waits for ever; in that build a child that has not
/// answered after a minute is ended and started again.
#include <fcntl.h>
#include <gmp.h>  // before the C headers below, which include it inside extern "C"
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <sstream>
#include <string>

extern "C" {
#include <qsopt_ex/QSopt_ex.h>
}

#include "proofs/linear_programs/linear_backends.hpp"

namespace schedproof::capacity::backend {

namespace {

// Child only: nothing is ever freed, since the process ends right after.
mpq_t* new_array(std::size_t size) {
    mpq_t* data = new mpq_t[size > 0 ? size : 1];
    for (std::size_t i = 0; i < size; ++i) mpq_init(data[i]);
    return data;
}

mpq_QSprob build(const LinearProgram& program) {
    mpq_QSprob problem = mpq_QScreate_prob("program", QS_MIN);
    mpq_QSset_param(problem, QS_PARAM_SIMPLEX_DISPLAY, 0);
    mpq_t* bound = new_array(2);  // cost, zero
    for (const Rational& cost : program.cost) {
        mpq_set(bound[0], cost.gmp());
        mpq_QSnew_col(problem, bound[0], bound[1], mpq_ILL_MAXDOUBLE, nullptr);
    }
    mpq_t* rhs = new_array(1);
    for (const LinearRow& row : program.rows) {
        std::vector<int> index;
        mpq_t* value = new_array(row.entries.size());
        for (const auto& [j, a] : row.entries) {
            mpq_set(value[index.size()], a.gmp());
            index.push_back(static_cast<int>(j));
        }
        mpq_set(rhs[0], row.rhs.gmp());
        const char sense = row.relation == Relation::equal ? 'E' : row.relation == Relation::at_most ? 'L' : 'G';
        mpq_QSadd_row(problem, static_cast<int>(index.size()), index.data(), value, rhs, sense, nullptr);
    }
    return problem;
}

void write_numbers(int pipe, const mpq_t* numbers, std::size_t size) {
    std::string text;
    for (std::size_t i = 0; i < size; ++i) {
        text.resize(mpz_sizeinbase(mpq_numref(numbers[i]), 10) + mpz_sizeinbase(mpq_denref(numbers[i]), 10) + 3);
        mpq_get_str(text.data(), 10, numbers[i]);
        text.resize(text.find('\0'));
        text += '\n';
        for (std::size_t done = 0; done < text.size();) {
            const ssize_t written = write(pipe, text.data() + done, text.size() - done);
            if (written <= 0) _exit(1);
            done += static_cast<std::size_t>(written);
        }
    }
}

#ifdef SCHEDPROOF_SANITIZED
constexpr unsigned patience = 60;  // seconds
#else
constexpr unsigned patience = 0;  // no limit: an answer may not depend on a clock
#endif

[[noreturn]] void child(const LinearProgram& program, int pipe) {
    alarm(patience);
    const int nowhere = open("/dev/null", O_WRONLY);
    dup2(nowhere, STDOUT_FILENO);
    dup2(nowhere, STDERR_FILENO);
    QSexactStart();
    mpq_QSprob problem = build(program);
    int status = 0;
    if (QSexact_solver(problem, nullptr, nullptr, nullptr, DUAL_SIMPLEX, &status) != 0 || status != QS_LP_OPTIMAL)
        _exit(1);
    mpq_t *value = new_array(1), *x = new_array(program.cost.size()), *multipliers = new_array(program.rows.size());
    if (mpq_QSget_objval(problem, value) != 0 || mpq_QSget_x_array(problem, x) != 0 ||
        mpq_QSget_pi_array(problem, multipliers) != 0)
        _exit(1);
    write_numbers(pipe, value, 1);
    write_numbers(pipe, x, program.cost.size());
    write_numbers(pipe, multipliers, program.rows.size());
    _exit(0);
}

std::optional<std::vector<Rational>> parse(const std::string& text, std::size_t expected) {
    std::vector<Rational> numbers;
    std::istringstream lines(text);
    mpq_t number;
    mpq_init(number);
    for (std::string line; std::getline(lines, line) && mpq_set_str(number, line.c_str(), 10) == 0;)
        numbers.push_back(Rational::from_gmp(number));
    mpq_clear(number);
    if (numbers.size() != expected) return std::nullopt;
    return numbers;
}

}  // namespace

std::optional<LinearSolution> rational_simplex(const LinearProgram& program) {
    int ends[2];
    if (pipe(ends) != 0) return std::nullopt;
    const pid_t process = fork();
    if (process == 0) {
        close(ends[0]);
        child(program, ends[1]);
    }
    close(ends[1]);
    std::string text;
    char buffer[1 << 16];
    for (ssize_t size; process > 0 && (size = read(ends[0], buffer, sizeof buffer)) > 0;)
        text.append(buffer, static_cast<std::size_t>(size));
    close(ends[0]);
    int status = 0;
    if (process < 0 || waitpid(process, &status, 0) != process) return std::nullopt;
    if (patience > 0 && WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM) return rational_simplex(program);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) return std::nullopt;
    const std::size_t variables = program.cost.size();
    const auto numbers = parse(text, 1 + variables + program.rows.size());
    if (!numbers) return std::nullopt;
    const auto x = numbers->begin() + 1, multipliers = x + static_cast<std::ptrdiff_t>(variables);
    return LinearSolution{numbers->front(), {x, multipliers}, {multipliers, numbers->end()}};
}

}  // namespace schedproof::capacity::backend
