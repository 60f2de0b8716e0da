#include "documents/fields/provenance.hpp"

#include "documents/fields/object.hpp"
#include "documents/fields/values.hpp"

namespace busline {

void describe(Fields& f, Provenance& p) {
  f.required("tool", p.tool);
  f.required("version", p.version);
  f.optional("commit", p.commit);
  f.required("command", p.command);
  f.required("wall_s", NotNegative{p.wall_seconds});
  f.required("user_s", NotNegative{p.user_seconds});
  f.optional("inputs", p.inputs);
}

void describe(Fields& f, Provenance::Input& i) {
  f.required("path", i.path);
  f.required("sha256", i.sha256);
}

}  // namespace busline
