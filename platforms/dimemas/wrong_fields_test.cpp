// Every field of Dimemas's files is checked, and its error names the field and its place.
#include <doctest/doctest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "platforms/dimemas/dimemas_cfg.hpp"

using namespace busline;

namespace {

const std::string kPlatformFile = R"(#DIMEMAS_CONFIGURATION
"wide area network information" {"", 2, 1, 4, 0.0, 17.292, 1};;
"environment information" {"m0", 0, "", 3, 815.934, 0, 2};;
"environment information" {"m1", 1, "", 1, 1508.143, 0, 3};;
"multi node information" {0, 3, "", 1, 1.0, 1.199e-06, 4362.11, 1, 1, 1, 1.8287e-05, 1, 1, 0.0008284};;
"node information" {1, 0, "", 2, 2, 1, 1e-6, 1e-5, 1.0, 4362.11, 0.001};;
"predefined mapping information" {"", "1 TASKS_PER_NODE"};;
"configuration files" {"", "", "coll.cfg", ""};;
"modules information" {7, 1, 2.0};;
"file system parameters" {0.0, 0.0, 8.0, 0, 1.0};;
"accelerator node information" {0, 0, 0, 0, 0, 0, 0};;
"dedicated connection information" {0, 0, 1, 33.0, [2] {0,1}, 10000, >, &, 800000, <, [1] {1}, 20000.0, 70000.0};;
)";

const std::string kCommunicationFile = R"(Machine globalop: 0 11 LOG MAX 0 MAX
External globalop: 11 LOG MAX LIN 2MAX
11 LOG MAX LIN 2MAX 1
Flight time: 0 0.0 0.0131
Machine policy: 0 FIFO
Policy: FIFO
Quantum size (bytes): 8
)";

// A platform file that names a communication file, in a folder that is removed in the end.
class TwoFiles {
 public:
  TwoFiles() {
    std::filesystem::create_directory(folder_);
    write("m.cfg", kPlatformFile);
    write("coll.cfg", kCommunicationFile);
  }
  TwoFiles(const TwoFiles&) = delete;
  TwoFiles& operator=(const TwoFiles&) = delete;
  ~TwoFiles() { std::filesystem::remove_all(folder_); }

  void write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name) << text;
  }
  /// What reading the platform file reports, with F for the folder; empty if it is right.
  std::string error() const {
    Diagnostics d;
    const auto p = read_dimemas_cfg((folder_ / "m.cfg").string(), d);
    if (p) return "";
    auto text = to_string(p.error()) + "\n";
    for (std::size_t at; (at = text.find(folder_.string())) != text.npos;)
      text.replace(at, folder_.string().size(), "F");
    return text;
  }

 private:
  const std::filesystem::path folder_ =
      std::filesystem::temp_directory_path() / ("busline-fields-" + std::to_string(getpid()));
};

// How the fields of a record or line begin, are separated, and end.
struct Separators {
  std::string begin, between, end;
};

/// `text` with one field after the other replaced by a question mark; its first line has none.
std::vector<std::string> with_question_marks(const std::string& text, const Separators& separators) {
  std::vector<std::string> all;
  for (std::size_t line = 0, next; line < text.size(); line = next + 1) {
    next = text.find('\n', line);
    const auto begin = text.find(separators.begin, line);
    auto field = begin < next ? begin + separators.begin.size() : line;
    if (text[line] == '#') continue;
    for (;;) {
      const auto end =
          std::min({text.find(separators.between, field), text.find(separators.end, field), next});
      all.push_back(text.substr(0, field) + "?" + text.substr(end));
      if (end == next || text.compare(end, separators.between.size(), separators.between) != 0) break;
      field = end + separators.between.size();
    }
  }
  return all;
}

/// The errors that reading the two files gives with each variant as `file`.
std::string errors(const std::string& file, const std::vector<std::string>& variants) {
  const TwoFiles files;
  std::string all;
  for (const auto& variant : variants) {
    files.write(file, variant);
    all += files.error();
  }
  return all;
}

}  // namespace

