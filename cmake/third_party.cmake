# Third-party headers: the package if installed, otherwise the copy in third_party. The variables json, cli and fmt
# name the targets to link; everything uses tl::expected. Users of an installed Busline library need the packages, or get
# the copies with it: busline_vendored names their folders.
option(BUSLINE_VENDORED "Take the headers in third_party even where packages are installed" OFF)

set(busline_vendored)
# busline_third_party(<target> <package> <version> <folder>): ensures that the target exists.
function(busline_third_party target package version folder)
  if(NOT BUSLINE_VENDORED)
    find_package(${package} ${version} QUIET GLOBAL)
  endif()
  if(TARGET ${target})
    message(STATUS "${package}: ${${package}_VERSION} in ${${package}_DIR}")
    return()
  endif()
  message(STATUS "${package}: third_party/${folder}")
  set(busline_vendored ${busline_vendored} ${folder} PARENT_SCOPE)
  add_library(${target} INTERFACE IMPORTED GLOBAL)
  set_target_properties(${target} PROPERTIES INTERFACE_INCLUDE_DIRECTORIES ${PROJECT_SOURCE_DIR}/third_party/${folder})
endfunction()

busline_third_party(tl::expected tl-expected 1.0 expected)
busline_third_party(nlohmann_json::nlohmann_json nlohmann_json 3.11 nlohmann_json)
busline_third_party(fmt::fmt-header-only fmt 9 fmt)
set_property(TARGET fmt::fmt-header-only PROPERTY INTERFACE_COMPILE_DEFINITIONS FMT_HEADER_ONLY=1)

set(json nlohmann_json::nlohmann_json)
# CLI11 is always the copy: Debian 12's is header-only, so each file would compile its functions again.
add_library(cli11 STATIC ${PROJECT_SOURCE_DIR}/third_party/compiled_cli11.cpp)
target_include_directories(cli11 SYSTEM PUBLIC ${PROJECT_SOURCE_DIR}/third_party/CLI11)
target_compile_definitions(cli11 PUBLIC CLI11_COMPILE)
target_compile_features(cli11 PUBLIC cxx_std_20)
set_target_properties(cli11 PROPERTIES POSITION_INDEPENDENT_CODE ON)  # part of the Python module
target_compile_options(cli11 PRIVATE $<IF:$<CONFIG:Release>,-O1,-O0>
  # For files that include it: GCC bug 105651 again, in its templates.
  INTERFACE "$<$<AND:$<CXX_COMPILER_ID:GNU>,$<VERSION_LESS:$<CXX_COMPILER_VERSION>,13>>:-Wno-stringop-overflow;-Wno-array-bounds>")
set(cli cli11)
# fmt::fmt is the shared library in Debian: right for daily work, where it compiles faster, wrong for a program that is
# copied to machines that lack it.
set(fmt fmt::fmt-header-only)
if(TARGET fmt::fmt AND NOT BUSLINE_STATIC AND NOT BUSLINE_MEASURE_ONLY)
  set(fmt fmt::fmt)
endif()
