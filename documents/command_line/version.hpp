// Which Busline this is. The definitions are generated when it is built (cmake/write_version.cmake).
#pragma once
#include <string_view>

namespace busline {

extern const std::string_view kVersion;  ///< "0.1.0"
extern const std::string_view
    kCommit;  ///< of git, with "+changes" if the tree had any; empty outside a repository

}  // namespace busline
