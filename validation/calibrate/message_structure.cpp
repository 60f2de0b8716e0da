#include "validation/calibrate/message_structure.hpp"

namespace busline::calibrate {

Row row_of_point(const CurvePoint& p, const MessageStructure& s) {
  Row row{std::vector<double>(s.columns(), 0), p.ps, p.weight};
  const auto bytes = static_cast<double>(p.bytes);
  const bool is_large = s.from.has_value() && p.bytes >= *s.from;
  const bool rendezvous = p.kind == CurveKind::synchronous_message || is_large;
  const auto range = s.range(p.bytes);
  if (p.kind == CurveKind::send_call) {
    row.columns[rendezvous ? s.rendezvous_call() : s.call()] = 1;
    if (!rendezvous) row.columns[s.call_per_byte()] = bytes;
    if (rendezvous && s.waits) row.columns[s.by_octaves ? s.waiting_per_byte() : 2 * range + 1] = bytes;
    return row;
  }
  if (rendezvous) row.columns[s.own_synchronous && !is_large ? s.synchronous_handshake() : s.handshake()] = 1;
  row.columns[2 * range] = 1;
  row.columns[2 * range + 1] = bytes;
  return row;
}

}  // namespace busline::calibrate
