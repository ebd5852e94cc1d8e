// Options of PTX as text, and of several units together.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/ptx_options.h"

#include "driver/assembler.h"

#include <algorithm>
#include <charconv>
#include <filesystem>

namespace gridspan::driver {

using codegen::PtxOptions;

namespace {

constexpr std::string_view machine = "machine=", fused = "fused", follows = "follows",
                           registers = "registers=", libdevice = "libdevice=";

unsigned number(std::string_view text) {
  unsigned value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

}  // namespace

PtxOptions ptx_options(const Invocation& invocation) {
  PtxOptions options;
  if (invocation.no_ptx) return options;
  options.level = invocation.architecture().number;
  options.contracts = invocation.contracts;
  options.max_registers = invocation.max_registers;
  options.opt_level = invocation.device_debug ? 0 : 3;
  for (const GpuArchitecture& real : invocation.real_architectures)
    options.machine.push_back(real.number);
  if (!options.machine.empty()) options.assembler = find_assembler(invocation.assembler);
  if (!invocation.libdevice.empty())
    options.libdevice = std::filesystem::absolute(invocation.libdevice).string();
  return options;
}

std::string to_text(const PtxOptions& options) {
  if (options.level == 0) return "";
  std::string text = std::to_string(options.level);
  if (options.follows_others) text += "," + std::string(follows);
  if (options.contracts) text += "," + std::string(fused);
  if (options.max_registers != 0)
    text += "," + std::string(registers) + std::to_string(options.max_registers);
  for (const unsigned real : options.machine)
    text += "," + std::string(machine) + std::to_string(real);
  if (!options.libdevice.empty()) text += "," + std::string(libdevice) + options.libdevice;
  return text;
}

PtxOptions parse_ptx_options(std::string_view text) {
  PtxOptions options;
  options.contracts = false;
  options.level = number(text);
  while (!text.empty()) {
    // The file's name comes last and may hold commas.
    if (text.starts_with(libdevice)) {
      options.libdevice = text.substr(libdevice.size());
      break;
    }
    const std::size_t comma = text.find(',');
    const std::string_view word = text.substr(0, comma);
    if (word == fused) options.contracts = true;
    if (word == follows) options.follows_others = true;
    if (word.starts_with(machine)) options.machine.push_back(number(word.substr(machine.size())));
    if (word.starts_with(registers)) options.max_registers = number(word.substr(registers.size()));
    text.remove_prefix(std::min(word.size() + 1, text.size()));
  }
  return options;
}

std::string to_text(const codegen::SourceEdition& edition) {
  return std::to_string(edition.level) + "," + std::to_string(edition.below) + "," +
         edition.bitcode_path;
}

codegen::SourceEdition parse_edition(std::string_view text) {
  codegen::SourceEdition edition;
  edition.level = number(text);
  text.remove_prefix(std::min(text.find(',') + 1, text.size()));
  edition.below = number(text);
  text.remove_prefix(std::min(text.find(',') + 1, text.size()));
  edition.bitcode_path = text;
  return edition;
}

PtxOptions linked_ptx_options(PtxOptions line, const std::vector<PtxOptions>& units) {
  if (line.level == 0 || units.empty()) return line;
  line.level = 0;
  const bool names_machines = !line.machine.empty();
  for (const PtxOptions& unit : units) {
    if (unit.level == 0) return {};
    line.level = std::max(line.level, unit.level);
    line.contracts = line.contracts && unit.contracts;
    if (line.libdevice.empty()) line.libdevice = unit.libdevice;
    if (!names_machines)
      line.machine.insert(line.machine.end(), unit.machine.begin(), unit.machine.end());
    if (line.max_registers == 0) line.max_registers = unit.max_registers;
  }
  return line;
}

}  // namespace gridspan::driver
