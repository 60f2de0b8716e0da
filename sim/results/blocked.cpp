#include "sim/results/blocked.hpp"

#include <fmt/format.h>

namespace busline {
namespace {

std::string envelope(const Program& program, std::uint32_t detail) {
  const bool open = (detail & kAnyChannel) != 0;
  const auto communicator = open ? program.wildcards()[detail & ~kAnyChannel].communicator
                                 : program.channels()[detail].communicator;
  const auto tag = open ? program.wildcards()[detail & ~kAnyChannel].tag : program.channels()[detail].tag;
  if (tag < kAnyTag) return fmt::format("internal to MPI, communicator {}", communicator);
  return tag == kAnyTag ? fmt::format("any tag, communicator {}", communicator)
                        : fmt::format("tag {}, communicator {}", tag, communicator);
}

}  // namespace

std::string what_it_waits_for(const Program& program, const Operation& op, std::size_t arrived) {
  switch (op.kind) {
    case OpKind::recv:
    case OpKind::wait_recv:
    case OpKind::probe:
      return op.peer == kAnySource
                 ? fmt::format("a message from any rank, {}", envelope(program, op.detail))
                 : fmt::format("a message from rank {}, {}", op.peer, envelope(program, op.detail));
    case OpKind::send:
    case OpKind::wait_send:
      return fmt::format("rank {} to post the receive of {} bytes, {}", op.peer, op.amount,
                         envelope(program, op.detail));
    case OpKind::collective:
    case OpKind::collective_wait: {
      const auto& args = program.collectives()[op.detail];
      const auto members = program.communicators()[args.communicator].members.size();
      if (arrived == 0 || arrived >= members)
        return fmt::format("{} on communicator {} ({} ranks) to be over", name_of(args.kind),
                           args.communicator, members);
      return fmt::format("{} of the {} ranks of communicator {} to call {}", members - arrived, members,
                         args.communicator, name_of(args.kind));
    }
    default:
      return "its turn on a CPU";
  }
}

}  // namespace busline
