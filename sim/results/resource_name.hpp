// The texts of resources, as documents and tables have them.
#pragma once
#include <string>
#include <string_view>

#include "sim/results/result.hpp"

namespace busline {

/// "network/buses", "node 3/links out"
std::string name_of(const ResourceResult& resource);
/// Puts what name_of() tells into the resource; a name that we do not give, as ResourceKind::other.
void set_name(ResourceResult& resource, std::string_view name);

/// Tables show the resources of all nodes, and the links of all switches, as one.
bool is_one_of_many(ResourceKind kind);
/// "links out" for one of many, else its name.
std::string class_name_of(const ResourceResult& resource);

}  // namespace busline
