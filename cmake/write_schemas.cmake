# Run at build time: cmake -DSCHEMAS=FILE|FILE... -DOUTPUT= -P write_schemas.cmake
# Writes the JSON Schemas as a C++ source, for 'busline schema' (cli/schemas.hpp).
cmake_policy(VERSION 3.25)
include(${CMAKE_CURRENT_LIST_DIR}/embed_text.cmake)
string(REPLACE "|" ";" schemas "${SCHEMAS}")
set(names)
foreach(file ${schemas})
  cmake_path(GET file STEM name)
  if(name IN_LIST names)
    message(FATAL_ERROR "${file}: there is another schema of this name")
  endif()
  list(APPEND names ${name})
  set(file_of_${name} ${file})
endforeach()
list(SORT names)
# The platform's is longer than the 64 KiB that every compiler has to take; GCC and Clang take any length.
file(WRITE ${OUTPUT} "#include \"cli/schemas.hpp\"\n\n#include <array>\n\n"
  "#pragma GCC diagnostic ignored \"-Woverlength-strings\"\n\nstd::span<const busline::cli::Schema> "
  "busline::cli::schemas() {\n  static constexpr std::array kSchemas{\n")
foreach(name ${names})
  text_literal(text ${file_of_${name}})
  file(APPEND ${OUTPUT} "      Schema{\"${name}\", ${text}},\n")
endforeach()
file(APPEND ${OUTPUT} "  };\n  return kSchemas;\n}\n")
