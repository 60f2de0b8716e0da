# For scripts that embed texts in a C++ source, so that the program needs no extra files at run time.

# text_literal(<variable> <file>...): the concatenated files as a C++ string.
function(text_literal variable)
  set(text "")
  foreach(file ${ARGN})
    file(READ ${file} content)
    string(APPEND text "${content}")
  endforeach()
  set(${variable} "R\"busline_text(${text})busline_text\"" PARENT_SCOPE)
endfunction()
