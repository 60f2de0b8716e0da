#include "workloads/dumpi/compile/strand_writer.hpp"

namespace busline::dumpi {

StrandWriter::StrandWriter(ProgramBuilder& builder, std::uint32_t rank, bool several_threads)
    : builder_(builder), rank_(rank), several_threads_(several_threads) {
  if (!several_threads_) builder_.begin_strand(rank_);
}

void StrandWriter::finish() {
  for (const auto& [thread, steps] : threads_) {
    builder_.begin_strand(rank_, false);
    for (const auto& step : steps) play(step);
  }
  threads_.clear();
}

void StrandWriter::play(const Step& s) {
  using enum Step::Kind;
  switch (s.kind) {
    case begin_call:
      play_begin_call(s.call);
      break;
    case compute:
      builder_.compute(s.duration);
      break;
    case elapse:
      builder_.elapse(s.duration);
      break;
    case noop:
      play_noop();
      break;
    case event:
      builder_.event(s.event_type, s.event_value);
      break;
    case send:
      builder_.send(s.envelope, s.bytes, s.mode);
      break;
    case recv:
      builder_.recv(s.envelope, s.bytes);
      break;
    case probe:
      builder_.probe(s.envelope);
      break;
    case isend:
      set_slot(s.operation, builder_.isend(s.envelope, s.bytes, s.mode));
      break;
    case isend_and_forget:
      builder_.isend_and_forget(s.envelope, s.bytes, s.mode);
      break;
    case irecv:
      set_slot(s.operation, builder_.irecv(s.envelope, s.bytes));
      break;
    case nothing:
      play_noop();
      set_slot(s.operation, kDone);
      break;
    case wait:
      play_wait(s.operation);
      break;
    case put:
      transfers_.push_back(builder_.put(s.envelope, s.bytes));
      break;
    case get:
      transfers_.push_back(builder_.get(s.envelope, s.bytes));
      break;
    case request_put:
      set_slot(s.operation, builder_.put(s.envelope, s.bytes));
      break;
    case request_get:
      set_slot(s.operation, builder_.get(s.envelope, s.bytes));
      break;
    case wait_transfers:
      for (const auto slot : transfers_) builder_.wait(slot);
      transfers_.clear();
      break;
    case collective:
      builder_.collective(s.collective);
      break;
    case collective_start:
      set_slot(s.operation, builder_.collective_start(s.collective));
      break;
    case exchange:
      play_exchange(s);
      break;
  }
}

void StrandWriter::play_exchange(const Step& s) {
  const auto& e = exchanges_[s.exchange];
  auto slots = builder_.exchange_with_neighbors(e.sources, e.destinations, s.envelope.communicator);
  if (slots.empty()) play_noop();
  // A wait that an earlier strand made has one place: it waits for the last message alone.
  if (slots.size() < 2 || early_waits_.contains(s.operation))
    return set_slot(s.operation, slots.empty() ? kDone : slots.back());
  several_[s.operation] = std::move(slots);
  set_slot(s.operation, kSeveral);
}

void StrandWriter::play_noop() {
  if (builder_.position() == call_position_) builder_.noop();
}

void StrandWriter::set_slot(std::uint32_t operation, std::uint32_t slot) {
  if (operation == slots_.size()) {
    slots_.push_back(slot);
  } else {
    if (operation > slots_.size()) slots_.resize(operation + 1, kNotMade);
    slots_[operation] = slot;
  }
  if (early_waits_.empty()) return;
  const auto wait = early_waits_.find(operation);
  if (wait == early_waits_.end()) return;
  if (slot != kDone) builder_.fill_wait(wait->second, slot);
  slots_[operation] = kDone;
  early_waits_.erase(wait);
}

void StrandWriter::play_wait(std::uint32_t operation) {
  const auto slot = operation < slots_.size() ? slots_[operation] : kNotMade;
  if (slot == kDone) return;
  if (slot == kNotMade) {  // a thread with a later strand makes it
    early_waits_[operation] = builder_.wait_later();
    return;
  }
  slots_[operation] = kDone;
  if (slot != kSeveral) return builder_.wait(slot);
  const auto all = several_.extract(operation);
  for (const auto one : all.mapped()) builder_.wait(one);
}

}  // namespace busline::dumpi
