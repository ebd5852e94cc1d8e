// Device code that was compiled before.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     ~/.cache/gridspan/device/<key>     what was said, the object, and a seal
//
// <key> stands for the module as clang wrote it, for all options, and for the compiler as it is
// now. It does not stand for the module's number, which changes with the source's host code: the
// object gets its own (abi::ModuleId). So a source whose host code alone has changed, without
// moving lines of device code, is compiled by clang only. Objects and messages are the same with
// and without.
#pragma once

#include "codegen/device_compiler.h"
#include "support/sealed_files.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gridspan::driver {

/// GRIDSPAN_DEVICE_CACHE; on unless it says `off`. User error: another value.
support::Result<bool> wants_device_cache();

class DeviceCache {
 public:
  /// `root`: need not be there. Entries take at most `limit` bytes.
  explicit DeviceCache(std::string root, std::uint64_t limit = default_limit);
  static constexpr std::uint64_t default_limit = 1u << 30;

  /// As codegen::compile_device. What took a while is kept; what is kept is not compiled again.
  /// `used`: gets the path of the entry that served; it stays as it is if none did.
  bool compile(const codegen::DeviceRequest& request, std::vector<codegen::Diagnostic>& diagnostics,
               std::string& used) const;

 private:
  support::SealedFiles files_;
};

/// What an entry holds.
struct CompiledDevice {
  abi::ModuleId id{};
  std::vector<codegen::Diagnostic> diagnostics;
  std::string names;   // of a request for them (DeviceRequest::lowered_names_path)
  std::string object;  // its bytes
};

/// Parts with their lengths: "2:ab3:cde".
std::string entry_text(const CompiledDevice& made);
std::optional<CompiledDevice> parse_entry(std::string_view entry);

/// Of a request, all that the object depends on but its module's number; nothing if the request
/// wants more than an object.
std::optional<std::string> device_key(const codegen::DeviceRequest& request);

/// Puts one module's number in place of another's, wherever bytes are equal to it.
void replace_id(std::string& object, abi::ModuleId from, abi::ModuleId to);

}  // namespace gridspan::driver
