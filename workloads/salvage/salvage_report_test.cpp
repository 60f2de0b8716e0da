#include "workloads/salvage/salvage_report.hpp"

#include <doctest/doctest.h>

using namespace busline;

TEST_CASE("the report on an incomplete trace covers at most eight ranks") {
  SalvageReport report;
  for (std::uint32_t rank = 0; rank < 10; ++rank) {
    PartOfFile part;
    part.rank = rank;
    part.path = "t-000" + std::to_string(rank) + ".bin";
    part.why = "the file is empty";
    report.files.push_back(part);
    EarlyEnd end;
    end.rank = rank;
    end.call = 7;
    end.call_name = "MPI_Recv";
    end.kept = 5;
    end.operations = 9;
    end.waits_for = "a message from rank 1";
    report.early_ends.push_back(end);
  }
  report.files[1].records = 3;
  report.files[1].recorded = 8;
  report.unmatched.sends = 2;
  report.unmatched.collectives = 1;
  Diagnostics told;
  tell(report, "t.meta", told);
  REQUIRE(told.size() == 8 + 1 + 8 + 1 + 1);
  CHECK(told[0].message == "nothing of rank 0 is used: the file is empty");
  CHECK(told[0].path == "t-0000.bin");
  CHECK(told[1].message == "3 of 8 records of rank 1 are used: the file is empty");
  CHECK(told[8].message == "the files of 2 other ranks are not used in full either");
  CHECK(told[8].path == "t.meta");
  CHECK(told[9].message ==
        "rank 0 ends before its call 7 (MPI_Recv), after 5 of 9 operations: it would wait for a message from "
        "rank "
        "1");
  CHECK(told[17].message == "2 other ranks end early too");
  CHECK(told[18].message ==
        "left out because their counterparts are not in the trace: 2 sends, 1 collectives");
}
