// Everything the run time knows, in one object that is never destroyed.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Programs call us from constructors before main and from destructors after it, and a command may
// run while the process exits. So the state is made at the first call and leaked on purpose.
#pragma once

#include "devices/device.h"
#include "devices/kernel_times.h"
#include "devices/lazy_device.h"
#include "devices/measure/measured.h"
#include "runtime/api/across_waits.h"
#include "runtime/api/arrays.h"
#include "runtime/api/current_device.h"
#include "runtime/api/device_limits.h"
#include "runtime/api/graph/tables.h"
#include "runtime/api/memory_pools.h"
#include "runtime/api/returned_memory.h"
#include "runtime/api/shared_memory.h"
#include "runtime/api/stream_table.h"
#include "runtime/api/texture_table.h"
#include "runtime/check/known_allocations.h"
#include "runtime/fuse/carried_kernels.h"
#include "runtime/fuse/chainer.h"
#include "runtime/fuse/device_fuser.h"
#include "runtime/fuse/device_place.h"
#include "runtime/memory/home_memory.h"
#include "runtime/plan/home_or_all.h"
#include "runtime/plan/home_or_rounds.h"
#include "runtime/plan/many_devices.h"
#include "runtime/record/recorder.h"
#include "runtime/record/recording_executor.h"
#include "runtime/schedule/executor.h"
#include "runtime/schedule/one_device.h"
#include "runtime/schedule/queue.h"
#include "runtime/schedule/streamed_device.h"
#include "runtime/specialise/plugin.h"
#include "runtime/verify/verifier.h"
#include "support/options.h"

#include <unistd.h>

#include <array>
#include <atomic>
#include <deque>
#include <memory>
#include <string>
#include <vector>

namespace gridspan::runtime {

/// What the program set of one of the devices it sees.
struct VisibleDevice {
  DeviceLimits limits;
  std::atomic<unsigned> flags{0};
  std::atomic<unsigned> peers{0};  // bit i: access to device i is enabled
};

struct Runtime {
  explicit Runtime(const support::Options& options);
  ~Runtime() = delete;

  support::Options options;
  const int process = getpid();                           // forked children share the state
  const bool launches_block;                              // CUDA_LAUNCH_BLOCKING, as CUDA has it
  devices::KernelTimes kernel_times;                      // with GRIDSPAN_KERNEL_TIMES
  std::unique_ptr<SpecialisePlugin> specialised;          // null unless kernels may be specialised
  std::unique_ptr<check::KnownAllocations> known_memory;  // null unless some check needs it
  devices::Measured measured;                             // of these:
  std::vector<std::unique_ptr<devices::Device>> devices;  // the home device first
  devices::LazyDevices lazy_devices;                      // of these
  devices::DeviceFacts facts;                             // of all devices as one
  HomeMemory memory;
  std::unique_ptr<verify::Verifier> verifier;             // null unless GRIDSPAN_VERIFY is set
  std::unique_ptr<ManyDevices> many_devices;              // null if one device does everything
  std::unique_ptr<fuse::CarriedKernels> carried_kernels;  // null unless launches may be one kernel
  std::deque<fuse::DeviceFuser> device_fusers;            // the same on GPUs
  std::unique_ptr<fuse::Chainer> chainer_of_all;          // null unless launches may be groups ...
  std::unique_ptr<fuse::DevicePlace> home_place;          // ... or, on the home device alone:
  std::unique_ptr<fuse::Chainer> home_chainer;            // also chains
  std::unique_ptr<StreamedDevice> streamed_device;        // null unless a GPU may do everything
  std::unique_ptr<HomeOrAll> home_or_all;                 // null unless it is one of several
  std::unique_ptr<HomeOrRounds> home_or_rounds;           // null unless it may do so in rounds
  std::unique_ptr<OneDevice> one_device;                  // a CPU that does everything
  std::unique_ptr<record::Recorder> recorder;             // null unless GRIDSPAN_RECORD is set
  std::unique_ptr<record::RecordingExecutor> recording_executor;  // with the recorder
  Queue& queue;
  AcrossWaits across_waits;
  StreamTable streams;
  EventTable events;
  ArrayTable arrays;
  MipmapTable mipmaps;
  TextureTable textures;
  PoolTable pools;
  ReturnedMemory returned_memory;
  SharedMemory shared_memory;
  graph::Tables graphs;

  std::vector<fuse::Chainer*> chainers() const {
    std::vector<fuse::Chainer*> all;
    for (const auto* one : {&chainer_of_all, &home_chainer})
      if (*one) all.push_back(one->get());
    return all;
  }

  VisibleDevice& visible_device(int device) {
    return visible_devices[static_cast<std::size_t>(device)];
  }
  std::array<VisibleDevice, most_devices> visible_devices;
  std::atomic<bool> exiting{false};
  std::atomic<bool> expects_launches{false};
};

/// The program allocates memory: its kernels are likely to run, and devices begin to load them.
/// Once.
void expect_launches(Runtime& state);

/// Ends the process with one line on standard error: exit() would run destructors that call us.
[[noreturn]] void give_up(const std::string& line);

/// Made at the first call. A wrong GRIDSPAN_* value ends the process with one line.
Runtime& runtime();

/// The same if it was made already, else null. For registration, which must not start anything.
Runtime* runtime_if_started();

}  // namespace gridspan::runtime
