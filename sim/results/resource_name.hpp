// The names of resources in documents and tables.
#pragma once
#include <string>
#include <string_view>

#include "sim/results/result.hpp"

namespace busline {

/// "network/buses", "node 3/links out"
std::string name_of(const ResourceResult& resource);
/// Sets the resource from a name of name_of(); other names become ResourceKind::other.
void set_name(ResourceResult& resource, std::string_view name);

/// Tables show the resources of all nodes, and the links of all switches, as one.
bool is_one_of_many(ResourceKind kind);
/// "links out" for one of many, else its name.
std::string class_name_of(const ResourceResult& resource);

}  // namespace busline
