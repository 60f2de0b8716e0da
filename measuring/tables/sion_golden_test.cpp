// The bytes in SION containers against the checksums that go with them; SHA-256 lives in this folder.
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "documents/text/sha256.hpp"
#include "measuring/sion/container.hpp"

TEST_CASE("the streams of SIONlib's containers have the checksums that another reader found") {
  const std::filesystem::path folder = BUSLINE_SOURCE_DIR "/validation/golden/linktest/container";
  std::size_t checked = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() != ".sion") continue;
    CAPTURE(entry.path().string());
    const auto container = busline::sion::Container::open(entry.path().string());
    REQUIRE(container);
    auto name = entry.path();
    std::ifstream in(name.replace_extension(".golden.json"));
    const auto golden = nlohmann::json::parse(in);
    REQUIRE(golden["streams"].size() == container->ranks());
    for (std::uint32_t rank = 0; rank < container->ranks(); ++rank) {
      const auto stream = container->stream(rank);
      std::string bytes(stream.size(), '\0');
      stream.read(0, bytes.data(), bytes.size());
      busline::Sha256 digest;
      digest.update(bytes);
      CHECK(golden["streams"][rank]["sha256"] == digest.hex());
      ++checked;
    }
  }
  CHECK(checked == 5 * 4 + 2 * 6);
}
