// Reading PTX out of containers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/ptx.h"

#include "abi/relocatable.h"
#include "support/readable_name.h"
#include "tools/compile.h"
#include "tools/containers.h"
#include "tools/elf_sections.h"
#include "tools/unpack.h"

#include <algorithm>
#include <optional>
#include <sstream>
#include <string_view>

namespace gridspan::tools {
namespace {

/// "K" of ".visible .entry K("; empty if no kernel begins in this line.
std::string_view kernel_begun(std::string_view line) {
  constexpr std::string_view word = ".entry ";
  const std::size_t at = line.starts_with('.') ? line.find(word) : std::string_view::npos;
  if (at == std::string_view::npos) return {};
  line.remove_prefix(at + word.size());
  return line.substr(0, line.find('('));
}

bool is_wanted(std::string_view name, const std::vector<std::string>& parts) {
  constexpr std::string_view part_suffix = "$part";
  std::string_view plain = name;
  if (plain.ends_with(part_suffix)) plain.remove_suffix(part_suffix.size());
  const std::string readable = support::readable_name(plain);
  return std::any_of(parts.begin(), parts.end(), [&](const std::string& part) {
    return name.find(part) != std::string_view::npos || readable.find(part) != std::string::npos;
  });
}

/// What says how to read the text, and the kernels asked for; empty if none is there.
std::string only(const std::string& text, const std::vector<std::string>& kernels) {
  std::string header, found, line;
  bool inside = false;
  for (std::istringstream lines(text); std::getline(lines, line);) {
    if (line.starts_with(".version") || line.starts_with(".target") ||
        line.starts_with(".address_size"))
      header += line + "\n";
    if (std::string_view name = kernel_begun(line); !name.empty() && is_wanted(name, kernels)) {
      inside = true;
      found += "\n";
    }
    if (inside) found += line + "\n";
    if (line == "}") inside = false;
  }
  return found.empty() ? found : header + found;
}

/// The text for the newest GPUs, or the newest that the architecture can run.
const ContainerView::Entry* choose(const ContainerView& container, unsigned architecture) {
  const ContainerView::Entry* best = nullptr;
  for (const ContainerView::Entry& entry : container.entries) {
    if (entry.kind != abi::ContainerKind::ptx) continue;
    if (architecture != 0 && entry.version > architecture) continue;
    if (!best || entry.version > best->version) best = &entry;
  }
  return best;
}

/// As a comment of PTX; empty if there is none.
std::string machine_code_remark(const ContainerView& container) {
  std::string names;
  for (const ContainerView::Entry& entry : container.entries)
    if (entry.kind == abi::ContainerKind::machine_code)
      names += (names.empty() ? "sm_" : ", sm_") + std::to_string(entry.version);
  return names.empty() ? names : "// the object has machine code, too: " + names + "\n";
}

support::Result<std::vector<std::string>> texts_of(const std::string& file,
                                                   const PtxRequest& request) {
  auto sections = read_sections(file, abi::kernel_section);
  if (!sections) return support::fail(sections.error());
  std::vector<std::string> texts;
  for (const SectionContent& section : *sections) {
    auto containers = parse_containers(section.bytes);
    if (!containers) return support::fail(section.origin + ": " + containers.error().message);
    for (const ContainerView& container : *containers) {
      const ContainerView::Entry* entry = choose(container, request.architecture);
      if (!entry) continue;
      auto text = unpack(entry->payload);
      if (!text) return support::fail(section.origin + ": " + text.error().message);
      if (text->ends_with('\0')) text->pop_back();
      if (request.kernels.empty()) *text = machine_code_remark(container) + *text;
      texts.push_back(std::move(*text));
    }
  }
  return texts;
}

}  // namespace

support::Result<std::string> ptx_text(const PtxRequest& request) {
  TemporaryObject object;
  auto file = object_of(request.file, request.compile_options, object);
  if (!file) return support::fail(file.error());
  auto texts = texts_of(*file, request);
  if (!texts) return support::fail(texts.error());
  const std::string whose =
      request.architecture == 0 ? "" : " for sm_" + std::to_string(request.architecture);
  if (texts->empty())
    return support::fail(request.file + ": no PTX" + whose +
                         " is in this file; gridspan explain says why");
  std::string all;
  for (const std::string& text : *texts)
    all += request.kernels.empty() ? text : only(text, request.kernels);
  if (all.empty())
    return support::fail(request.file + ": no kernel of that name has PTX" + whose +
                         "; gridspan explain says why");
  return all;
}

}  // namespace gridspan::tools
