#include "cli/program.hpp"

int main(int argc, char** argv) {
  return busline::cli::run_program(argc, argv);
}
