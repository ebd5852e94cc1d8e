// Texts of the container, and what is in them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "devices/cuda/ptx.h"

#include "devices/cuda/gpu_container.h"
#include "devices/cuda/ptx_names.h"
#include "support/readable_name.h"

#include <algorithm>
#include <cstdio>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace gridspan::devices::cuda {
namespace {

std::string architecture(std::uint32_t capability) { return "sm_" + std::to_string(capability); }

}  // namespace

bool lower_version(std::string& text, int driver_version) {
  constexpr std::string_view word = "\n.version ";
  const std::size_t at = text.find(word);
  if (at == std::string::npos) return false;
  const std::size_t begin = at + word.size();
  int major = 0, minor = 0, length = 0;
  if (std::sscanf(text.c_str() + begin, "%d.%d%n", &major, &minor, &length) != 2) return false;
  const int known_major = driver_version / 1000 - 4, known_minor = driver_version % 1000 / 10;
  if (std::pair(major, minor) <= std::pair(known_major, known_minor)) return false;
  text.replace(begin, static_cast<std::size_t>(length),
               std::to_string(known_major) + "." + std::to_string(known_minor));
  return true;
}

namespace {

/// A stretch of the text, with an entry or without.
struct Stretch {
  std::string_view text;
  std::string_view entry;  // its name; empty: none
};

/// Entries begin with a directive and end with a brace, both at the beginning of a line.
std::vector<Stretch> stretches_of(std::string_view text) {
  constexpr std::string_view word = ".entry ", end_of_body = "\n}\n";
  std::vector<Stretch> all;
  std::size_t done = 0;
  for (std::size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, done)) {
    const std::size_t line = text.rfind('\n', at) + 1, name = at + word.size();
    const std::size_t end = text.find(end_of_body, name);
    if (line < done || end == std::string_view::npos) return {};
    all.push_back({text.substr(done, line - done), {}});
    done = end + end_of_body.size();
    all.push_back({text.substr(line, done - line), text.substr(name, text.find('(', name) - name)});
  }
  all.push_back({text.substr(done), {}});
  return all;
}

/// Constants may be there twice: LLVM names those it makes, such as texts of printf.
bool has_variables(std::string_view text) {
  constexpr std::string_view space = ".global ",
                             made[] = {"$str", "__const$", "$_str", "__unnamed_"};
  for (std::size_t at = text.find(space); at != std::string_view::npos; at = text.find(space, at)) {
    const std::size_t line = text.rfind('\n', at) + 1;
    const std::string_view before = text.substr(line, at - line);
    const std::string_view rest = text.substr(at, text.find('\n', at) - at);
    at += space.size();
    if (before.find_first_not_of(" .abcdefghijklmnopqrstuvwxyz") != std::string_view::npos)
      continue;
    if (before.starts_with('\t') || before.starts_with(' ')) continue;
    if (std::ranges::none_of(
            made, [&](std::string_view name) { return rest.find(name) != std::string_view::npos; }))
      return true;
  }
  return false;
}

}  // namespace

DividedPtx divide(const std::string& text) {
  // Its lines may look like ends of bodies.
  if (text.find("begin inline asm") != std::string::npos) return {};
  DividedPtx divided;
  std::size_t parts = 0, packed = 0;
  for (const auto& [stretch, entry] : stretches_of(text)) {
    if (entry.empty() && has_variables(stretch)) return {};
    parts += is_part_name(entry) ? 1 : 0;
    packed += is_packed_name(entry) ? 1 : 0;
    if (!is_clone_name(entry)) divided.kernels += stretch;
    if (is_part_name(entry) || entry.empty()) divided.parts += stretch;
    if (is_packed_name(entry) || entry.empty()) divided.packed += stretch;
  }
  if (parts + packed == 0) return {};
  if (parts == 0) divided.parts.clear();
  if (packed == 0) divided.packed.clear();
  return divided;
}

support::Result<std::string> ptx_of(const abi::Module& module, std::uint32_t capability) {
  const abi::ContainerEntry* best = nullptr;
  std::uint32_t least = 0;
  for (const abi::ContainerEntry& entry : container_entries(module)) {
    if (entry.kind != abi::ContainerKind::ptx) continue;
    if (least == 0 || entry.version < least) least = entry.version;
    if (entry.version <= capability && (!best || entry.version > best->version)) best = &entry;
  }
  if (!best) {
    return support::fail(least == 0 ? "its object has no code for GPUs"
                                    : "its object has code for " + architecture(least) +
                                          " and later, the GPU is " + architecture(capability));
  }
  std::optional<std::string> text = unpack(module, *best);
  if (!text || text->back() != '\0') return support::fail("its PTX is damaged");
  return std::move(*text);
}

bool has_ptx(const abi::Module& module) {
  return std::ranges::any_of(container_entries(module), [](const abi::ContainerEntry& entry) {
    return entry.kind == abi::ContainerKind::ptx;
  });
}

/// The names behind ".entry ".
static std::set<std::string_view> entries_in(std::string_view text) {
  constexpr std::string_view word = ".entry ";
  std::set<std::string_view> names;
  for (std::size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at)) {
    at += word.size();
    names.insert(text.substr(at, text.find('(', at) - at));
  }
  return names;
}

std::string kernel_without_code(const abi::Module& module, std::uint32_t capability) {
  if (module.kernel_count == 0) return {};
  const auto line = [](const abi::Kernel& kernel, const std::string& why) {
    std::string text = "kernel '" + support::readable_name(kernel.name) + "': " + why;
    if (kernel.where.file)
      text += " (" + std::string(kernel.where.file) + ":" + std::to_string(kernel.where.line) + ")";
    return text;
  };
  const auto text = ptx_of(module, capability);
  if (!text) return line(module.kernels[0], text.error().message);
  const std::set<std::string_view> entries = entries_in(*text);
  for (std::uint32_t i = 0; i < module.kernel_count; ++i)
    if (!entries.contains(name_in_ptx(module.kernels[i].name)))
      return line(module.kernels[i], "it has no code for GPUs; gridspan explain says why");
  return {};
}

}  // namespace gridspan::devices::cuda
