# Run at build time: cmake -DSOURCE_DIR= -DOUTPUT= -P write_page_files.cmake
# Writes the parts of report pages (studies/report/page, uPlot) as a C++ source.
cmake_policy(VERSION 3.25)
include(${CMAKE_CURRENT_LIST_DIR}/embed_text.cmake)
set(page ${SOURCE_DIR}/studies/report/page)
set(uplot ${SOURCE_DIR}/third_party/uplot)

function(write_text name)
  text_literal(text ${ARGN})
  file(APPEND ${OUTPUT} "const std::string_view ${name} = ${text};\n\n")
endfunction()

file(WRITE ${OUTPUT} "#include \"studies/report/page_files.hpp\"\n\nnamespace busline::report {\n\n")
write_text(kChartScript ${uplot}/uPlot.iife.min.js)
write_text(kChartStyle ${uplot}/uPlot.min.css)
write_text(kPageStyle ${page}/page.css)
# In this order: each uses the previous ones.
write_text(kPageScript ${page}/format.js ${page}/elements.js ${page}/colours.js ${page}/table.js ${page}/chart.js
  ${page}/bars.js ${page}/matrix.js ${page}/points.js ${page}/lanes.js ${page}/page.js)
file(APPEND ${OUTPUT} "}  // namespace busline::report\n")
