// Master and workers: `iters` tasks of `size` bytes, answered with a quarter of that, by whoever is free.
// Tasks differ in length; a task's tag is its number, from 1 on, and a message with tag 0 ends a worker.
#include <algorithm>
#include <cstddef>
#include <vector>

#include "validation/cluster/apps/application.hpp"

namespace {

using busline::cluster::Application;

constexpr int kNoMoreTasks = 0;

int answer_bytes(const Application& app) {
  return std::max(8, app.options().bytes / 4);
}

void hand_out(const Application& app, std::vector<char>& buffer) {
  const auto& o = app.options();
  int given = 0, running = 0;
  const auto give = [&](int worker) {
    MPI_Send(buffer.data(), o.bytes, MPI_CHAR, worker, ++given, MPI_COMM_WORLD);
    ++running;
  };
  for (int worker = 1; worker < app.ranks() && given < o.iterations; ++worker) give(worker);
  while (running > 0) {
    MPI_Status status;
    MPI_Recv(buffer.data(), answer_bytes(app), MPI_CHAR, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD,
             &status);
    --running;
    if (given < o.iterations) give(status.MPI_SOURCE);
  }
  for (int worker = 1; worker < app.ranks(); ++worker)
    MPI_Send(buffer.data(), 0, MPI_CHAR, worker, kNoMoreTasks, MPI_COMM_WORLD);
}

void work(Application& app, std::vector<char>& buffer) {
  const auto& o = app.options();
  for (;;) {
    MPI_Status status;
    MPI_Recv(buffer.data(), o.bytes, MPI_CHAR, 0, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
    const int task = status.MPI_TAG;
    if (task == kNoMoreTasks) return;
    app.compute(o.compute_us * (0.5 + (task * 7 % 11) / 10.0));  // 0.5 to 1.5 of the mean
    MPI_Send(buffer.data(), answer_bytes(app), MPI_CHAR, 0, task, MPI_COMM_WORLD);
  }
}

}  // namespace

int main(int argc, char** argv) {
  Application app("farm", argc, argv);
  std::vector<char> buffer(static_cast<std::size_t>(std::max(app.options().bytes, answer_bytes(app))));
  if (app.rank() == 0)
    hand_out(app, buffer);
  else
    work(app, buffer);
  return app.finish();
}
