"""Makes test doubles of SystemC 2.3.2 and 3.0.2, for which Debian 12 has no package: a copy of the sources or of the
headers of 2.3.4 with the version of the other, and with those differences between the two that ftr can notice."""

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


# 3.0: numbers are no longer converted to phases, an event that never occurs is returned by a function, sockets know
# whether they are multi-sockets, and the class that every program calls is no longer a template.
CATEGORY = "get_socket_category() const"
NEVER = ("sc_event::none;", "sc_event::none();")
NEWER = {
    "sysc/kernel/sc_ver.h": (
        ("#define SYSTEMC_2_3_4\n", "#define SYSTEMC_3_0_2\n"),
        ("#define SYSTEMC_VERSION       20221128\n", "#define SYSTEMC_VERSION       20251031\n"),
        ("#define SC_VERSION_MAJOR      2\n", "#define SC_VERSION_MAJOR      3\n"),
        ("#define SC_VERSION_MINOR      3\n", "#define SC_VERSION_MINOR      0\n"),
        ("#define SC_VERSION_PATCH      4\n", "#define SC_VERSION_PATCH      2\n"),
        ("#define IEEE_1666_SYSTEMC     201101L\n", "#define IEEE_1666_SYSTEMC     202301L\n"),
        ("template // use pointers for more verbose error messages\n<\n//  const int * DebugSystemC,\n"
         "  const int * DisableVirtualBind\n>\nstruct SC", "struct SC"),
        ("SC_TPLEXTERN_ template struct SC_API SC_API_VERSION_STRING\n<\n  &SC_DISABLE_VIRTUAL_BIND_CHECK_\n>;\n", ""),
        ("<\n//  & DEBUG_SYSTEMC_CHECK_,\n  & SC_DISABLE_VIRTUAL_BIND_CHECK_\n>\n", "")),
    "tlm_core/tlm_2/tlm_generic_payload/tlm_phase.h":
        (("  tlm_phase(unsigned int id); // TODO: should be dropped\n", ""),),
    SOCKETS.removeprefix("src/") + "base_socket_if.h": ((CATEGORY + " = 0;\n", CATEGORY + " = 0;\n  virtual bool is_multi_socket() const = 0;\n"),),
    "sysc/kernel/sc_event.h": (("static const sc_event none;", "static const sc_event& none();"),),
    "sysc/communication/sc_event_finder.h": (NEVER,),
    "tlm_core/tlm_1/tlm_req_rsp/tlm_ports/tlm_event_finder.h": (NEVER,),
    "sysc/kernel/sc_time.h": (("    SC_FS = 0,\n", "    SC_YS = -3,\n    SC_ZS,\n    SC_AS,\n    SC_FS = 0,\n"),),
    **{SOCKETS.removeprefix("src/") + kind + "_socket.h": ((
        "    { return TLM_" + kind.upper() + "_SOCKET; }\n",
         "    { return TLM_" + kind.upper() + "_SOCKET; }\n"
         "  virtual bool is_multi_socket() const final\n    { return (N != 1); }\n"),)
       for kind in ("initiator", "target")},
}

# Names that 3.0 no longer has, or has in another class. The headers of the double have them; ftr must not.
NOT_IN_3_0 = ("SC_ENTRY_FUNC", "SC_NOEXCEPT_", "SC_NORETURN_", "SC_TPLEXTERN_", "SC_VIRTUAL_", "SC_CURRENT_USER_MODULE",
              "SC_HAS_PROCESS", "SC_NEW", "SC_DISABLE_VIRTUAL_BIND", "sc_type_index",
              "m_child_events", "m_child_objects", "m_max_time", "non_event", "register_simulation_phase_callback",
              "simulation_phase_callback")

HEADERS = ("sysc", "systemc", "systemc.h", "tlm", "tlm.h", "tlm_core", "tlm_utils")


def edit(folder, edits):
    for path, changes in edits.items():
        with open(os.path.join(folder, path), encoding="latin-1") as file:
            text = file.read()
        for old, new in changes:
            if old not in text:
                raise AssertionError(f"{path} of SystemC 2.3.4 has no longer: {old}")
            text = text.replace(old, new)
        with open(os.path.join(folder, path), "w", encoding="latin-1") as file:
            file.write(text)


def make_2_3_2(source, copy):
    """Writes the sources of the double to the folder @p copy, which is replaced."""
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(source, copy)
    edit(copy, {**VERSION, **MISSING, **SOCKET_NAMES})


def make_3_0_2_headers(installed, copy):
    """Writes the headers of the double to the folder @p copy, from the headers of 2.3.4 in @p installed."""
    for name in HEADERS:
        path = os.path.join(installed, name)
        (shutil.copytree if os.path.isdir(path) else shutil.copy)(path, os.path.join(copy, name))
    edit(copy, NEWER)
