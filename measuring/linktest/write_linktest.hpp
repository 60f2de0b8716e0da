// Writes results in the files of LinkTest, so that its tools and archives can take them
// (docs/reference/linktest.md).
#pragma once
#include <cstddef>
#include <string>

#include "measuring/linktest/linktest_result.hpp"
#include "measuring/sion/container_writer.hpp"
#include "sim/base/error.hpp"

namespace busline::linktest {

/// In the layout of 2.1.16, all iterations. The access pattern names the partner of each step, or the rank
/// itself where it pauses; only if there are more than N - 1 steps, the step of each partner. Strings are
/// truncated to fit the layout. Numbers are in options.data_order.
Expected<void> write_version2(const std::string& path, const LinkTestResult& result,
                              const sion::WriteOptions& options = {});

/// In the layout of 1.2p1, which holds a single iteration: `iteration`, counted from 0. Lost are the kernel,
/// the mode, warm-up messages, buffers, seeds, cores and times of day; of more retests than ranks, the last
/// ones. An Error of kind unsupported if a number does not fit or the iteration's access pattern is unmapped.
Expected<void> write_version1(const std::string& path, const LinkTestResult& result,
                              std::size_t iteration = 0, const sion::WriteOptions& options = {});

}  // namespace busline::linktest
