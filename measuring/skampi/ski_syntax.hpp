// A script of SKaMPI 5 as a tree, and the parser that makes it.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "measuring/skampi/ski_tokens.hpp"
#include "sim/base/error.hpp"

namespace busline::skampi {

inline constexpr std::size_t kDeepestSyntax = 100;

struct SkiTerm {
  enum class Kind { whole, real, text, name, call, list, prefix, infix };
  Kind kind = Kind::whole;
  std::int64_t whole = 0;
  double real = 0;
  std::string text;            ///< a text, a name, the name of a function, an operator
  std::vector<SkiTerm> parts;  ///< arguments, elements, operands
  std::size_t depth = 1;       ///< of the tree below, itself included; at most kDeepestSyntax
  SkiPlace place;
};

struct SkiStatement {
  enum class Kind {
    assign,       ///< name = terms[0]
    call,         ///< terms[0]
    print,        ///< evaluated, not printed
    measure,      ///< terms[0] is the communicator, terms[1] the operation
    range_loop,   ///< name from terms[0] to terms[1], step terms[2] (if given)
    list_loop,    ///< name in terms
    branch,       ///< if terms[0] body else otherwise
    measurement,  ///< begin measurement "name" body end measurement
  };
  Kind kind = Kind::call;
  std::string name;
  std::vector<SkiTerm> terms;
  std::vector<SkiStatement> body, otherwise;
  bool refines = false;              ///< a loop: autorefine
  bool multiplies = false;           ///< a loop: step *x
  bool is_open = false;              ///< a loop: to ...
  std::vector<SkiTerm> multiple_of;  ///< a loop: none or one
  SkiPlace place;
};

/// Errors name line and construct: what is not in the language, blocks without an end, more than
/// kDeepestSyntax things within one another.
Expected<std::vector<SkiStatement>> parse_ski(const std::vector<SkiToken>& tokens);

}  // namespace busline::skampi
