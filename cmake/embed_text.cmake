# For scripts that put texts into a C++ source, so that the program needs no files of its own when it runs.

# text_literal(<variable> <file>...): the files one after the other, as a string of C++.
function(text_literal variable)
  set(text "")
  foreach(file ${ARGN})
    file(READ ${file} content)
    string(APPEND text "${content}")
  endforeach()
  set(${variable} "R\"busline_text(${text})busline_text\"" PARENT_SCOPE)
endfunction()
