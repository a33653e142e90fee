# Everything foreign, from the distribution's packages.
find_package(tl-expected REQUIRED)
find_package(CLI11 REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(SQLite3 REQUIRED)
find_package(yaml-cpp REQUIRED)
if(NOT TARGET yaml-cpp::yaml-cpp)   # before yaml-cpp 0.8 the target has no namespace
  add_library(yaml-cpp::yaml-cpp ALIAS yaml-cpp)
endif()
# Only its headers: the library that distributions ship beside them would be one more package to install.
find_path(VMATRIX_TOMLPLUSPLUS toml++/toml.h REQUIRED)
add_library(tomlplusplus_headers INTERFACE)
target_include_directories(tomlplusplus_headers SYSTEM INTERFACE "${VMATRIX_TOMLPLUSPLUS}")
