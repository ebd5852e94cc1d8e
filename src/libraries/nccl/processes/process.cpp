// Reads /proc.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libraries/nccl/processes/process.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <optional>
#include <sstream>
#include <string>

namespace gridspan::libraries::nccl::processes {
namespace {

struct Seen {
  char state = '?';
  long threads = 0;
  std::uint64_t started = 0;
};

/// Empty if the process ends meanwhile, at which a stream would throw.
std::string text_of(int id) {
  const int file = open(("/proc/" + std::to_string(id) + "/stat").c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return "";
  char text[1024];
  const ssize_t length = read(file, text, sizeof text);
  close(file);
  return length > 0 ? std::string(text, static_cast<std::size_t>(length)) : "";
}

/// Empty: there is no such process, or no /proc.
std::optional<Seen> look_at(int id) {
  const std::string text = text_of(id);
  // "ID (NAME) STATE ...": the name may have blanks and brackets.
  const std::size_t name_ends = text.rfind(')');
  if (name_ends == std::string::npos) return std::nullopt;
  std::istringstream fields(text.substr(name_ends + 1));
  Seen seen;
  fields >> seen.state;
  std::string skipped;
  for (int field = 4; field < 20; ++field) fields >> skipped;
  fields >> seen.threads >> skipped >> seen.started;
  if (!fields) return std::nullopt;
  return seen;
}

std::uint64_t space_of_ids() {
  struct stat about = {};
  return stat("/proc/self/ns/pid", &about) == 0 ? about.st_ino : 0;
}

}  // namespace

Process this_process() {
  Process self;
  self.id = static_cast<std::int32_t>(getpid());
  self.space = space_of_ids();
  if (const auto seen = look_at(self.id)) self.started = seen->started;
  return self;
}

bool has_ended(const Process& process) {
  static const std::uint64_t own_space = space_of_ids();
  if (process.space != own_space) return false;
  const auto seen = look_at(process.id);
  // Perhaps /proc cannot be read.
  if (!seen) return kill(process.id, 0) != 0 && errno == ESRCH;
  if (process.started != 0 && seen->started != process.started) return true;
  // A process whose first thread has ended while others go on looks dead but for their number.
  return (seen->state == 'Z' || seen->state == 'X') && seen->threads <= 1;
}

}  // namespace gridspan::libraries::nccl::processes
