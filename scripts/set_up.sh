# Sourced by the scripts of this folder: what they need of Debian, and how it gets there.
# shellcheck shell=bash
# shellcheck disable=SC2034 # The lists and the count are for who sources this.

# To build all of it, and to run the examples.
build_packages=(
    build-essential
    cmake
    ninja-build
    pkg-config
    liblz4-dev
    libbabeltrace2-dev
    libedit-dev
    libsqlite3-dev
    libsystemc-dev
    zlib1g-dev
    libdw-dev
    libelf-dev
    libgtest-dev
    nlohmann-json3-dev
)

# For the tests on top.
test_packages=(
    babeltrace2
    clang
    clang-format
    clang-tidy
    fish
    gcc-arm-none-eabi
    gdb
    git
    libclang-rt-14-dev
    liblttng-ust-dev
    libsystemc-doc
    jq
    mandoc
    lttng-tools
    python3-bt2
    python3-cbor2
    python3-lz4
    shellcheck
    sqlite3
    valgrind
    zlib1g-dev
    zsh
)

# To measure on top of both.
bench_packages=(
    gnuplot-nox
    libbenchmark-dev
    libcbor-dev
    liblttng-ust-dev
    lttng-tools
    lz4
)

# install_missing PACKAGE...: asks nothing, and touches nothing that is there. Sets `installed` to how many it
# installed.
install_missing() {
    installed=0
    if ! command -v apt-get >/dev/null; then
        return # Not Debian: what is missing is said by whoever needs it.
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

# What ccache keeps of one checkout serves every other.
export CCACHE_BASEDIR=$PWD

# configure PRESET [OPTION...]: by its preset, through ccache where there is one.
configure() {
    local preset=$1 launcher=()
    shift
    if command -v ccache >/dev/null; then
        launcher=(-DCMAKE_C_COMPILER_LAUNCHER=ccache -DCMAKE_CXX_COMPILER_LAUNCHER=ccache)
    fi
    cmake --preset "$preset" "${launcher[@]}" "$@"
}
