# Sourced by the scripts of this folder: the Debian packages that they need, and a function that installs them.
# shellcheck shell=bash
# shellcheck disable=SC2034 # The lists and the count are used by the sourcing scripts.

# Packages to build everything and to run the examples.
build_packages=(
    build-essential
    cmake
    esbuild
    ninja-build
    pkg-config
    liblz4-dev
    libbabeltrace2-dev
    libedit-dev
    libsqlite3-dev
    libmicrohttpd-dev
    libsystemc-dev
    zlib1g-dev
    libdw-dev
    libelf-dev
    libgtest-dev
    nlohmann-json3-dev
)

# Further packages for the tests.
test_packages=(
    autoconf
    automake
    babeltrace2
    chromium
    chromium-driver
    clang
    clang-format
    clang-tidy
    dpkg-dev
    file
    fish
    gcc-arm-none-eabi
    gdb
    git
    libclang-rt-14-dev
    liblttng-ust-dev
    libsystemc-doc
    libtool
    libxml2-utils
    jq
    mandoc
    munge
    node-typescript
    lttng-tools
    python3-bt2
    python3-cbor2
    python3-lz4
    python3-selenium
    shellcheck
    slurm-wlm
    sqlite3
    valgrind
    zlib1g-dev
    zsh
)

# Further packages for the benchmarks.
bench_packages=(
    gnuplot-nox
    libbenchmark-dev
    libcbor-dev
    liblttng-ust-dev
    lttng-tools
    lz4
)

# install_missing PACKAGE...: installs missing packages without questions; installed ones are not touched. Sets
# `installed` to the number of packages installed.
install_missing() {
    installed=0
    if ! command -v apt-get >/dev/null; then
        return # Not Debian: CMake or the scripts report missing tools themselves.
    fi
    local package missing=()
    for package; do
        [ "$(dpkg-query --show --showformat='${db:Status-Status}' "$package" 2>/dev/null)" = installed ] ||
            missing+=("$package")
    done
    [ ${#missing[@]} -gt 0 ] || return 0

    local as_root=()
    [ "$(id -u)" -eq 0 ] || as_root=(sudo)
    "${as_root[@]}" apt-get update --quiet || return
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
        apt-get install --yes --quiet --no-install-recommends "${missing[@]}" || return
    installed=${#missing[@]}
}

# Makes ccache store relative paths, so that all checkouts share its entries.
export CCACHE_BASEDIR=$PWD

# configure PRESET [OPTION...]: configures a build with a CMake preset, with ccache if it is installed.
configure() {
    local preset=$1 launcher=()
    shift
    if command -v ccache >/dev/null; then
        launcher=(-DCMAKE_C_COMPILER_LAUNCHER=ccache -DCMAKE_CXX_COMPILER_LAUNCHER=ccache)
    fi
    cmake --preset "$preset" "${launcher[@]}" "$@"
}
