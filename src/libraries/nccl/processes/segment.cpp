// Makes, finds and removes segments.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libraries/nccl/processes/segment.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <system_error>

namespace gridspan::libraries::nccl::processes {
namespace {

constexpr const char* folder = "/dev/shm";
constexpr const char* prefix = "gridspan-nccl-";

/// Two sums of all 128 bytes (FNV-1a, from two starts).
std::string path_of(const ncclUniqueId& id) {
  std::uint64_t sums[2] = {1469598103934665603ull + layout_version, 0x9e3779b97f4a7c15ull};
  for (std::uint64_t& sum : sums)
    for (const char byte : id.internal)
      sum = (sum ^ static_cast<unsigned char>(byte)) * 1099511628211ull;
  char text[64];
  std::snprintf(text, sizeof text, "%s%016llx%016llx", prefix,
                static_cast<unsigned long long>(sums[0]), static_cast<unsigned long long>(sums[1]));
  return std::string(folder) + "/" + text;
}

std::string of_system(const std::string& what) {
  return what + ": " + std::generic_category().message(errno);
}

bool has_name(int file) {
  struct stat about = {};
  return fstat(file, &about) == 0 && about.st_nlink > 0;
}

/// Those whose processes were all killed before they met.
void remove_forgotten() {
  std::error_code error;
  std::filesystem::directory_iterator entries(folder, error);
  for (; !error && entries != end(entries); entries.increment(error)) {
    const std::filesystem::path path = entries->path();
    if (!path.filename().string().starts_with(prefix)) continue;
    const int file = open(path.c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW);
    if (file < 0) continue;  // another user's
    if (flock(file, LOCK_EX | LOCK_NB) == 0 && has_name(file)) unlink(path.c_str());
    close(file);
  }
}

/// With a lock that says that it is in use. Negative: there is none.
int open_locked(const std::string& path) {
  while (true) {
    const int file =
        open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, S_IRUSR | S_IWUSR);
    if (file < 0) return file;
    const bool is_locked = flock(file, LOCK_SH) == 0;
    if (is_locked && has_name(file)) return file;
    const int error = errno;
    close(file);  // somebody has removed it meanwhile
    errno = error;
    if (!is_locked && error != EINTR) return -1;
  }
}

/// Memory behind these bytes, so that to write there is no fault.
bool reserve(int file, std::size_t from, std::size_t bytes) {
  int error = EINTR;
  while (error == EINTR)
    error = posix_fallocate(file, static_cast<off_t>(from), static_cast<off_t>(bytes));
  errno = error;
  return error == 0;
}

}  // namespace

std::unique_ptr<Segment> Segment::attach(const ncclUniqueId& id, int ranks, std::string& why) {
  std::unique_ptr<Segment> made(new Segment(ranks));
  remove_forgotten();
  const std::string path = path_of(id);
  made->file_ = open_locked(path);
  if (made->file_ < 0) {
    why = of_system(path);
    return nullptr;
  }
  made->path_ = path;
  const Layout& layout = made->layout_;
  void* const memory = mmap(nullptr, layout.bytes(), PROT_READ | PROT_WRITE,
                            MAP_SHARED | MAP_NORESERVE, made->file_, 0);
  if (memory != MAP_FAILED) made->memory_ = static_cast<std::byte*>(memory);
  if (made->memory_ && reserve(made->file_, 0, layout.own(0))) return made;
  why = of_system(path);
  return nullptr;
}

bool Segment::make_room(int rank, std::string& why) {
  if (reserve(file_, layout_.own(index(rank)), layout_.own_bytes())) return true;
  why = of_system(std::string(folder) + " has no " + std::to_string(layout_.own_bytes() >> 10) +
                  " KiB for a rank");
  return false;
}

void Segment::remove_name() {
  if (file_ < 0) return;
  if (has_name(file_)) unlink(path_.c_str());
  close(file_);
  file_ = -1;
}

Segment::~Segment() {
  if (memory_) munmap(memory_, layout_.bytes());
  if (file_ < 0) return;
  if (flock(file_, LOCK_EX | LOCK_NB) == 0)
    remove_name();  // nobody else has it
  else
    close(file_);
}

}  // namespace gridspan::libraries::nccl::processes
