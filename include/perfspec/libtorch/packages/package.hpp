// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/libtorch/tensors.hpp>

#include <map>
#include <string>
#include <string_view>

namespace perfspec::inline v0_2::detail {

/// The metadata of an AOTInductor package: AOTI_* entries of PyTorch, PERFSPEC_* entries of export.py.
using package_metadata = std::map<std::string, std::string>;

/// The facts that decide whether a package may run in a process.
struct process_facts {
    std::string threads;    ///< `at::get_num_threads()`
    std::string cpu_flags;  ///< `cpu_flags_hash` of this machine
    std::string torch;      ///< such as "2.13.0"
    std::string device;     ///< "cpu", "cuda"
    std::string inputs;     ///< "float32[1,3,224,224]" each, joined by ";"; with strides if not contiguous
};

[[nodiscard]] process_facts this_process(const tensor_list& inputs);

/// FNV-1a (64 bits, hexadecimal) of the first processor's flags, sorted and joined by blanks, as export.py writes it.
///
/// cpuinfo  the text of /proc/cpuinfo; an empty one gives an empty result
[[nodiscard]] std::string cpu_flags_hash(std::string_view cpuinfo);

/// Why a package must not run in this process; empty if it may. LibTorch checks none of this. With other threads a
/// frozen package is several times slower. On another processor it ends the process with an illegal instruction.
[[nodiscard]] std::string mismatch(const package_metadata& package, const process_facts& here);

/// A package's metadata, or why the file cannot be used.
struct read_package {
    package_metadata metadata;
    std::string fault;
};
[[nodiscard]] read_package read_package_metadata(const std::string& file);

/// Why the build did not make a package or a TorchScript file, or empty. The CMake function perfspec_export_model
/// writes the reason beside the file, of which an older version may exist.
[[nodiscard]] std::string why_not_exported(const std::string& file);

/// Whether a package was compiled to report each kernel that it runs to PyTorch's recorder.
[[nodiscard]] bool announces_kernels(const package_metadata& package);

/// How a package was compiled.
struct compilation {
    double ns{};             ///< 0: unknown
    std::string fault{};     ///< why the file is invalid, with its name; empty: it is valid, or there is none
    bool from_warm_cache{};  ///< the compiler's cache was not empty
};
/// Reads the file that export.py writes beside a package, `model.pt2.json`.
[[nodiscard]] compilation compilation_beside(const std::string& file);

/// The command that compiles a package for this process, with kernel profiling if the package has it.
[[nodiscard]] std::string export_command(const std::string& file, const package_metadata& package,
                                         const process_facts& here);

}  // namespace perfspec::inline v0_2::detail
