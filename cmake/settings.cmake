# What every target is compiled with (vmatrix_settings), and what our own sources must be free of (vmatrix_warnings).
add_library(vmatrix_settings INTERFACE)
target_compile_features(vmatrix_settings INTERFACE cxx_std_20)
target_include_directories(vmatrix_settings INTERFACE "${PROJECT_SOURCE_DIR}/src")

add_library(vmatrix_warnings INTERFACE)
target_compile_options(vmatrix_warnings INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wnon-virtual-dtor -Wold-style-cast)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  target_compile_options(vmatrix_warnings INTERFACE -Wno-restrict)   # wrong on `"text" + std::string` (GCC bug 105651)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  target_compile_options(vmatrix_warnings INTERFACE -Wno-deprecated-declarations)   # libstdc++ 12 uses what it deprecates
endif()
if(VMATRIX_WARNINGS_AS_ERRORS)
  target_compile_options(vmatrix_warnings INTERFACE -Werror)
endif()

if(VMATRIX_SANITIZE)
  target_compile_options(vmatrix_settings INTERFACE -fsanitize=${VMATRIX_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(vmatrix_settings INTERFACE -fsanitize=${VMATRIX_SANITIZE})
endif()
