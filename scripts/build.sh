# Building one preset. Sourced; works in the project's folder.
# shellcheck shell=bash

# build_preset NAME [TARGET...]: configures and builds build/NAME.
build_preset() {
  local preset=$1 fresh=()
  shift
  if command -v ccache >/dev/null; then
    export CMAKE_CXX_COMPILER_LAUNCHER=ccache CCACHE_BASEDIR=$PWD CCACHE_NOHASHDIR=yes
  fi
  # CMake refuses a build folder that has been moved or copied with the sources.
  if [[ -e build/$preset/CMakeCache.txt ]] && ! grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$PWD" "build/$preset/CMakeCache.txt"; then
    fresh=(--fresh)
  fi
  cmake --preset "$preset" "${fresh[@]}" && cmake --build "build/$preset" --parallel "$(nproc)" ${1:+--target "$@"} -- -k 0
}
