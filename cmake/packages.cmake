# What 'cmake --install' and packages hold besides programs, libraries and headers: what describes the command line, which
# the program itself prints, its documents, and platforms to start from. Packages: cpack -G DEB, cpack -G TGZ.
if(CMAKE_CROSSCOMPILING)
  message(NOTICE "== the program cannot run here: no manual pages and no completion are installed")
else()
  set(described ${PROJECT_BINARY_DIR}/installed_description)
  # When it is installed, so that no build waits for it.
  install(CODE "
    file(REMOVE_RECURSE \"${described}\")
    file(MAKE_DIRECTORY \"${described}/man1\")
    execute_process(COMMAND \"$<TARGET_FILE:busline>\" man -o \"${described}/man1\" COMMAND_ERROR_IS_FATAL ANY)
    foreach(shell bash zsh fish)
      execute_process(COMMAND \"$<TARGET_FILE:busline>\" completion \${shell}
        OUTPUT_FILE \"${described}/\${shell}\" COMMAND_ERROR_IS_FATAL ANY)
    endforeach()")
  install(DIRECTORY ${described}/man1 DESTINATION ${CMAKE_INSTALL_MANDIR})
  # Where each shell looks by itself.
  install(FILES ${described}/bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME busline)
  install(FILES ${described}/zsh DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions RENAME _busline)
  install(FILES ${described}/fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d RENAME busline.fish)
endif()
install(FILES README.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} RENAME copyright)
install(DIRECTORY platforms/examples DESTINATION ${CMAKE_INSTALL_DATADIR}/busline/platforms)

set(CPACK_GENERATOR DEB TGZ)
set(CPACK_PACKAGE_NAME busline)
set(CPACK_PACKAGE_VENDOR "The Busline authors")
set(CPACK_PACKAGE_DIRECTORY ${PROJECT_BINARY_DIR}/packages)
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_PACKAGE_MAINTAINER "The Busline authors")
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
# What find_package(busline) looks for in its turn.
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "libexpected-dev, libfmt-dev, nlohmann-json3-dev, libpugixml-dev, libsqlite3-dev, \
libboost-graph-dev, zlib1g-dev, liblzma-dev, libopen-trace-format2-dev")
include(CPack)
