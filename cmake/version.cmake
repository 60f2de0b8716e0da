# Every build looks up the commit; only version.cpp is recompiled if it changed.
set(version_file ${PROJECT_BINARY_DIR}/version.cpp)
add_custom_target(busline_look_up_version BYPRODUCTS ${version_file}
  COMMAND ${CMAKE_COMMAND} -DSOURCE_DIR=${PROJECT_SOURCE_DIR} -DVERSION=${PROJECT_VERSION} -DOUTPUT=${version_file}
    -P ${PROJECT_SOURCE_DIR}/cmake/write_version.cmake)
add_library(busline_version STATIC ${version_file})
add_dependencies(busline_version busline_look_up_version)
set_target_properties(busline_version PROPERTIES POSITION_INDEPENDENT_CODE ON)  # part of the Python module
target_include_directories(busline_version PRIVATE ${PROJECT_SOURCE_DIR})
target_link_libraries(busline_version PRIVATE busline_options)
