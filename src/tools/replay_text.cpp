// gridspan replay --print.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/replay_text.h"

#include "support/format.h"
#include "support/readable_name.h"
#include "tools/replay_boxes.h"

#include <cstdio>
#include <cstring>

namespace gridspan::tools {
namespace {

using namespace runtime::record;

using support::formatted;

std::string command_text(std::uint64_t command) {
  return formatted("#%-5llu ", static_cast<unsigned long long>(command));
}

std::string size_text(const BoxExtent& extent) {
  std::string text = number(extent.bytes()) + " bytes";
  const std::uint64_t rows = extent.height * extent.depth;
  return rows > 1 ? text + " in " + number(rows) + " rows" : text;
}

std::string side_text(const SideNote& side) {
  return hexadecimal(side.base) + (side.is_host ? " (host)" : "");
}

const char* kind_text(std::uint8_t kind) {
  constexpr const char* names[] = {"device", "variable", "page-locked", "registered", "managed"};
  return kind < std::size(names) ? names[kind] : "unknown";
}

/// An argument by its size alone: its type is not recorded.
std::string argument_text(const ParameterNote& parameter, const std::string& bytes) {
  if (parameter.size > 8 || parameter.size > bytes.size() ||
      parameter.offset > bytes.size() - parameter.size) {
    return "{" + number(parameter.size) + " bytes}";
  }
  std::uint64_t value = 0;
  std::memcpy(&value, bytes.data() + parameter.offset, parameter.size);
  constexpr std::uint64_t surely_a_count = 1u << 24;  // beyond, it may be a float or two halves
  return parameter.is_pointer || value >= surely_a_count ? hexadecimal(value) : number(value);
}

}  // namespace

std::string RecordPrinter::print(const Record& record) {
  return std::visit([this](const auto& one) { return text(one); }, record);
}

std::string RecordPrinter::text(const Header& header) const {
  std::string line = "recording of";
  for (const std::string& argument : header.arguments) line += " " + argument;
  line += "\n  program " + header.program + "\n  started in " + header.folder + "\n";
  for (const NamedText& one : header.variables) line += "  " + one.name + "=" + one.value + "\n";
  line += "  gridspan " + header.gridspan + ", on " + number(header.devices.size()) +
          (header.devices.size() == 1 ? " device" : " devices");
  return line + (header.has_data ? ", with contents of memory\n" : "\n");
}

std::string RecordPrinter::text(const ModuleNote& module) {
  modules_.push_back(module);
  std::string line = formatted("module %zu %016llx%016llx in ", modules_.size() - 1,
                               static_cast<unsigned long long>(module.id[0]),
                               static_cast<unsigned long long>(module.id[1])) +
                     (module.file.empty() ? "memory" : module.file) + "\n";
  for (const KernelNote& kernel : module.kernels) {
    line += "  kernel " + support::readable_name(kernel.name) + "\n";
  }
  for (const VariableNote& variable : module.variables) {
    line += "  variable " + support::readable_name(variable.name) + ", " + number(variable.bytes) +
            " bytes\n";
  }
  return line;
}

std::string RecordPrinter::text(const CallNote& call) const {
  std::string line =
      formatted("%10.6f %u  ", static_cast<double>(call.nanoseconds) * 1e-9, call.thread) +
      call.name + "(";
  const char* separator = "";
  for (const NamedText& argument : call.arguments) {
    line += separator + argument.name + "=" + argument.value;
    separator = ", ";
  }
  line += ") = " + call.result;
  return line + (call.command ? "  -> #" + number(call.command) + "\n" : "\n");
}

std::string RecordPrinter::text(const MemoryNote& memory) const {
  return "memory " + hexadecimal(memory.base) + ", " + number(memory.size) + " bytes, " +
         kind_text(memory.kind) + (memory.held ? "\n" : ", is gone\n");
}

std::string RecordPrinter::text(const ImageNote& image) const {
  std::string line = "variables of module " + number(image.module) + " at";
  for (const std::uint64_t address : image.addresses) line += " " + hexadecimal(address);
  return line + "\n";
}

std::string RecordPrinter::text(const ContentsNote& contents) const {
  return "contents of " + hexadecimal(contents.base) + ", " + number(contents.bytes.size) +
         " bytes\n";
}

std::string RecordPrinter::text(const LaunchNote& launch) const {
  std::string line = command_text(launch.command) + "launch ";
  if (launch.module < modules_.size() && launch.kernel < modules_[launch.module].kernels.size()) {
    const KernelNote& kernel = modules_[launch.module].kernels[launch.kernel];
    const std::string name = support::readable_name(kernel.name);
    line += name.substr(0, name.find('(')) + "(";
    const char* separator = "";
    for (const ParameterNote& parameter : kernel.parameters) {
      line += separator + argument_text(parameter, launch.arguments.bytes);
      separator = ", ";
    }
    line += ")";
  } else {
    line += "of a kernel that is in no module";
  }
  line += " grid " + extents(launch.grid) + " block " + extents(launch.block);
  if (launch.shared_bytes) line += " shared " + number(launch.shared_bytes);
  return line + "\n";
}

std::string RecordPrinter::text(const CopyNote& copy) const {
  return command_text(copy.command) + "copy " + size_text(copy.extent) + " from " +
         side_text(copy.from) + " to " + side_text(copy.to) + "\n";
}

std::string RecordPrinter::text(const FillNote& fill) const {
  return command_text(fill.command) + "fill " + size_text(fill.extent) + " at " +
         side_text(fill.to) + " with " + number(fill.value) + "\n";
}

std::string RecordPrinter::text(const EventNote& event) const {
  return command_text(event.command) + "event " + hexadecimal(event.event) + "\n";
}

std::string RecordPrinter::text(const StackNote& stack) const {
  return "stack of a thread: " + number(stack.bytes) + " bytes\n";
}

std::string RecordPrinter::text(const PlanNote& plan) {
  plans_.push_back(plan);
  return "plan " + number(plans_.size() - 1) + "\n" + plan_text(plan);
}

std::string RecordPrinter::text(const PlannedNote& planned) const {
  std::string line = command_text(planned.command) + "  plan " + number(planned.plan);
  if (planned.plan < plans_.size()) line += ": " + plan_summary(plans_[planned.plan]);
  line += "\n";
  for (const StepNote& step : planned.copies) line += "          " + step_text(step) + "\n";
  return line;
}

std::string RecordPrinter::text(const PassedNote& passed) const {
  const MovedNote& moved = passed.moved;
  std::string line;
  const auto add = [&line](const char* way, std::uint64_t bytes) {
    if (bytes) line += (line.empty() ? "" : ", ") + number(bytes) + " bytes " + way;
  };
  add("from the host", moved.host_to_device);
  add("to the host", moved.device_to_host);
  add("between devices", moved.between_devices);
  add("within devices", moved.within_devices);
  add("merged", moved.merged);
  add("combined", moved.combined);
  return line.empty() ? "" : command_text(passed.command) + "  moved " + line + "\n";
}

std::string RecordPrinter::text(const DigestNote& digest) const {
  return command_text(digest.command) + "  brought to the host: " + number(digest.hashes.size()) +
         " hashes\n";
}

std::string RecordPrinter::text(const FaultNote& fault) const {
  return command_text(fault.command) + "  FAILED: " + fault.fault + "\n";
}

std::string RecordPrinter::text(const ForecastNote& forecast) {
  std::string text = "forecast " + number(forecasts_++) + ":";
  for (const FusedStepNote& step : forecast.steps) text += " " + step.name;
  return text + ", " + number(forecast.groups.size()) +
         (forecast.groups.size() == 1 ? " group\n" : " groups\n");
}

std::string RecordPrinter::text(const WindowNote& window) const {
  return "window of #" + number(window.first) + " to #" + number(window.last) + ", forecast " +
         number(window.forecast) + ", ended by " + window.end + "\n";
}

std::string RecordPrinter::text(const SharesNote& shares) const {
  std::string line =
      command_text(shares.command) + "  by time, devices are as slow as their memories:";
  for (const std::uint64_t millionths : shares.slowness) {
    char text[32];
    std::snprintf(text, sizeof text, " %.3g times", 1e-6 * static_cast<double>(millionths));
    line += millionths == 0 ? " (left out)" : text;
  }
  return line + (shares.asks_all ? ", all are timed\n" : "\n");
}

std::string RecordPrinter::text(const PlaceNote& place) const {
  return command_text(place.command) +
         (place.on_all ? "  all devices take part\n" : "  the first device is alone\n");
}

}  // namespace gridspan::tools
