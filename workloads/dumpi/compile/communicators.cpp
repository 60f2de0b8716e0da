#include "workloads/dumpi/compile/communicators.hpp"

#include "workloads/dumpi/compile/communicator_matcher.hpp"

namespace busline::dumpi {

Communicators::Communicators(ProgramBuilder& builder, std::size_t ranks)
    : builder_(&builder), all_(1), views_(ranks, {{0, 0}, {}}) {}

Expected<Communicators> Communicators::match(const std::vector<RankSurvey>& ranks,
                                             const std::vector<std::string>& paths, ProgramBuilder& builder,
                                             std::vector<Error>* tolerated) {
  Communicators result(builder, ranks.size());
  if (auto done = CommunicatorMatcher(ranks, paths, result, tolerated).run(); !done)
    return tl::unexpected(std::move(done.error()));
  return result;
}

std::span<const std::uint32_t> Communicators::group(std::uint32_t communicator, int side) const {
  const auto& c = all_[communicator];
  const auto members = builder_->members(c.program_id);
  if (c.first_side == 0) return members;
  return side == 0 ? members.first(c.first_side) : members.subspan(c.first_side);
}

std::span<const std::uint32_t> Communicators::members(std::uint32_t rank, std::uint32_t instance,
                                                      bool remote) {
  const auto v = view(rank, instance);
  if (!v.known()) return {};
  return remote ? peers(v) : local_group(v);
}

std::uint32_t Communicators::neighbourhood_id(CommunicatorView v) {
  auto& c = all_[v.communicator];
  if (!c.neighbourhood_id) {
    const auto members = builder_->members(c.program_id);
    c.neighbourhood_id = builder_->add_communicator({members.begin(), members.end()});
  }
  return *c.neighbourhood_id;
}

CommunicatorView Communicators::view(std::uint32_t rank, std::uint32_t instance) {
  auto& views = views_[rank];
  if (instance >= views.size()) return {};
  if (instance == kSelfInstance && !views[instance].known()) {
    views[instance].communicator = static_cast<std::uint32_t>(all_.size());
    all_.push_back({builder_->add_communicator({rank}), 0, {}});
  }
  return views[instance];
}

}  // namespace busline::dumpi
