// The one place where tests compile the replay on a TestNetwork, which takes longer than any of them.
#include "sim/replay/test_network.hpp"

namespace busline {

Result replay(const Program& program, const Machine& machine, TestNetwork network) {
  NullObserver observer;
  Replay<TestNetwork> r(program, machine, network, observer);
  return r.result(r.run());
}

}  // namespace busline
