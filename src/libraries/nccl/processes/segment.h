// A file of /dev/shm that several processes have in their memory.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Nothing is to stay in /dev/shm, however a program ends: the last rank that comes removes the
// name, since nobody needs it from then on. Until then each process holds a lock on the file, which
// ends with the process: a file without a lock is one whose processes were all killed, and whoever
// makes the next segment removes it.
#pragma once

#include "libraries/nccl/processes/layout.h"

#include <memory>
#include <string>

namespace gridspan::libraries::nccl::processes {

class Segment {
 public:
  /// That of an identifier. Null: there is none to be had, and `why` says why.
  static std::unique_ptr<Segment> attach(const ncclUniqueId& id, int ranks, std::string& why);
  Segment(const Segment&) = delete;
  Segment& operator=(const Segment&) = delete;
  ~Segment();

  /// Memory for a rank of this process. False: there is not enough, and `why` says so.
  bool make_room(int rank, std::string& why);
  /// Nobody else is to find it. The end of a segment removes the name, too.
  void remove_name();

  int ranks() const { return ranks_; }
  Header& header() const { return at<Header>(0); }
  RankState& rank(int i) const { return at<RankState>(layout_.rank(index(i))); }
  PairState& pair(int from, int to) const {
    return at<PairState>(layout_.pair(index(from), index(to)));
  }
  std::byte* results(std::uint64_t piece) const {
    return memory_ + layout_.results(piece % halves);
  }
  std::byte* slot(int rank, std::uint64_t piece) const {
    return memory_ + layout_.slot(index(rank), piece % halves);
  }
  std::byte* message(int from, int to, std::uint64_t piece) const {
    return memory_ + layout_.message(index(from), index(to), piece % halves);
  }
  std::size_t message_bytes() const { return layout_.message_bytes(); }

 private:
  explicit Segment(int ranks) : ranks_(ranks), layout_(ranks) {}
  static std::size_t index(int i) { return static_cast<std::size_t>(i); }
  template <typename T>
  T& at(std::size_t byte) const {
    return *reinterpret_cast<T*>(memory_ + byte);
  }

  const int ranks_;
  const Layout layout_;
  std::string path_;
  int file_ = -1;
  std::byte* memory_ = nullptr;
};

}  // namespace gridspan::libraries::nccl::processes
