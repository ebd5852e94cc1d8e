// Copies and fills the program asks for, over buffers that lie on several devices.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "runtime/plan/buffer_table.h"
#include "runtime/plan/coherence.h"
#include "runtime/plan/host_log.h"
#include "runtime/plan/residency.h"
#include "runtime/schedule/command.h"

#include <map>
#include <memory>
#include <vector>

namespace gridspan::runtime {

class Transfers {
 public:
  Transfers(Coherence& coherence, Residency& residency, BufferTable& buffers)
      : coherence_(coherence),
        residency_(residency),
        buffers_(buffers),
        sources_(coherence.devices()) {}

  void copy(CopyCommand& command);
  void fill(const FillCommand& command);
  /// Devices get what they would get of new data from the host, and others have it no longer.
  void distribute(VirtualBuffer& buffer);
  /// Each device is told of what its parts use.
  void prefetch(const PrefetchCommand& command);

 private:
  /// One side of a copy: memory of the host, or a buffer.
  struct Side {
    VirtualBuffer* buffer;  // null: the host's
    Pitched memory;
  };
  /// What is copied, and what that touches.
  struct Batch {
    Stretches stretches;
    std::vector<regions::Box> touched;  // of the buffer it is from or to
    std::vector<regions::Box> read;     // of another that it is from
    Engine engine = Engine::compute;
    Ticket ticket = 0;
  };
  using Batches = std::map<unsigned, Batch>;

  /// What new data of a buffer goes to which devices.
  struct Placed {
    regions::Box piece;
    DeviceSet devices;
    /// From the host: byte 0 of the buffer would come from there.
    const char* from = nullptr;
  };

  regions::RegionMap<DeviceSet> placement_of(const VirtualBuffer& buffer) const;

  Side side(const Pitched& memory);
  void from_host(const Side& to, const Side& from, CopyCommand& command);
  void to_host(const Side& to, const Side& from, const CopyCommand& command);
  void between_buffers(const Side& to, const Side& from, const Extent& extent);
  void between_hosts(CopyCommand& command);
  void fill_host(const FillCommand& command);
  void make_room(VirtualBuffer& buffer, std::vector<Placed>& placed);
  void make_room(const Side& to, const Side& from, const Extent& extent);
  Engine engine_for(const CopyCommand& command, unsigned device, const Batch& batch,
                    Engine copier) const;
  void stream(VirtualBuffer& buffer, unsigned device, const Batch& batch);

  Coherence& coherence_;
  Residency& residency_;
  BufferTable& buffers_;
  HostLog host_;
  std::vector<KeptSources> sources_;  // by device
};

}  // namespace gridspan::runtime
