# busline_options carries the flags of all our targets, which consumers do not inherit.
add_library(busline_options INTERFACE)
target_compile_features(busline_options INTERFACE cxx_std_20)
# -ffp-contract=off: a fused multiply-add would round differently from one machine to the next.
target_compile_options(busline_options INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wold-style-cast -Wnon-virtual-dtor
  # GCC 12 warns without reason when a string is made from a literal and a number (GCC bug 105651), and about vectors in
  # members that are moved out of an Expected.
  $<$<AND:$<CXX_COMPILER_ID:GNU>,$<VERSION_LESS:$<CXX_COMPILER_VERSION>,13>>:-Wno-restrict$<SEMICOLON>-Wno-maybe-uninitialized>
  # Clang counts the steps in which it evaluates the table of DUMPI's calls.
  $<$<CXX_COMPILER_ID:Clang>:-fconstexpr-steps=100000000>
  # GCC would spend a tenth of the time on collecting garbage, to save a third of a gigabyte.
  $<$<CXX_COMPILER_ID:GNU>:--param=ggc-min-heapsize=1048576>
  -ffp-contract=off $<$<BOOL:${BUSLINE_WERROR}>:-Werror>)
if(BUSLINE_SANITIZE)
  # For tests that would take too long, or that measure memory.
  target_compile_definitions(busline_options INTERFACE BUSLINE_SANITIZED)
  # -Wmaybe-uninitialized is documented to err under sanitizers: <regex> of GCC 12 is one case.
  target_compile_options(busline_options INTERFACE
    -fsanitize=${BUSLINE_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer
    # A null pointer ends the program anyway, and the address sanitizer finds accesses outside an object. These checks
    # take half of the compile time.
    -fno-sanitize=null,object-size,vptr,alignment,pointer-overflow
    $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
  # lld links a Clang build's programs, with all their line numbers, in a sixth of the time.
  # Programs at a fixed address: the sanitizers' tables hold 400,000 addresses, and to relocate them takes half of the
  # time in which a command of the tests starts.
  target_link_options(busline_options INTERFACE
    -fsanitize=${BUSLINE_SANITIZE} $<$<CXX_COMPILER_ID:Clang>:-fuse-ld=lld>
    $<$<STREQUAL:$<TARGET_PROPERTY:TYPE>,EXECUTABLE>:-no-pie>)
endif()
if(BUSLINE_FUZZ)
  target_compile_options(busline_options INTERFACE -fsanitize=fuzzer-no-link)
endif()

if(BUSLINE_TESTS)
  add_library(busline_test_main OBJECT ${CMAKE_CURRENT_LIST_DIR}/test_main.cpp)
  target_link_libraries(busline_test_main PRIVATE busline_options doctest::doctest)
  target_compile_options(busline_test_main PRIVATE -O0)
endif()

# busline_files(<variable> <folder> <pattern>): the files below a folder, except in folders below it that have a
# CMakeLists.txt of their own, which is where those are built.
function(busline_files variable folder pattern)
  file(GLOB_RECURSE files CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${folder}/${pattern})
  file(GLOB_RECURSE apart CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${folder}/CMakeLists.txt)
  list(REMOVE_ITEM apart ${PROJECT_SOURCE_DIR}/${folder}/CMakeLists.txt)
  foreach(lists ${apart})
    cmake_path(GET lists PARENT_PATH apart_folder)
    list(FILTER files EXCLUDE REGEX "^${apart_folder}/")
  endforeach()
  set(${variable} ${files} PARENT_SCOPE)
endfunction()

# The headers that most files include (BUSLINE_PRECOMPILE).
set(busline_common_headers <algorithm> <array> <cmath> <cstdint> <filesystem> <fstream> <functional> <limits> <map> <memory>
  <optional> <set> <span> <sstream> <string> <string_view> <unordered_map> <utility> <variant> <vector>
  <fmt/format.h> <tl/expected.hpp>)

# busline_precompile(<target> <kind> [<header>...]): the standard headers and these. Targets of a kind have the same flags,
# so that the first one's precompiled headers serve them all.
function(busline_precompile target kind)
  if(NOT BUSLINE_PRECOMPILE)
    return()
  endif()
  get_property(first GLOBAL PROPERTY busline_precompiled_${kind})
  if(first)
    target_precompile_headers(${target} REUSE_FROM ${first})
  else()
    target_precompile_headers(${target} PRIVATE ${busline_common_headers} ${ARGN})
    set_property(GLOBAL PROPERTY busline_precompiled_${kind} ${target})
  endif()
endfunction()

# Where a preset compiles several sources of a folder as one (CMAKE_UNITY_BUILD), names in unnamed namespaces have to be
# unique in the folder, which tests/names_test.cpp checks.
# busline_as_one(<target> <sources at once>): half of what the compiler makes of them, in tests three quarters, are
# instances of the same templates, once for each batch.
function(busline_as_one target batch)
  set_target_properties(${target} PROPERTIES UNITY_BUILD_BATCH_SIZE ${batch})
endfunction()

# busline_rooms_as_one(<target> <source>...): a batch is a room, so that the compiler inlines the same functions into an event
# loop whatever other rooms hold.
function(busline_rooms_as_one target)
  set_target_properties(${target} PROPERTIES UNITY_BUILD_MODE GROUP)
  foreach(source ${ARGN})
    cmake_path(RELATIVE_PATH source BASE_DIRECTORY ${PROJECT_SOURCE_DIR})
    cmake_path(GET source PARENT_PATH room)
    string(MAKE_C_IDENTIFIER ${room} room)
    set_source_files_properties(${PROJECT_SOURCE_DIR}/${source} PROPERTIES UNITY_GROUP ${room})
  endforeach()
endfunction()

# busline_part(<folder> [HOT | FITS] [INTERNAL] [DEPENDS <folders>] [PUBLIC <targets>] [PRIVATE <targets>])
# The static library busline_A_B of the folder A/B. Files named *_test.cpp and *_main.cpp (which belongs to a program) are
# left out. HOT: compiled with the preset's optimization, for event loops and readers of large traces. The rest takes
# negligible time, and -O1 in Release, or -O0 in Debug, halves its compile time. FITS: as HOT in Debug, where the tests of
# calibration would take twice as long. INTERNAL: not installed.
function(busline_part folder)
  cmake_parse_arguments(arg "HOT;FITS;INTERNAL" "" "DEPENDS;PUBLIC;PRIVATE" ${ARGN})
  string(REPLACE "/" "_" name ${folder})
  busline_files(sources ${folder} *.cpp)
  list(FILTER sources EXCLUDE REGEX "_(main|test)\\.cpp$")
  add_library(busline_${name} STATIC ${sources})
  add_library(busline::${name} ALIAS busline_${name})
  set_target_properties(busline_${name} PROPERTIES POSITION_INDEPENDENT_CODE ON EXPORT_NAME ${name})
  target_compile_features(busline_${name} PUBLIC cxx_std_20)
  target_include_directories(busline_${name} PUBLIC
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/busline>)
  list(TRANSFORM arg_DEPENDS REPLACE "/" "_")
  list(TRANSFORM arg_DEPENDS PREPEND busline_)
  target_link_libraries(busline_${name} PUBLIC tl::expected ${arg_PUBLIC} ${arg_DEPENDS}
    PRIVATE $<BUILD_INTERFACE:busline_options> ${arg_PRIVATE})
  if(arg_HOT OR (arg_FITS AND NOT CMAKE_BUILD_TYPE STREQUAL "Release"))
    busline_precompile(busline_${name} hot)
    busline_rooms_as_one(busline_${name} ${sources})
  else()
    target_compile_options(busline_${name} PRIVATE $<IF:$<CONFIG:Release>,-O1,-O0>)
    busline_precompile(busline_${name} cold <nlohmann/json.hpp>)
    busline_as_one(busline_${name} 32)
  endif()
  if(NOT BUSLINE_MEASURE_ONLY AND NOT arg_INTERNAL)
    install(TARGETS busline_${name} EXPORT buslineTargets COMPONENT dev)
  endif()
endfunction()

# busline_generated(<library> <source>): adds a source that a custom command writes. It is compiled apart, because all sources
# of a library with such a command wait until the libraries that it depends on are linked.
function(busline_generated library source)
  add_library(${library}_generated OBJECT ${source})
  set_target_properties(${library}_generated PROPERTIES POSITION_INDEPENDENT_CODE ON)
  target_compile_features(${library}_generated PRIVATE cxx_std_20)
  target_include_directories(${library}_generated PRIVATE ${PROJECT_SOURCE_DIR})
  target_link_libraries(${library}_generated PRIVATE busline_options)
  target_sources(${library} PRIVATE $<TARGET_OBJECTS:${library}_generated>)
endfunction()

# busline_module(<folder> ...), with the arguments of busline_part: a folder at the root, its headers and its tests, which
# become <folder>_test.
function(busline_module name)
  busline_part(${name} ${ARGN})
  cmake_parse_arguments(arg "HOT;FITS;INTERNAL" "" "DEPENDS;PUBLIC;PRIVATE" ${ARGN})
  if(NOT BUSLINE_MEASURE_ONLY AND NOT arg_INTERNAL)
    install(DIRECTORY ${PROJECT_SOURCE_DIR}/${name} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/busline COMPONENT dev
      FILES_MATCHING PATTERN "*.hpp" PATTERN "test_*.hpp" EXCLUDE)
  endif()
  busline_tests(${name} ${ARGN})
endfunction()

# busline_test_program(<program>): what all programs of doctest cases have in common. Only the libraries are tested; the tests
# themselves just have to compile quickly.
function(busline_test_program program)
  target_link_libraries(${program} PRIVATE busline_options busline_test_main doctest::doctest ${json})
  target_compile_options(${program} PRIVATE -O0)
  # The same bug of GCC 12 under other names.
  if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    target_compile_options(${program} PRIVATE -Wno-array-bounds -Wno-stringop-overflow)
  endif()
  target_compile_definitions(${program} PRIVATE BUSLINE_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
endfunction()

# busline_tests(<folder> [PRIVATE <targets>] [SHARDS <n>])
# The program <folder>_test from all *_test.cpp below the folder. It knows the source tree (BUSLINE_SOURCE_DIR), where its data
# is. ctest runs it in SHARDS processes (default 1): a process for each test would take longer than the tests.
function(busline_tests folder)
  cmake_parse_arguments(arg "" "SHARDS" "PRIVATE" ${ARGN})
  if(NOT BUSLINE_UNIT_TESTS)
    return()
  endif()
  string(REPLACE "/" "_" name ${folder})
  busline_files(tests ${folder} *_test.cpp)
  add_executable(${name}_test ${tests})
  target_link_libraries(${name}_test PRIVATE busline_${name} ${arg_PRIVATE})
  busline_test_program(${name}_test)
  busline_precompile(${name}_test test <doctest/doctest.h> <nlohmann/json.hpp>)
  busline_as_one(${name}_test 24)
  busline_sharded_tests(${name}_test "${folder}" "${arg_SHARDS}")
endfunction()

# busline_sharded_tests(<program> <name> <shards>): the doctest program's cases, dealt out in turn to this many processes.
function(busline_sharded_tests program name shards)
  if(NOT shards)
    set(shards 1)
  endif()
  foreach(shard RANGE 1 ${shards})
    set(label "${name}: unit tests")
    if(shards GREATER 1)
      string(APPEND label " ${shard} of ${shards}")
    endif()
    add_test(NAME "${label}" COMMAND ${program})
    # COST: ctest starts these first, since a long test at the end would keep only one processor busy.
    set_tests_properties("${label}" PROPERTIES TIMEOUT 600 COST 100 ENVIRONMENT "BUSLINE_TEST_SHARD=${shard}/${shards}")
  endforeach()
endfunction()

# busline_headers_compile_alone(<folder>...): a source for each header of these folders that includes nothing else, so that
# no header depends on earlier includes. Where a header's own source includes it first, that already proves it,
# unless something is precompiled.
function(busline_headers_compile_alone)
  set(generated)
  set(libraries)
  foreach(folder ${ARGN})
    busline_files(headers ${folder} *.hpp)
    busline_files(sources ${folder} *.cpp)
    foreach(header ${headers})
      cmake_path(REPLACE_EXTENSION header LAST_ONLY .cpp OUTPUT_VARIABLE source)
      if(source IN_LIST sources AND NOT BUSLINE_PRECOMPILE)
        continue()
      endif()
      cmake_path(RELATIVE_PATH header BASE_DIRECTORY ${PROJECT_SOURCE_DIR} OUTPUT_VARIABLE relative)
      set(alone ${PROJECT_BINARY_DIR}/headers/${relative}.cpp)
      file(CONFIGURE OUTPUT ${alone} CONTENT "#include \"${relative}\"\n#include \"${relative}\"\n")
      list(APPEND generated ${alone})
    endforeach()
    list(APPEND libraries busline_${folder})
  endforeach()
  add_library(busline_headers OBJECT ${generated})
  target_compile_options(busline_headers PRIVATE -O0 -g0)
  target_compile_definitions(busline_headers PRIVATE BUSLINE_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  target_link_libraries(busline_headers PRIVATE ${libraries} busline_options ${fmt} doctest::doctest)
endfunction()
