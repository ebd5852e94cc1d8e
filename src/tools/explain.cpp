// The report of gridspan explain, from the facts in a file's containers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/explain.h"

#include "tools/containers.h"
#include "tools/elf_sections.h"

#include <cxxabi.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <nlohmann/json.hpp>

namespace gridspan::tools {
namespace {

using Json = nlohmann::json;

std::string demangled(const std::string& name) {
  int status = 0;
  std::unique_ptr<char, void (*)(void*)> text(
      ::abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status), std::free);
  return status == 0 ? text.get() : name;
}

std::string counted(unsigned long long count, const char* one, const char* many) {
  if (count == 0) return std::string("no ") + many;
  return std::to_string(count) + " " + (count == 1 ? one : many);
}

unsigned long long number(const Json& kernel, const char* key) {
  auto found = kernel.find(key);
  return found != kernel.end() && found->is_number() ? found->get<unsigned long long>() : 0;
}

std::string text(const Json& object, const char* key) {
  auto found = object.find(key);
  return found != object.end() && found->is_string() ? found->get<std::string>() : "";
}

std::string place(const Json& kernel) {
  std::string file = text(kernel, "file");
  if (file.empty()) return "";
  unsigned long long line = number(kernel, "line");
  return "  at " + file + (line ? ":" + std::to_string(line) : "");
}

std::string executor_line(const Json& kernel) {
  std::string sync =
      counted(number(kernel, "block_barriers"), "block barrier", "block barriers") + ", " +
      counted(number(kernel, "warp_operations"), "warp operation", "warp operations");
  if (text(kernel, "executor") == "fibers") {
    std::string reason = text(kernel, "reason");
    return "    runs on fibers, one a thread (slow): " + (reason.empty() ? "?" : reason) +
           "\n    " + sync + "\n";
  }
  return "    runs as " + counted(number(kernel, "regions"), "region", "regions") + "; " + sync +
         "\n";
}

std::string memory_line(const Json& kernel) {
  std::string line = "    " + counted(number(kernel, "parameters"), "parameter", "parameters");
  auto add = [&](const char* key, const char* what) {
    unsigned long long count = number(kernel, key);
    if (count) line += "; " + counted(count, "byte ", "bytes ") + what;
  };
  add("static_shared", "of shared memory a block");
  add("frame_bytes", "a thread kept across barriers");
  return line + "\n";
}

std::string kernel_report(const Json& kernel) {
  return "  " + demangled(text(kernel, "name")) + place(kernel) + "\n" + executor_line(kernel) +
         memory_line(kernel);
}

bool is_wanted(const Json& kernel, const ExplainRequest& request) {
  if (request.kernels.empty()) return true;
  std::string name = text(kernel, "name");
  std::string readable = demangled(name);
  return std::any_of(request.kernels.begin(), request.kernels.end(), [&](const std::string& part) {
    return name.find(part) != std::string::npos || readable.find(part) != std::string::npos;
  });
}

/// The facts of every module in the file, each with the object it comes from.
support::Result<std::vector<Json>> read_facts(const std::string& file) {
  auto sections = read_gridspan_sections(file);
  if (!sections) return support::fail(sections.error());
  if (sections->empty())
    return support::fail(file + ": no CUDA code compiled by gridcc is in this file");
  std::vector<Json> modules;
  for (const SectionContent& section : *sections) {
    auto containers = parse_containers(section.bytes);
    if (!containers) return support::fail(section.origin + ": " + containers.error().message);
    for (const ContainerView& container : *containers) {
      Json facts = Json::parse(container.payload(abi::ContainerKind::facts), nullptr, false);
      if (facts.is_discarded() || !facts.is_object())
        return support::fail(section.origin + ": a container without readable facts");
      facts["object"] = section.origin;
      modules.push_back(std::move(facts));
    }
  }
  return modules;
}

std::string module_report(const Json& facts, const ExplainRequest& request, std::size_t& shown) {
  std::string report;
  for (const Json& kernel : facts.value("kernels", Json::array())) {
    if (!kernel.is_object() || !is_wanted(kernel, request)) continue;
    report += kernel_report(kernel);
    ++shown;
  }
  if (report.empty()) return "";
  std::string from = text(facts, "source");
  std::string object = text(facts, "object");
  if (object != request.file) from += " in " + object;
  return from + "\n" + report;
}

}  // namespace

support::Result<std::string> explain(const ExplainRequest& request) {
  auto modules = read_facts(request.file);
  if (!modules) return support::fail(modules.error());
  if (request.json) return Json(*modules).dump(2) + "\n";
  std::string report;
  std::size_t shown = 0;
  for (const Json& facts : *modules) {
    std::string one = module_report(facts, request, shown);
    if (!one.empty()) report += (report.empty() ? "" : "\n") + one;
  }
  if (shown) return report;
  if (!request.kernels.empty())
    return support::fail(request.file + ": no kernel's name contains what --kernel asks for");
  return request.file + ": no kernels\n";
}

}  // namespace gridspan::tools
