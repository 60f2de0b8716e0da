// The fit in words: the parameters of a calibrated platform with their intervals, and what the measurements
// could not determine.
#pragma once
#include <string>
#include <vector>

#include "platforms/description/platform.hpp"
#include "validation/calibrate/compute_fit.hpp"
#include "validation/calibrate/message_curves.hpp"
#include "validation/calibrate/message_fit.hpp"
#include "validation/calibrate/sharing_fit.hpp"

namespace busline::calibrate {

/// To five significant digits: more than any measurement has, and few enough to be read.
double five_digits(double value);

/// Messages of one part of the machine.
struct RouteFit {
  MessageCurves curves;
  std::optional<MessageFit> messages;  ///< nothing: no ping-pong was measured
};

struct Fits {
  RouteFit inter, intra, self;
  /// Calls of MPI_Isend, and of MPI_Recv for messages that are there, with eager messages between nodes.
  RouteFit send_calls, receive_calls;
  SharingFit sharing;
  ComputeFit compute;
  bool progress_is_measured = false;               ///< else known of the library, or assumed
  bool handshakes_are_measured = false;            ///< whether they wait for data; else assumed
  bool send_is_of_window = false;                  ///< of messages both ways: no call was timed
  std::optional<Fitted> receive_ps;                ///< from a window, where it shows it
  bool receive_is_below_send = false;              ///< a window would have shown it otherwise; taken as 0
  std::optional<Fitted> hidden_memory_latency_ps;  ///< ping-pongs there wait for the calls of receives

  /// The messages that the network's figures are from; nullptr if there are none.
  const RouteFit* messages() const;
  /// What a call to send takes: that of MPI_Isend, which waits for nothing, else of MPI_Send, else nullptr.
  const Fitted* send_call_ps() const;
};

/// For `platform`, which has the figures.
struct Told {
  std::vector<CalibratedFigure> figures;
  Diagnostics warnings;
};
Told tell(const Fits& fits, const Platform& platform);

}  // namespace busline::calibrate
