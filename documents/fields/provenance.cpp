#include "documents/fields/provenance.hpp"

#include "documents/fields/object.hpp"
#include "documents/fields/values.hpp"

namespace busline {

void describe(Fields& f, Provenance& p) {
  f.about("How the document was made: everything needed to rerun the command, and the resources it used.");
  f.required("tool", p.tool, "The program that wrote the document.");
  f.required("version", p.version, "Version of the program, such as '0.1.0'.");
  f.optional(
      "commit", p.commit,
      "Commit that the program was built from, with '+changes' if files differed; left out if not known.");
  f.required("command", p.command, "The command line, word by word.");
  f.required("wall_s", NotNegative{p.wall_seconds},
             "Wall time from the start of the program to the end of its work, in seconds.");
  f.required("user_s", NotNegative{p.user_seconds},
             "User CPU time likewise, with that of child processes, in seconds.");
  f.optional("inputs", p.inputs, "The files that were read; left out if there are none.");
}

void describe(Fields& f, Provenance::Input& i) {
  f.about("A file that was read.");
  f.required("path", i.path, "As opened by the program.");
  f.required("sha256", Shaped{i.sha256, "^[0-9a-f]{64}$"}, "Digest of what the file held, in hexadecimal.");
}

}  // namespace busline
