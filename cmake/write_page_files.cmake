# Run at build time: cmake -DSOURCE_DIR= -DOUTPUT= -P write_page_files.cmake
# Writes what pages of reports are made of (studies/report/page, uPlot) as a C++ source, so that the program needs no files
# of its own when it runs.
cmake_policy(VERSION 3.25)
set(page ${SOURCE_DIR}/studies/report/page)
set(uplot ${SOURCE_DIR}/third_party/uplot)

# write_text(<name> <file>...): the files one after the other.
function(write_text name)
  set(text "")
  foreach(file ${ARGN})
    file(READ ${file} content)
    string(APPEND text "${content}")
  endforeach()
  file(APPEND ${OUTPUT} "const std::string_view ${name} = R\"busline_page(${text})busline_page\";\n\n")
endfunction()

file(WRITE ${OUTPUT} "#include \"studies/report/page_files.hpp\"\n\nnamespace busline::report {\n\n")
write_text(kChartScript ${uplot}/uPlot.iife.min.js)
write_text(kChartStyle ${uplot}/uPlot.min.css)
write_text(kPageStyle ${page}/page.css)
# In this order: each uses those before it.
write_text(kPageScript ${page}/format.js ${page}/elements.js ${page}/colours.js ${page}/table.js ${page}/chart.js
  ${page}/bars.js ${page}/matrix.js ${page}/points.js ${page}/lanes.js ${page}/page.js)
file(APPEND ${OUTPUT} "}  // namespace busline::report\n")
