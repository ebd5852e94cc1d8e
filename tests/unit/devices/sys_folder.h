// A made-up /sys for topology tests.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

namespace gridspan::test {

/// Removed with the object.
class SysFolder {
 public:
  SysFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "gridspan-sys-XXXXXX").string();
    root_ = mkdtemp(name.data());
  }
  ~SysFolder() { std::filesystem::remove_all(root_); }
  SysFolder(const SysFolder&) = delete;
  SysFolder& operator=(const SysFolder&) = delete;
  std::string root() const { return root_.string(); }

  SysFolder& write(const std::string& path, const std::string& text) {
    return write_file("devices/system/" + path, text);
  }
  SysFolder& write_file(const std::string& path, const std::string& text) {
    const auto file = root_ / path;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file) << text << "\n";
    return *this;
  }

  /// With a meminfo as Linux writes it, unless `megabytes` is negative.
  SysFolder& node(int id, const std::string& cpus, std::int64_t megabytes) {
    const std::string folder = "node/node" + std::to_string(id);
    write(folder + "/cpulist", cpus);
    if (megabytes < 0) return *this;
    const std::string line = "Node " + std::to_string(id) + " ";
    return write(folder + "/meminfo", line + "MemFree:        12345 kB\n" + line +
                                          "MemTotal:       " + std::to_string(megabytes << 10) +
                                          " kB\n" + line + "HugePages_Total:     0");
  }

 private:
  std::filesystem::path root_;
};

}  // namespace gridspan::test
