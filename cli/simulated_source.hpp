// The simulated machine that a kind of 'busline measure' runs on.
#pragma once
#include <memory>

#include "measuring/commands/testbed_source.hpp"

namespace busline::cli {

std::shared_ptr<TestbedSource> simulated_source();

}  // namespace busline::cli
