#include <exception>
#include <iostream>

#include "cli/run.hpp"

int main(int argc, char** argv) {
    std::ios::sync_with_stdio(false);
    try {
        const int code = vmatrix::cli::run(argc, argv, std::cout, std::cerr);
        std::cout.flush();
        if (!std::cout) {
            std::cerr << "error: cannot write to standard output\n";
            return vmatrix::cli::exit_environment;
        }
        return code;
    } catch (const std::exception& problem) {
        std::cerr << "internal error: " << problem.what() << "\n  hint: please report this with the command you ran\n";
        return vmatrix::cli::exit_bug;
    }
}
