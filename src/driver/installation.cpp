// Finding gridcc's files and tools.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/installation.h"

#include "driver/configuration.h"

#include <llvm/Support/FileSystem.h>
#include <llvm/Support/Program.h>
#include <cstdlib>
#include <filesystem>
#include <initializer_list>

namespace gridspan::driver {
namespace {

namespace fs = std::filesystem;

/// The first of `names` (paths, or names to look for in PATH) that can be run; empty if none.
std::string first_program(std::initializer_list<const char*> names) {
  for (const char* name : names) {
    auto found = llvm::sys::findProgramByName(name);
    if (found && llvm::sys::fs::can_execute(*found)) return *found;
  }
  return {};
}

support::Result<std::string> find_clang() {
  if (const char* chosen = std::getenv("GRIDSPAN_CLANG"); chosen && *chosen) {
    std::string found = first_program({chosen});
    if (!found.empty()) return found;
    return support::fail("GRIDSPAN_CLANG=" + std::string(chosen) + ": no such program");
  }
  std::string found = first_program({configuration::clang, "clang++-19"});
  if (!found.empty()) return found;
  return support::fail("clang++-19 not found; install the package clang-19, or set GRIDSPAN_CLANG");
}

}  // namespace

support::Result<Installation> find_installation(const char* program) {
  static int anchor;  // an address inside this executable
  Installation found;
  found.gridcc = llvm::sys::fs::getMainExecutable(program, &anchor);
  fs::path prefix = fs::path(found.gridcc).parent_path().parent_path();
  found.include_directory = prefix / "include" / "gridspan" / "cuda";
  found.library_directory = prefix / "lib";
  auto clang = find_clang();
  if (!clang) return support::fail(clang.error());
  found.clang = *clang;
  // They are built against the LLVM of the clang known at build time.
  const auto plugin = [&](const char* name) -> std::string {
    const fs::path path = prefix / "lib" / "gridspan" / name;
    std::error_code error;
    return found.clang == configuration::clang && fs::exists(path, error) ? path.string() : "";
  };
  found.host_plugin = plugin("gridspan_host_plugin.so");
  found.clang_plugin = plugin("gridspan_clang_plugin.so");
  found.linker = first_program({configuration::linker, "ld.lld-19", "ld"});
  if (found.linker.empty())
    return support::fail("no linker found; install the package lld-19 or binutils");
  found.archiver = first_program({configuration::archiver, "ar", "llvm-ar-19"});
  return found;
}

}  // namespace gridspan::driver