TEST_CASE("a question mark in any field of a platform file is an error that names the field and its place") {
  CHECK(
      errors("m.cfg", with_question_marks(kPlatformFile, {"{", ", ", "};;"})) ==
      R"(F/m.cfg:2:38: wide area network information: number of machines: expected a whole number from 1 to 1000, found '?'
F/m.cfg:2:41: wide area network information: number of dedicated connections: expected a whole number from 0 to 1000000, found '?'
F/m.cfg:2:44: wide area network information: function of traffic (1 EXP, 2 LOG, 3 LIN, 4 CONST): expected a whole number from 1 to 4, found '?'
F/m.cfg:2:47: wide area network information: maximal traffic: expected a number of 0 or more, found '?'
F/m.cfg:2:52: wide area network information: bandwidth: expected a number of 0 or more, found '?'
F/m.cfg:2:60: wide area network information: collective model (1 CTE, 2 LIN, 3 LOG): expected a whole number from 1 to 3, found '?'
F/m.cfg:3:34: environment information: machine id: expected a whole number from 0 to 999, found '?'
F/m.cfg:3:41: environment information: number of nodes: expected a whole number from 1 to 10000000, found '?'
F/m.cfg:3:44: environment information: bandwidth: expected a number of 0 or more, found '?'
F/m.cfg:3:53: environment information: number of buses: expected a whole number from 1 to 1000000, or 0 for no limit, found '?'
F/m.cfg:3:56: environment information: collective model (1 CTE, 2 LIN, 3 LOG): expected a whole number from 1 to 3, found '?'
F/m.cfg:4:34: environment information: machine id: expected a whole number from 0 to 999, found '?'
F/m.cfg:4:41: environment information: number of nodes: expected a whole number from 1 to 10000000, found '?'
F/m.cfg:4:44: environment information: bandwidth: expected a number of 0 or more, found '?'
F/m.cfg:4:54: environment information: number of buses: expected a whole number from 1 to 1000000, or 0 for no limit, found '?'
F/m.cfg:4:57: environment information: collective model (1 CTE, 2 LIN, 3 LOG): expected a whole number from 1 to 3, found '?'
F/m.cfg:5:27: multi node information: machine id: expected a whole number from 0 to 999, found '?'
F/m.cfg:5:30: multi node information: number of nodes: expected a whole number from 1 to 10000000, found '?'
F/m.cfg:5:37: multi node information: number of CPUs: expected a whole number from 1 to 1000000, found '?'
F/m.cfg:5:40: multi node information: CPU ratio: expected a number, found '?'
F/m.cfg:5:45: multi node information: intra-node latency: expected a number of 0 or more, found '?'
F/m.cfg:5:56: multi node information: intra-node bandwidth: expected a number of 0 or more, found '?'
F/m.cfg:5:65: multi node information: intra-node buses: expected a whole number from 1 to 1000000, or 0 for no limit, found '?'
F/m.cfg:5:68: multi node information: intra-node input links: expected a whole number from 1 to 1000000, or 0 for no limit, found '?'
F/m.cfg:5:71: multi node information: intra-node output links: expected a whole number from 1 to 1000000, or 0 for no limit, found '?'
F/m.cfg:5:74: multi node information: network latency: expected a number of 0 or more, found '?'
F/m.cfg:5:86: multi node information: input links: expected a whole number from 1 to 1000000, or 0 for no limit, found '?'
F/m.cfg:5:89: multi node information: output links: expected a whole number from 1 to 1000000, or 0 for no limit, found '?'
F/m.cfg:5:92: multi node information: WAN latency: expected a number of 0 or more, found '?'
F/m.cfg:6:21: node information: machine id: expected a whole number from 0 to 999, found '?'
F/m.cfg:6:24: node information: node id: expected a whole number from -2147483648 to 2147483647, found '?'
F/m.cfg:6:31: node information: number of CPUs: expected a whole number from 1 to 1000000, found '?'
F/m.cfg:6:34: node information: input links: expected a whole number from 1 to 1000000, or 0 for no limit, found '?'
F/m.cfg:6:37: node information: output links: expected a whole number from 1 to 1000000, or 0 for no limit, found '?'
F/m.cfg:6:40: node information: latency inside the node: expected a number of 0 or more, found '?'
F/m.cfg:6:46: node information: latency between nodes: expected a number of 0 or more, found '?'
F/m.cfg:6:52: node information: CPU ratio: expected a number, found '?'
F/m.cfg:6:57: node information: memory bandwidth: expected a number of 0 or more, found '?'
F/m.cfg:6:66: node information: WAN latency: expected a number of 0 or more, found '?'
F/m.cfg:7:39: predefined mapping information: kind of mapping: expected "FILL_NODES", "INTERLEAVED" or "k TASKS_PER_NODE", found "?"
F/?: cannot be read: No such file or directory
  F/m.cfg, line 8, names this file
F/?: cannot be read: No such file or directory
  F/m.cfg, line 8, names this file
F/m.cfg:8:44: configuration files: random file: random variations are not supported; expected ""
F/m.cfg:9:24: modules information: event type: expected a whole number from 0 to 4294967295, found '?'
F/m.cfg:9:27: modules information: event value: expected a whole number from 1 to 9223372036854775807, found '?'
F/m.cfg:9:30: modules information: ratio: expected a number, found '?'
F/m.cfg:10:27: file system parameters: disk latency: expected a number of 0 or more, found '?'
F/m.cfg:10:32: file system parameters: disk bandwidth: expected a number of 0 or more, found '?'
F/m.cfg:10:37: file system parameters: block size: expected a number of 0 or more, found '?'
F/m.cfg:10:42: file system parameters: concurrent requests: expected a whole number from 0 to 2147483647, found '?'
F/m.cfg:10:45: file system parameters: hit ratio: expected a number of 0 or more, found '?'
F/m.cfg:11:33: accelerator node information: node id: expected a whole number from 0 to 9999999, found '?'
F/m.cfg:11:36: accelerator node information: number of GPUs: expected a whole number from 0 to 1000000, found '?'
F/m.cfg:12:37: dedicated connection information: connection id: expected a whole number from 0 to 1000000, found '?'
F/m.cfg:12:40: dedicated connection information: first machine: expected a whole number from 0 to 999, found '?'
F/m.cfg:12:43: dedicated connection information: second machine: expected a whole number from 0 to 999, found '?'
F/m.cfg:12:46: dedicated connection information: bandwidth: expected a number of 0 or more, found '?'
F/m.cfg:12:52: dedicated connection information: tags: expected a list, as in [2] {0, 1}, found '?'
F/m.cfg:12:63: dedicated connection information: first size: expected a whole number from 0 to 9007199254740992, found '?'
F/m.cfg:12:70: dedicated connection information: first condition: expected one of <, =, >, found '?'
F/m.cfg:12:73: dedicated connection information: operation: expected one of |, &, found '?'
F/m.cfg:12:76: dedicated connection information: second size: expected a whole number from 0 to 9007199254740992, found '?'
F/m.cfg:12:84: dedicated connection information: second condition: expected one of <, =, >, found '?'
F/m.cfg:12:87: dedicated connection information: communicators: expected a list, as in [2] {0, 1}, found '?'
F/m.cfg:12:96: dedicated connection information: latency: expected a number of 0 or more, found '?'
F/m.cfg:12:105: dedicated connection information: flight time: expected a number of 0 or more, found '?'
)");
}

