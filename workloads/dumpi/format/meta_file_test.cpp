#include "workloads/dumpi/format/meta_file.hpp"

#include <doctest/doctest.h>

#include "workloads/dumpi/format/test_trace.hpp"

using namespace busline;
using namespace busline::dumpi;

namespace {

Error meta_error(const std::string& path) {
  Diagnostics diagnostics;
  const auto files = find_trace_files(path, diagnostics);
  REQUIRE(!files.has_value());
  return files.error();
}

}  // namespace

TEST_CASE("rank files are found by prefix or by the metafile's name, with any number of digits") {
  const TestTrace t(0);
  const auto folder = t.folder().string();
  const auto found = [&](const std::string& meta) {
    t.write("job.meta", meta);
    Diagnostics diagnostics;
    const auto files = find_trace_files(folder, diagnostics);
    REQUIRE_MESSAGE(files.has_value(), to_string(files.error()));
    return files->ranks;
  };
  t.write("p-0000.bin", "");
  t.write("p-0001.bin", "");
  t.write("job-0.bin", "");
  t.write("job-1.bin", "");
  CHECK(found("numprocs=2\nfileprefix=p\n")[1] == folder + "/p-0001.bin");
  CHECK(found("numprocs=2\r\nfileprefix=" + folder + "/p\r\n")[1] == folder + "/p-0001.bin");
  CHECK(found("numprocs=2\nfileprefix=/moved/from/here/p\n")[1] == folder + "/p-0001.bin");
  CHECK(found("numprocs=2\nfileprefix=renamed\n")[1] == folder + "/job-1.bin");
  t.write("job-0001.bin", "");
  CHECK(found("numprocs=2\n")[1] == folder + "/job-0001.bin");
}

TEST_CASE("rank files may be compressed, and uncompressed ones take precedence") {
  const TestTrace t(0);
  const auto folder = t.folder().string();
  t.write("job.meta", "numprocs=3\nfileprefix=job\n");
  t.write("job-0000.bin.gz", "");
  t.write("job-0001.bin.xz", "");
  t.write("job-0001.bin", "");
  t.write("job-02.bin", "");
  t.write("job-0002.bin.xz", "");
  Diagnostics diagnostics;
  const auto files = find_trace_files(folder, diagnostics);
  REQUIRE_MESSAGE(files.has_value(), to_string(files.error()));
  CHECK(files->ranks == std::vector<std::string>{folder + "/job-0000.bin.gz", folder + "/job-0001.bin",
                                                 folder + "/job-0002.bin.xz"});
}

TEST_CASE("a metafile that is read and written again is the same") {
  const std::string text =
      "hostname=node07\nnumprocs=8\nusername=<none>\nstartime=1795159556\n"
      "fileprefix=dumpi-2026.11.20\nversion=13\nsubversion=0\nsubsubversion=1\n";
  const TestTrace t(0);
  t.write("job.meta", text);
  const auto meta = read_meta_file((t.folder() / "job.meta").string());
  REQUIRE(meta.has_value());
  CHECK(meta->version == Version{13, 0, 1});
  CHECK(to_text(*meta) == text);
  t.write("job.meta", "note=of mine\nstartime=soon\nfileprefix=p\n");
  CHECK(to_text(*read_meta_file((t.folder() / "job.meta").string())) == "fileprefix=p\n");
}

TEST_CASE("without a number of ranks in the metafile, the files determine it") {
  const TestTrace t(0);
  t.write("job.meta", "hostname=h\nfileprefix=job\n");
  t.write("job-0000.bin", "");
  t.write("job-0001.bin", "");
  Diagnostics diagnostics;
  const auto files = find_trace_files((t.folder() / "job.meta").string(), diagnostics);
  REQUIRE(files.has_value());
  CHECK(files->ranks.size() == 2);
  REQUIRE(diagnostics.size() == 1);
  CHECK(diagnostics[0].code == "unknown-ranks");
  CHECK(diagnostics[0].message == "no numprocs= line; going by the files there are 2 ranks");
  t.write("job.meta", "numprocs=1\nfileprefix=job\n");
  REQUIRE(find_trace_files((t.folder() / "job.meta").string(), diagnostics));
  REQUIRE(diagnostics.size() == 2);
  CHECK(diagnostics[1].code == "more-files");
  CHECK(diagnostics[1].message == "there are files for 2 ranks; numprocs is 1, the others are not used");
}

TEST_CASE("ranks without a file are named, however many the metafile claims") {
  const TestTrace t(0);
  t.write("job.meta", "numprocs=4\nfileprefix=job\n");
  t.write("job-0001.bin", "");
  const auto e = meta_error(t.folder().string());
  CHECK(e.message == "missing ranks: 3 of 4 have no file, rank 0, 2, 3");
  t.write("job.meta", "numprocs=16777216\nfileprefix=job\n");
  CHECK(meta_error(t.folder().string()).message ==
        "missing ranks: 16777215 of 16777216 have no file, rank 0, 2, 3, 4, 5, 6, 7, 8, ...");
  t.write("job.meta", "numprocs=2147483648\nfileprefix=job\n");
  CHECK(meta_error(t.folder().string()).message == "numprocs is '2147483648', expected 1 to 16777216");
  t.write("job.meta", "numprocs=0\n");
  CHECK(meta_error(t.folder().string()).line == 1);
}

TEST_CASE("a file that is not a trace is an error that says so") {
  const TestTrace t(0);
  const auto folder = t.folder().string();
  CHECK(meta_error(folder).message == "the folder holds no DUMPI trace: no .meta file");
  t.write("a.bin", "");
  CHECK(meta_error(folder).message ==
        "missing ranks: 1 .bin files, but no .meta file that says how many ranks there are");
  CHECK(meta_error(folder).hint ==
        "if they are all ranks of one job, write a .meta file with the lines numprocs=N and fileprefix=NAME "
        "for "
        "files NAME-0000.bin ...");
  t.write("a.meta", "some text\n");
  CHECK(meta_error(folder).message ==
        "is not the metafile of a DUMPI trace: no numprocs= and no fileprefix= line");
  t.write("b.meta", "");
  const auto e = meta_error(folder);
  CHECK(e.kind == Error::Kind::bad_option);
  CHECK(e.message == "the folder holds 2 .meta files: " + folder + "/a.meta, " + folder + "/b.meta");
  CHECK(e.hint == "name the one that you mean");
  t.write("c.meta", "numprocs=2\nfileprefix=job\n");
  const auto none = meta_error(folder + "/c.meta");
  CHECK(none.message == "all rank files are missing: no " + folder + "/job-0000.bin ...");
  CHECK(none.hint == "put the .bin files beside the .meta file");
  t.write("long.meta", std::string((1U << 20) + 1, '\n'));
  CHECK(meta_error(folder + "/long.meta").message == "is too long for the metafile of a DUMPI trace");
  CHECK(meta_error(folder + "/none.meta").kind == Error::Kind::unreadable);
}
