# busline_options carries the flags that every target of ours gets and that no consumer inherits.
add_library(busline_options INTERFACE)
target_compile_features(busline_options INTERFACE cxx_std_20)
# -ffp-contract=off: a fused multiply-add would round differently from one machine to the next.
target_compile_options(busline_options INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wold-style-cast -Wnon-virtual-dtor
  # GCC 12 warns without reason when a string is made from a literal and a number (GCC bug 105651).
  $<$<AND:$<CXX_COMPILER_ID:GNU>,$<VERSION_LESS:$<CXX_COMPILER_VERSION>,13>>:-Wno-restrict>
  # The table of DUMPI's calls is made ready by the compiler; Clang counts the steps of that.
  $<$<CXX_COMPILER_ID:Clang>:-fconstexpr-steps=100000000>
  -ffp-contract=off $<$<BOOL:${BUSLINE_WERROR}>:-Werror>)
if(BUSLINE_SANITIZE)
  # -Wmaybe-uninitialized is documented to err under sanitizers: <regex> of GCC 12 is one case.
  target_compile_options(busline_options INTERFACE
    -fsanitize=${BUSLINE_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer
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

# busline_module(<folder> [DEPENDS <folders>] [PUBLIC <targets>] [PRIVATE <targets>] [PRECOMPILE <headers>])
# One static library for a folder and everything below it. Files named *_test.cpp become <folder>_test, which is
# told the source tree (BUSLINE_SOURCE_DIR) to find its data. A file named *_main.cpp belongs to a program and is
# left out. PRECOMPILE names large headers of other people's that most files there need.
function(busline_module name)
  cmake_parse_arguments(arg "" "" "DEPENDS;PUBLIC;PRIVATE;PRECOMPILE" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${name}/*.cpp)
  file(GLOB_RECURSE headers CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${name}/*.hpp)
  # A folder with a CMakeLists.txt of its own is built apart: what needs MPI, or is no part of the library.
  file(GLOB_RECURSE apart CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${name}/CMakeLists.txt)
  foreach(lists ${apart})
    cmake_path(GET lists PARENT_PATH folder)
    list(FILTER sources EXCLUDE REGEX "^${folder}/")
    list(FILTER headers EXCLUDE REGEX "^${folder}/")
  endforeach()
  list(FILTER sources EXCLUDE REGEX "_main\\.cpp$")
  set(tests ${sources})
  list(FILTER tests INCLUDE REGEX "_test\\.cpp$")
  list(FILTER sources EXCLUDE REGEX "_test\\.cpp$")
  if(sources)
    set(scope PUBLIC)
    add_library(busline_${name} STATIC ${sources})
    set_target_properties(busline_${name} PROPERTIES POSITION_INDEPENDENT_CODE ON)
    target_link_libraries(busline_${name} PRIVATE $<BUILD_INTERFACE:busline_options> ${arg_PRIVATE})
    target_precompile_headers(busline_${name} PRIVATE ${arg_PRECOMPILE})
  else()
    set(scope INTERFACE)
    add_library(busline_${name} INTERFACE)
  endif()
  add_library(busline::${name} ALIAS busline_${name})
  set_target_properties(busline_${name} PROPERTIES EXPORT_NAME ${name})
  target_compile_features(busline_${name} ${scope} cxx_std_20)
  target_include_directories(busline_${name} ${scope}
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/busline>)
  target_link_libraries(busline_${name} ${scope} tl::expected ${arg_PUBLIC})
  foreach(dep ${arg_DEPENDS})
    target_link_libraries(busline_${name} ${scope} busline_${dep})
  endforeach()
  install(TARGETS busline_${name} EXPORT buslineTargets)
  if(headers)
    install(DIRECTORY ${name} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/busline FILES_MATCHING PATTERN "*.hpp")
  endif()
  if(NOT BUSLINE_TESTS)
    return()
  endif()
  if(tests)
    add_executable(${name}_test ${tests})
    target_link_libraries(${name}_test PRIVATE busline_${name} busline_options busline_test_main doctest::doctest
      ${arg_PRIVATE})
    # What is tested is in the libraries, at full optimisation; the tests themselves only have to compile quickly.
    target_compile_options(${name}_test PRIVATE $<$<CONFIG:Release>:-O1>)
    target_precompile_headers(${name}_test PRIVATE <doctest/doctest.h> ${arg_PRECOMPILE})
    target_compile_definitions(${name}_test PRIVATE BUSLINE_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
    doctest_discover_tests(${name}_test TEST_PREFIX "${name}: ")
  endif()
  if(headers AND NOT BUSLINE_SANITIZE)
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
  target_link_libraries(${name}_headers PRIVATE busline_${name} busline_options ${private})
endfunction()
