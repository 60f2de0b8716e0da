// A team of MPI processes. Letters are messages of bytes.
#include <mpi.h>

#include "studies/study/team.hpp"

namespace busline {
namespace {

class MpiTeam : public Team {
 public:
  MpiTeam() {
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &size_);
  }
  MpiTeam(const MpiTeam&) = delete;
  MpiTeam& operator=(const MpiTeam&) = delete;
  ~MpiTeam() override { MPI_Finalize(); }

  unsigned rank() const override { return static_cast<unsigned>(rank_); }
  unsigned size() const override { return static_cast<unsigned>(size_); }
  void send(unsigned to, std::string_view text) override {
    MPI_Send(text.data(), static_cast<int>(text.size()), MPI_CHAR, static_cast<int>(to), 0, MPI_COMM_WORLD);
  }
  Letter receive() override {
    MPI_Status status;
    MPI_Probe(MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status);
    int bytes = 0;
    MPI_Get_count(&status, MPI_CHAR, &bytes);
    Letter letter;
    letter.from = static_cast<unsigned>(status.MPI_SOURCE);
    letter.text.resize(static_cast<std::size_t>(bytes));
    MPI_Recv(letter.text.data(), bytes, MPI_CHAR, status.MPI_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return letter;
  }
  bool has_letter() override {
    int there = 0;
    MPI_Iprobe(MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &there, MPI_STATUS_IGNORE);
    return there != 0;
  }

 private:
  int rank_ = 0, size_ = 1;
};

}  // namespace
}  // namespace busline

/// busline::MakeTeam. The threads of a study do not call MPI; only the one that made the team does.
extern "C" __attribute__((visibility("default"))) busline::Team* busline_make_team() {
  int provided = 0;
  MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided);
  auto* team = new busline::MpiTeam;
  if (team->size() > 1) return team;
  delete team;
  return nullptr;
}
