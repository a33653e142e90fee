# Where a distribution expects the files, and packages of them (cpack -G DEB, cpack -G TGZ).
set(VMATRIX_CONTACT "vmatrix maintainers <maintainers@vmatrix.example>" CACHE STRING "Who is named as the maintainer of packages")
set(CMAKE_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
  OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)

install(TARGETS vmatrix RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
# The program looks for its data at ../share/vmatrix.
foreach(data matrix templates)
  file(GLOB files CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/${data}/*")
  if(files)
    install(DIRECTORY "${PROJECT_SOURCE_DIR}/${data}" DESTINATION share/vmatrix PATTERN ".*" EXCLUDE)
  endif()
endforeach()
install(FILES "${PROJECT_SOURCE_DIR}/completions/vmatrix.bash" DESTINATION share/bash-completion/completions RENAME vmatrix)
install(FILES "${PROJECT_SOURCE_DIR}/completions/vmatrix.fish" DESTINATION share/fish/vendor_completions.d)
install(FILES "${PROJECT_SOURCE_DIR}/packaging/copyright" DESTINATION share/doc/vmatrix)

# Debian's packages lie below /usr and differ: zsh reads vendor-completions there (site-functions below /usr/local and
# elsewhere), and the licence's text is in /usr/share/common-licenses.
install(CODE "set(source \"${PROJECT_SOURCE_DIR}\")")
install(CODE [[
  set(share "${CMAKE_INSTALL_PREFIX}/share")
  if(CMAKE_INSTALL_PREFIX MATCHES "/usr$" AND EXISTS /etc/debian_version)
    file(INSTALL "${source}/completions/_vmatrix" DESTINATION "${share}/zsh/vendor-completions")
  else()
    file(INSTALL "${source}/completions/_vmatrix" DESTINATION "${share}/zsh/site-functions")
    file(INSTALL "${source}/LICENSE" DESTINATION "${share}/doc/vmatrix")
  endif()
]])

# -n leaves the time out, so that a package is the same each time it is built.
find_program(VMATRIX_GZIP gzip REQUIRED)
function(vmatrix_install_compressed source destination)
  cmake_path(GET source FILENAME name)
  set(compressed "${PROJECT_BINARY_DIR}/compressed/${name}.gz")
  install(CODE "
    file(MAKE_DIRECTORY \"${PROJECT_BINARY_DIR}/compressed\")
    execute_process(COMMAND \"${VMATRIX_GZIP}\" -9nc \"${source}\" OUTPUT_FILE \"${compressed}\" COMMAND_ERROR_IS_FATAL ANY)")
  install(FILES "${compressed}" DESTINATION "${destination}")
endfunction()
vmatrix_install_compressed("${PROJECT_SOURCE_DIR}/docs/man/vmatrix.1" "${CMAKE_INSTALL_MANDIR}/man1")
configure_file("${PROJECT_SOURCE_DIR}/packaging/changelog.in" "${PROJECT_BINARY_DIR}/changelog" @ONLY)
vmatrix_install_compressed("${PROJECT_BINARY_DIR}/changelog" share/doc/vmatrix)

set(CPACK_PACKAGE_NAME vmatrix)
set(CPACK_PACKAGE_VENDOR "vmatrix")
set(CPACK_PACKAGE_CONTACT "${VMATRIX_CONTACT}")
set(CPACK_PACKAGE_DIRECTORY "${PROJECT_BINARY_DIR}/packages")
set(CPACK_RESOURCE_FILE_LICENSE "${PROJECT_SOURCE_DIR}/LICENSE")
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS ${CMAKE_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS})
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION utils)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION "vmatrix keeps a registry of facts about GPUs, drivers, CUDA, ROCm, cuDNN,
PyTorch builds and container images, each with the source it was read in,
and answers from it which of them work together.

The package holds the program and its registry; it works offline.")
include(CPack)
