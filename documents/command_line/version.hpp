// The version of this Busline. The definitions are generated at build time (cmake/write_version.cmake).
#pragma once
#include <string_view>

namespace busline {

extern const std::string_view kVersion;  ///< "0.1.0"
extern const std::string_view
    kCommit;  ///< of git, with "+changes" if the tree had any; empty outside a repository

}  // namespace busline
