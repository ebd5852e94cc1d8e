// gridspan record: sets the variables and gets out of the way.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/record.h"

#include "tools/child.h"

#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <filesystem>

namespace gridspan::tools {
namespace {

namespace fs = std::filesystem;

/// As the shell sees it: this process ends by the same signal. The program has left its core file.
[[noreturn]] void end_by(int signal) {
  const rlimit no_core{0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  std::signal(signal, SIG_DFL);
  kill(getpid(), signal);
  _exit(128 + signal);
}

/// A recording of earlier must not be taken for this one.
void forget(const std::string& file) {
  std::error_code ignored;
  if (fs::is_regular_file(file, ignored)) fs::remove(file, ignored);
}

void tell(const RecordRequest& request, const std::string& file) {
  std::error_code error;
  const auto size = fs::file_size(file, error);
  if (request.file.find("%p") != std::string::npos) {
    std::fprintf(stderr, "gridspan: recorded in files like %s\n", request.file.c_str());
  } else if (error) {
    std::fprintf(stderr, "gridspan: nothing was recorded: %s made no CUDA call\n",
                 request.command[0].c_str());
  } else {
    std::fprintf(stderr, "gridspan: recorded in %s (%llu bytes)\n", request.file.c_str(),
                 static_cast<unsigned long long>(size));
  }
}

}  // namespace

support::Result<int> record(const RecordRequest& request) {
  // The program may change its folder before its first CUDA call.
  const std::string file = fs::absolute(request.file).string();
  forget(file);
  auto ended = run_child(
      request.command,
      {{"GRIDSPAN_RECORD", file}, {"GRIDSPAN_RECORD_DATA", request.with_data ? "1" : "0"}});
  if (!ended) return support::fail(ended.error());
  tell(request, file);
  if (ended->signal != 0) end_by(ended->signal);
  return ended->status;
}

}  // namespace gridspan::tools
