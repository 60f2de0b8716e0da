// The whole program but main(): reads the command line, runs the command, prints its error, gives the exit
// code.
#pragma once

namespace busline::cli {

int run_program(int argc, char** argv);

}  // namespace busline::cli
