#include "documents/text/sha256.hpp"

#include <doctest/doctest.h>

using namespace busline;

namespace {

std::string hash(std::string_view text) {
  Sha256 h;
  h.update(text);
  return h.hex();
}

}  // namespace

// The examples of FIPS 180-4 (NIST, "SHA-256 example values"), and the empty message.
TEST_CASE("SHA-256 gives the digests of the standard's examples") {
  CHECK(hash("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  CHECK(hash("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  CHECK(hash("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq") ==
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  CHECK(hash(std::string(1'000'000, 'a')) ==
        "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST_CASE("the digest does not depend on the pieces of the message") {
  const std::string text(300, 'x');
  for (std::size_t cut = 0; cut <= text.size(); ++cut) {
    Sha256 h;
    h.update(std::string_view(text).substr(0, cut));
    h.update(std::string_view(text).substr(cut));
    CHECK(h.hex() == hash(text));
  }
}

TEST_CASE("a file that cannot be read has no digest") {
  const auto h = sha256_of_file("/no/such/file");
  REQUIRE(!h);
  CHECK(h.error().kind == Error::Kind::unreadable);
  CHECK(to_string(h.error()) == "/no/such/file: cannot be read: No such file or directory");
}
