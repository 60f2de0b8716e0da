# busline_options carries the flags that every target of ours gets and that no consumer inherits.
add_library(busline_options INTERFACE)
target_compile_features(busline_options INTERFACE cxx_std_20)
# -ffp-contract=off: a fused multiply-add would round differently from one machine to the next.
target_compile_options(busline_options INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wold-style-cast -Wnon-virtual-dtor
  # GCC 12 warns without reason when a string is made from a literal and a number (GCC bug 105651), and of vectors in
  # members that are moved out of an Expected.
  $<$<AND:$<CXX_COMPILER_ID:GNU>,$<VERSION_LESS:$<CXX_COMPILER_VERSION>,13>>:-Wno-restrict$<SEMICOLON>-Wno-maybe-uninitialized>
  # The table of DUMPI's calls is made ready by the compiler; Clang counts the steps of that.
  $<$<CXX_COMPILER_ID:Clang>:-fconstexpr-steps=100000000>
  -ffp-contract=off $<$<BOOL:${BUSLINE_WERROR}>:-Werror>)
if(BUSLINE_SANITIZE)
  # -Wmaybe-uninitialized is documented to err under sanitizers: <regex> of GCC 12 is one case.
  target_compile_options(busline_options INTERFACE
    -fsanitize=${BUSLINE_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer
    # A null pointer ends the program anyway, and what lies outside of an object is the address sanitizer's, too: half of the
    # time that a file takes, for each access to an object that is asked about.
    -fno-sanitize=null,object-size,vptr,alignment,pointer-overflow
    $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
  target_link_options(busline_options INTERFACE -fsanitize=${BUSLINE_SANITIZE})
endif()
if(BUSLINE_FUZZ)
  target_compile_options(busline_options INTERFACE -fsanitize=fuzzer-no-link)
endif()

if(BUSLINE_TESTS)
  add_library(busline_test_main OBJECT ${CMAKE_CURRENT_LIST_DIR}/test_main.cpp)
  target_link_libraries(busline_test_main PRIVATE busline_options doctest::doctest)
endif()

# What most files include, read once for each target: a fifth to a third of the time that a file takes. Where headers are
# proved to stand alone (busline_module) libraries do without it.
set(busline_common_headers <algorithm> <array> <cmath> <cstdint> <functional> <limits> <map> <memory> <optional> <string>
  <string_view> <utility> <vector> <fmt/format.h> <tl/expected.hpp>)

# busline_files(<variable> <folder> <pattern>): the files below a folder, but for folders with a CMakeLists.txt of their
# own: what needs MPI, or is no part of the library, is built there.
function(busline_files variable folder pattern)
  file(GLOB_RECURSE files CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${folder}/${pattern})
  file(GLOB_RECURSE apart CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${folder}/CMakeLists.txt)
  foreach(lists ${apart})
    cmake_path(GET lists PARENT_PATH apart_folder)
    list(FILTER files EXCLUDE REGEX "^${apart_folder}/")
  endforeach()
  set(${variable} ${files} PARENT_SCOPE)
endfunction()

# Several sources are compiled as one where a preset says so (CMAKE_UNITY_BUILD, docs/decisions/058-several-sources-as-one.md): what
# they include, and what they make of it, is then compiled once. Tests are larger, and more of them at once would leave
# processors without work at the end.
set(busline_tests_at_once 6)

# busline_part(<folder> [DEPENDS <folders>] [PUBLIC <targets>] [PRIVATE <targets>] [PRECOMPILE <headers>])
# One static library, busline_A_B for the folder A/B and everything below it. Parts of it that were made before stay
# libraries of their own, which it links. Files named *_test.cpp and *_main.cpp (which belongs to a program) are left
# out. PRECOMPILE names large headers of other people's that most files there need.
function(busline_part folder)
  cmake_parse_arguments(arg "" "" "DEPENDS;PUBLIC;PRIVATE;PRECOMPILE" ${ARGN})
  string(REPLACE "/" "_" name ${folder})
  busline_files(sources ${folder} *.cpp)
  list(FILTER sources EXCLUDE REGEX "_(main|test)\\.cpp$")
  get_property(parts GLOBAL PROPERTY busline_parts)
  foreach(part ${parts})
    if(part MATCHES "^${folder}/")
      list(FILTER sources EXCLUDE REGEX "^${PROJECT_SOURCE_DIR}/${part}/")
      list(APPEND arg_DEPENDS ${part})
    endif()
  endforeach()
  set_property(GLOBAL APPEND PROPERTY busline_parts ${folder})
  add_library(busline_${name} STATIC ${sources})
  add_library(busline::${name} ALIAS busline_${name})
  set_target_properties(busline_${name} PROPERTIES POSITION_INDEPENDENT_CODE ON EXPORT_NAME ${name})
  target_compile_features(busline_${name} PUBLIC cxx_std_20)
  target_include_directories(busline_${name} PUBLIC
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/busline>)
  target_link_libraries(busline_${name} PUBLIC tl::expected ${arg_PUBLIC}
    PRIVATE $<BUILD_INTERFACE:busline_options> ${arg_PRIVATE})
  foreach(dep ${arg_DEPENDS})
    string(REPLACE "/" "_" dep ${dep})
    target_link_libraries(busline_${name} PUBLIC busline_${dep})
  endforeach()
  # Reading a command line and writing a page take no time that matters; optimising them well takes the compiler a third longer.
  if(BUSLINE_SANITIZE AND folder MATCHES "^cli")
    target_compile_options(busline_${name} PRIVATE -O0)
  elseif(folder MATCHES "^(cli|studies$)")
    target_compile_options(busline_${name} PRIVATE $<$<CONFIG:Release>:-O1>)
  endif()
  target_precompile_headers(busline_${name} PRIVATE ${arg_PRECOMPILE})
  if(BUSLINE_SANITIZE AND "${arg_PRIVATE}" MATCHES "fmt")
    target_precompile_headers(busline_${name} PRIVATE ${busline_common_headers})
  endif()
  # The command line is the programs' own.
  if(NOT BUSLINE_MEASURE_ONLY AND NOT folder MATCHES "^cli")
    install(TARGETS busline_${name} EXPORT buslineTargets COMPONENT dev)
  endif()
endfunction()

# busline_module(<folder> ...), with the arguments of busline_part: a folder at the root, its headers and its tests.
# The tests of its parts are among them. They become <folder>_test, which is told the source tree (BUSLINE_SOURCE_DIR)
# to find its data.
function(busline_module name)
  busline_part(${name} ${ARGN})
  cmake_parse_arguments(arg "" "" "DEPENDS;PUBLIC;PRIVATE;PRECOMPILE" ${ARGN})
  if(NOT BUSLINE_MEASURE_ONLY AND NOT "${name}" STREQUAL "cli")
    install(DIRECTORY ${name} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/busline COMPONENT dev
      FILES_MATCHING PATTERN "*.hpp")
  endif()
  if(NOT BUSLINE_TESTS)
    return()
  endif()
  busline_files(tests ${name} *_test.cpp)
  if(tests)
    add_executable(${name}_test ${tests})
    target_link_libraries(${name}_test PRIVATE busline_${name} busline_options busline_test_main doctest::doctest
      ${arg_PRIVATE})
    # What is tested is in the libraries, at full optimisation; the tests themselves only have to compile quickly. Sanitizers
    # make optimising them three times as long.
    target_compile_options(${name}_test PRIVATE $<$<CONFIG:Release>:-O1>)
    # The same bug of GCC 12 under other names; which files it hits depends on those that are compiled with them.
    if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
      target_compile_options(${name}_test PRIVATE -Wno-array-bounds -Wno-stringop-overflow)
    endif()
    if(BUSLINE_SANITIZE)
      target_compile_options(${name}_test PRIVATE -O0)
    endif()
    target_precompile_headers(${name}_test PRIVATE <doctest/doctest.h> ${arg_PRECOMPILE} ${busline_common_headers})
    set_target_properties(${name}_test PROPERTIES UNITY_BUILD_BATCH_SIZE ${busline_tests_at_once})
    target_compile_definitions(${name}_test PRIVATE BUSLINE_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
    doctest_discover_tests(${name}_test TEST_PREFIX "${name}: ")
  endif()
  # The program's own headers (cli) are nobody else's, and each would read the command line's library once more.
  if(NOT BUSLINE_SANITIZE AND NOT "${name}" STREQUAL "cli")
    busline_files(headers ${name} *.hpp)
    # The source of a header includes it first (validation/structure_test.cpp), so that it is the proof, unless something was
    # put before it.
    if(NOT arg_PRECOMPILE)
      busline_files(sources ${name} *.cpp)
      foreach(header ${headers})
        cmake_path(REPLACE_EXTENSION header LAST_ONLY .cpp OUTPUT_VARIABLE source)
        if(source IN_LIST sources)
          list(REMOVE_ITEM headers ${header})
        endif()
      endforeach()
    endif()
    busline_headers_compile_alone(${name} "${headers}" "${arg_PRIVATE}")
  endif()
endfunction()

# Builds a source file per header that includes nothing else, so that no header leans on what was included before it.
function(busline_headers_compile_alone name headers private)
  set(generated)
  foreach(header ${headers})
    cmake_path(RELATIVE_PATH header BASE_DIRECTORY ${PROJECT_SOURCE_DIR} OUTPUT_VARIABLE relative)
    set(source ${PROJECT_BINARY_DIR}/headers/${relative}.cpp)
    file(CONFIGURE OUTPUT ${source} CONTENT "#include \"${relative}\"\n#include \"${relative}\"\n")
    list(APPEND generated ${source})
  endforeach()
  add_library(${name}_headers OBJECT ${generated})
  target_compile_options(${name}_headers PRIVATE -O0 -g0)
  target_compile_definitions(${name}_headers PRIVATE BUSLINE_SOURCE_DIR="${PROJECT_SOURCE_DIR}")  # of tests' headers
  set_target_properties(${name}_headers PROPERTIES UNITY_BUILD OFF)
  target_link_libraries(${name}_headers PRIVATE busline_${name} busline_options ${private})
endfunction()
