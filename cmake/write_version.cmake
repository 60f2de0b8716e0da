# Run at build time: cmake -DSOURCE_DIR= -DVERSION= -DOUTPUT= -P write_version.cmake
# Writes the commit being built, so that 'busline --version' and results can name it. Touches OUTPUT only if it changed.
cmake_policy(VERSION 3.25)
set(commit "")
find_program(git_program git)
if(git_program AND EXISTS ${SOURCE_DIR}/.git)
  execute_process(COMMAND ${git_program} -C ${SOURCE_DIR} describe --always --dirty=+changes --abbrev=12 --exclude=*
    OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
endif()
file(CONFIGURE OUTPUT ${OUTPUT} CONTENT "#include \"documents/command_line/version.hpp\"

const std::string_view busline::kVersion = \"@VERSION@\";
const std::string_view busline::kCommit = \"@commit@\";
" @ONLY)
