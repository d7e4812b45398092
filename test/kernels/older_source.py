"""Makes a test double of SystemC 2.3.2, for which Debian has no source package: a copy of the sources of 2.3.4 with
the version of 2.3.2 and with those differences between the two that ftr can notice."""

import os
import shutil

# The version, and the constructor that every program calls: one parameter less.
VERSION = {
    "src/sysc/kernel/sc_ver.h": (
        ("#define SYSTEMC_2_3_4\n", "#define SYSTEMC_2_3_2\n"),
        ("#define SYSTEMC_VERSION       20221128\n", "#define SYSTEMC_VERSION       20171012\n"),
        ("#define SC_VERSION_PATCH      4\n", "#define SC_VERSION_PATCH      2\n"),
        ("    ,  bool has_covariant_virtual_base\n", ""),
        (", SC_HAS_COVARIANT_VIRTUAL_BASE_\n", "")),
    "src/sysc/kernel/sc_ver.cpp": (
        (", bool             has_covariant_virtual_base\n", ""),
        ("  SC_API_PERFORM_CHECK_( bool\n                       , has_covariant_virtual_base\n"
         "                       , \"SC_ENABLE_COVARIANT_VIRTUAL_BASE\" );\n", "")),
}

# Functions that did not exist yet.
MISSING = {
    "src/sysc/kernel/sc_process_handle.h": (
        ("    inline const char* basename() const;\n", ""),
        ("inline const char* sc_process_handle::basename() const\n{\n"
         "    return  m_target_p ? m_target_p->basename() : \"\";\n}\n", "")),
    "src/sysc/kernel/sc_macros.h": (
        ("#define SC_NAMED(...) \\\n  SC_NAMED_IMPL_(__VA_ARGS__)(__VA_ARGS__)\n", ""),),
}

# The names of two functions of sockets; the classes that inherit the interface with these functions.
PORT_AND_EXPORT = """  virtual sc_core::sc_port_base &         get_port_base()
    {{ return {port}; }}
  virtual sc_core::sc_port_base const &   get_port_base() const
    {{ return {port}; }}
  virtual sc_core::sc_export_base &       get_export_base()
    {{ return {export}; }}
  virtual sc_core::sc_export_base const & get_export_base() const
    {{ return {export}; }}
"""
SOCKETS = "src/tlm_core/tlm_2/tlm_sockets/tlm_"
IMPLEMENTED = "  // Implementation of tlm_base_socket_if functions\n"


def inherit(kind, port, export):
    base = f"tlm_base_{kind}_socket"
    return ((f"class {base}_b\n  : public tlm_base_socket_if\n", f"class {base}_b\n"),
            (f"class {base} : public {base}_b<", f"class {base} : public tlm_base_socket_if, public {base}_b<"),
            (IMPLEMENTED, IMPLEMENTED + PORT_AND_EXPORT.format(port=port, export=export)))


SOCKET_NAMES = {
    SOCKETS + "base_socket_if.h": (("get_base_port()", "get_port_base()"), ("get_base_export()", "get_export_base()")),
    SOCKETS + "initiator_socket.h": inherit("initiator", "*this", "m_export"),
    SOCKETS + "target_socket.h": inherit("target", "m_port", "*this"),
}


def make_2_3_2(source, copy):
    """Writes the sources of the double to the folder @p copy, which is replaced."""
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(source, copy)
    for path, edits in {**VERSION, **MISSING, **SOCKET_NAMES}.items():
        with open(os.path.join(copy, path), encoding="latin-1") as file:
            text = file.read()
        for old, new in edits:
            if old not in text:
                raise AssertionError(f"{path} of SystemC 2.3.4 has no longer: {old}")
            text = text.replace(old, new)
        with open(os.path.join(copy, path), "w", encoding="latin-1") as file:
            file.write(text)