TEST_CASE(
    "a question mark in any field of a communication file is an error that names the field and its place") {
  CHECK(errors("coll.cfg", with_question_marks(kCommunicationFile, {": ", " ", "\n"})) ==
        R"(F/coll.cfg:1:19: Machine globalop: machine: expected a whole number from 0 to 1, found '?'
F/coll.cfg:1:21: Machine globalop: operation id: expected a whole number from 0 to 15, found '?'
F/coll.cfg:1:24: Machine globalop: fan-in model: expected one of 0, CTE, LIN, LOG, found '?'
F/coll.cfg:1:28: Machine globalop: fan-in size: expected one of MIN, MAX, MEAN, 2MAX, S+R, found '?'
F/coll.cfg:1:32: Machine globalop: fan-out model: expected one of 0, CTE, LIN, LOG, found '?'
F/coll.cfg:1:34: Machine globalop: fan-out size: expected one of MIN, MAX, MEAN, 2MAX, S+R, found '?'
F/coll.cfg:2:20: External globalop: operation id: expected a whole number from 0 to 15, found '?'
F/coll.cfg:2:23: External globalop: fan-in model: expected one of 0, CTE, LIN, LOG, found '?'
F/coll.cfg:2:27: External globalop: fan-in size: expected one of MIN, MAX, MEAN, 2MAX, S+R, found '?'
F/coll.cfg:2:31: External globalop: fan-out model: expected one of 0, CTE, LIN, LOG, found '?'
F/coll.cfg:2:35: External globalop: fan-out size: expected one of MIN, MAX, MEAN, 2MAX, S+R, found '?'
F/coll.cfg:3: unknown line '? LOG MAX LIN 2MAX 1'
F/coll.cfg:3:4: operation: fan-in model: expected one of 0, CTE, LIN, LOG, found '?'
F/coll.cfg:3:8: operation: fan-in size: expected one of MIN, MAX, MEAN, 2MAX, S+R, found '?'
F/coll.cfg:3:12: operation: fan-out model: expected one of 0, CTE, LIN, LOG, found '?'
F/coll.cfg:3:16: operation: fan-out size: expected one of MIN, MAX, MEAN, 2MAX, S+R, found '?'
F/coll.cfg:3:21: operation: number: expected a number, found '?'
F/coll.cfg:4:14: Flight time: machine: expected a whole number from 0 to 1, found '?'
F/coll.cfg:4:16: Flight time: time to machine 0: expected a number of 0 or more, found '?'
F/coll.cfg:4:20: Flight time: time to machine 1: expected a number of 0 or more, found '?'
F/coll.cfg:5:17: Machine policy: machine: expected a whole number from 0 to 1, found '?'
F/coll.cfg:5:19: Machine policy: policy: expected FIFO, '?' is not supported
F/coll.cfg:6:9: Policy: policy: expected FIFO, '?' is not supported
F/coll.cfg:7:23: Quantum size (bytes): quantum: expected a whole number from 0 to 9223372036854775807, found '?'
)");
}
