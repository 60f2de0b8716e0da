// The measurements that show what a single message costs, of one part of the machine, as plain numbers.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "measuring/measurement/measurement.hpp"
#include "sim/base/random.hpp"

namespace busline::calibrate {

/// The quantity of a curve over the message size.
enum class CurveKind {
  message,              ///< half a round trip of MPI_Send
  synchronous_message,  ///< half a round trip of MPI_Ssend
  /// What the call of MPI_Send takes, without the first of several samples: Open MPI's first rendezvous over
  /// TCP waits for its transfer, the next ones return when the system's buffers have the data.
  send_call,
};

struct CurvePoint {
  CurveKind kind = CurveKind::message;
  std::uint64_t bytes = 0;
  double ps = 0;                   ///< the middle of the samples, or the result without samples
  std::vector<double> samples_ps;  ///< of which `ps` is the middle; may be empty
  double weight = 1;  ///< each octave of sizes counts the same, however many of its sizes were measured
};

struct MessageCurves {
  std::vector<CurvePoint> points;
  std::vector<std::string> suites;  ///< names of those that the points are from
  bool has(CurveKind kind) const;
};

/// For the route class `where`, from all suites that fit.
MessageCurves message_curves(const std::vector<measure::Suite>& suites, measure::RouteClass where);
/// What calls of `operation` take between nodes, from suites of pattern `overhead`, for messages of less
/// than `below` bytes: points of kind `message`, a constant and something for each byte.
MessageCurves call_curves(const std::vector<measure::Suite>& suites, std::string_view operation,
                          std::uint64_t below);
/// Whether the suite shows what a message of a rank to itself costs.
bool is_of_self(const measure::Suite& suite);
/// From the suites of messages to oneself: a point of kind `message` is a call that sends and receives one.
MessageCurves self_curves(const std::vector<measure::Suite>& suites);

/// The mean of the middle half, which outliers do not move. Samples in any order, at least one.
double middle(std::vector<double> samples);
/// The same of as many samples drawn with replacement: a measurement that could have come out instead.
double redrawn_middle(const CurvePoint& point, Random& random);

}  // namespace busline::calibrate
