// Header, order among threads, and what happens when the file cannot be written.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/record/recorder.h"

#include "runtime/schedule/command.h"
#include "support/log.h"

#include <limits.h>
#include <unistd.h>

#include <cstring>
#include <fstream>
#include <string_view>
#include <utility>

namespace gridspan::runtime::record {

constinit thread_local std::uint64_t last_command = 0;

namespace {

/// `%p` in a file's name is the process's number.
std::string expand(std::string name) {
  const std::size_t place = name.find("%p");
  if (place != std::string::npos) name.replace(place, 2, std::to_string(getpid()));
  return name;
}

std::string link_target(const char* link) {
  char target[PATH_MAX];
  const ssize_t length = readlink(link, target, sizeof target);
  return length < 0 ? "" : std::string(target, static_cast<std::size_t>(length));
}

std::vector<std::string> program_arguments() {
  std::ifstream file("/proc/self/cmdline", std::ios::binary);
  std::vector<std::string> arguments;
  for (std::string one; std::getline(file, one, '\0');) arguments.push_back(one);
  return arguments;
}

std::vector<NamedText> gridspan_variables() {
  std::vector<NamedText> variables;
  for (char** entry = environ; entry && *entry; ++entry) {
    const std::string_view text = *entry;
    if (!text.starts_with("GRIDSPAN_")) continue;
    const std::size_t equals = text.find('=');
    if (equals == std::string_view::npos) continue;
    variables.push_back(
        {std::string(text.substr(0, equals)), std::string(text.substr(equals + 1))});
  }
  return variables;
}

}  // namespace

Recorder::Recorder(LogWriter writer, bool has_data)
    : writer_(std::move(writer)),
      has_data_(has_data),
      start_(devices::now_nanoseconds()),
      process_(getpid()) {}

support::Result<std::unique_ptr<Recorder>> Recorder::start(
    const support::Options& options, std::span<const std::unique_ptr<devices::Device>> devices) {
  const std::string wanted = expand(options.record);
  auto writer = LogWriter::open(wanted);
  if (!writer) return support::fail("GRIDSPAN_RECORD: " + writer.error().message);
  if (writer->file() != wanted) {
    support::log(support::LogLevel::error,
                 "'%s' is being written by another program; this one's "
                 "recording is '%s'",
                 wanted.c_str(), writer->file().c_str());
  }
  std::unique_ptr<Recorder> recorder(new Recorder(std::move(*writer), options.record_data));
  Header header;
  header.gridspan = GRIDSPAN_VERSION;
  header.program = link_target("/proc/self/exe");
  header.arguments = program_arguments();
  header.folder = link_target("/proc/self/cwd");
  header.variables = gridspan_variables();
  for (const auto& device : devices) header.devices.push_back(device->facts().name);
  header.has_data = options.record_data;
  recorder->write(std::move(header));
  return recorder;
}

std::uint64_t Recorder::now() const {
  return static_cast<std::uint64_t>(devices::now_nanoseconds() - start_);
}

/// A forked child shares the file; what it does is no part of the recording. Expects the lock.
bool Recorder::may_write() {
  if (getpid() != process_) return false;
  if (writer_.error() == 0) return true;
  if (!std::exchange(told_of_error_, true)) {
    support::log(support::LogLevel::error, "the recording '%s' ends here: %s",
                 writer_.file().c_str(), std::strerror(writer_.error()));
  }
  return false;
}

std::uint64_t Recorder::write(Record record) {
  const std::scoped_lock lock(mutex_);
  return may_write() ? writer_.write(std::move(record)) : 0;
}

Bytes Recorder::keep(const char* from, std::size_t size) {
  const std::scoped_lock lock(mutex_);
  return may_write() ? writer_.keep(from, size) : Bytes{};
}

void Recorder::write_call(CallNote note) {
  thread_local std::uint32_t thread = 0;
  if (thread == 0) thread = ++threads_;
  note.nanoseconds = now();
  note.thread = thread;
  note.command = std::exchange(last_command, 0);
  write(std::move(note));
}

void Recorder::end() { write(EndNote{}); }

}  // namespace gridspan::runtime::record
