// Walks the stack, and asks gridcc for lines.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/check/host_places.h"

#include "support/find_gridcc.h"
#include "support/memory_file.h"
#include "support/readable_name.h"
#include "support/run_child.h"

#include <dlfcn.h>
#include <execinfo.h>
#include <link.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <map>
#include <mutex>
#include <sstream>
#include <string_view>

namespace gridspan::runtime::check {
namespace {

/// A loaded file and a place in it as its own tables count.
struct FilePlace {
  std::string file;
  std::uintptr_t offset;
};

const void* image_of(const void* address) {
  Dl_info found;
  return dladdr(address, &found) != 0 ? found.dli_fbase : nullptr;
}

/// A return address is behind its call, which is what is asked about.
const char* inside_call(const void* frame) { return static_cast<const char*>(frame) - 1; }

FilePlace file_place(const void* frame) {
  Dl_info found;
  link_map* map = nullptr;
  if (dladdr1(inside_call(frame), &found, reinterpret_cast<void**>(&map), RTLD_DL_LINKMAP) == 0)
    return {};
  const bool is_program = map->l_name == nullptr || *map->l_name == '\0';
  return {is_program ? "/proc/" + std::to_string(getpid()) + "/exe" : std::string(map->l_name),
          reinterpret_cast<std::uintptr_t>(inside_call(frame)) - map->l_addr};
}

std::string offset_text(std::uintptr_t value) {
  char text[32];
  std::snprintf(text, sizeof text, "0x%zx", static_cast<std::size_t>(value));
  return text;
}

std::string own_name(const std::string& file) {
  if (!file.starts_with("/proc/")) return file;
  char path[4096];
  const ssize_t length = readlink("/proc/self/exe", path, sizeof path);
  return length > 0 ? std::string(path, static_cast<std::size_t>(length)) : file;
}

/// What it prints for these addresses; nothing if it is not there.
std::string answer_of_gridcc(const std::vector<void*>& frames) {
  const auto gridcc = support::own_gridcc(reinterpret_cast<const void*>(&resolve));
  const support::MemoryFile answer("gridspan-places");
  if (!gridcc || answer.descriptor() < 0 || frames.empty()) return {};
  std::vector<std::string> command{*gridcc};
  for (const void* frame : frames) {
    const FilePlace place = file_place(frame);
    command.push_back("--host-place=" + place.file + ":" + offset_text(place.offset));
  }
  const std::string said =
      "/proc/" + std::to_string(getpid()) + "/fd/" + std::to_string(answer.descriptor());
  const auto ran = support::run_child(command, said);
  return ran && *ran ? answer.read() : std::string();
}

/// What the loader knows.
HostPlace loader_place(const void* frame) {
  const FilePlace place = file_place(frame);
  Dl_info found;
  HostPlace result;
  if (dladdr(inside_call(frame), &found) != 0 && found.dli_sname != nullptr)
    result.function = support::readable_name(found.dli_sname);
  result.place = own_name(place.file) + "+" + offset_text(place.offset);
  return result;
}

/// One line of gridcc's answer: a function, a tabulator and `file:line`; either may be empty.
HostPlace place_in(const std::string& line, const HostPlace& known) {
  HostPlace place = known;
  const std::size_t tab = std::min(line.find('\t'), line.size());
  if (tab != 0) place.function = line.substr(0, tab);
  if (tab + 1 >= line.size()) return place;
  place.place = line.substr(tab + 1);
  place.has_line = true;
  return place;
}

/// The functions that are at each address, innermost first; as the loader knows them where gridcc
/// does not answer.
std::vector<HostPlace> ask_gridcc(const std::vector<void*>& frames) {
  std::vector<HostPlace> places;
  std::istringstream lines(answer_of_gridcc(frames));
  for (const void* frame : frames) {
    const HostPlace known = loader_place(frame);
    const std::size_t before = places.size();
    for (std::string line; std::getline(lines, line) && !line.empty();)
      places.push_back(place_in(line, known));
    if (places.size() == before) places.push_back(known);
  }
  return places;
}

/// Our headers' templates for CUDA's functions; without the result's type where they were inlined.
bool is_wrapper(const HostPlace& place) {
  const std::string& name = place.function;
  return name.starts_with("cudaError cuda") ||
         (name.starts_with("cuda") && name.find('<') != std::string::npos);
}

/// Not the program's business: ours where it is linked with our archive, and what starts it.
bool is_shown(const HostPlace& place) {
  return !place.function.starts_with("gridspan::") && place.function != "_start" &&
         !place.function.starts_with("__libc_start") && !is_wrapper(place);
}

/// `cudaMalloc` of a symbol of that name or of our own, gridspan_cudaMalloc; null of other symbols.
const char* call_name(const char* symbol) {
  if (symbol == nullptr) return nullptr;
  constexpr std::string_view own = "gridspan_";
  if (std::string_view(symbol).starts_with(own)) symbol += own.size();
  return symbol[0] == 'c' ? symbol : nullptr;
}

}  // namespace

HostCall current_host_call() {
  static const void* const ours = image_of(reinterpret_cast<const void*>(&current_host_call));
  void* frames[48];
  const int count = backtrace(frames, 48);
  HostCall call;
  std::size_t kept = 0;
  for (int i = 1; i < count && kept < call.frames.size(); ++i) {
    Dl_info found;
    if (dladdr(inside_call(frames[i]), &found) == 0) continue;
    if (kept == 0 && found.dli_fbase == ours) {
      // The outermost is the program's call.
      if (const char* name = call_name(found.dli_sname)) call.function = name;
      continue;
    }
    call.frames[kept++] = frames[i];
  }
  return call;
}

static std::vector<HostPlace> find_places(const HostCall& call) {
  std::vector<void*> frames;
  for (void* frame : call.frames)
    if (frame != nullptr) frames.push_back(frame);
  std::vector<HostPlace> places = ask_gridcc(frames);
  std::erase_if(places, [](const HostPlace& place) { return !is_shown(place); });
  return places;
}

std::vector<HostPlace> resolve(const HostCall& call) {
  static std::mutex mutex;
  // Asked when the process ends, too.
  static auto& known = *new std::map<decltype(call.frames), std::vector<HostPlace>>;
  const std::scoped_lock lock(mutex);
  const auto [at, is_new] = known.try_emplace(call.frames);
  if (is_new) at->second = find_places(call);
  return at->second;
}

std::string note_of(const std::string& what, const HostCall& call) {
  const std::vector<HostPlace> places = resolve(call);
  if (places.empty()) return {};
  std::string text = places.front().has_line ? places.front().place + ": " : "";
  text += "note: " + what;
  if (call.function != nullptr) text += std::string(" by ") + call.function;
  for (std::size_t i = 0; i < places.size(); ++i) {
    const HostPlace& one = places[i];
    text += one.function.empty() ? ", called" : ", called in " + one.function;
    const bool is_said = i == 0 && one.has_line;
    if (!is_said) text += " (" + one.place + ")";
    if (one.function == "main") break;
  }
  return text + "\n";
}

}  // namespace gridspan::runtime::check
