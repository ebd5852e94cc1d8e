// A GPU, or a share of one, as a device.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "devices/cuda/cuda_device.h"

#include "devices/cuda/cuda_code.h"
#include "devices/cuda/cuda_host_memory.h"
#include "devices/cuda/cuda_memory.h"
#include "devices/cuda/cuda_queue.h"
#include "devices/cuda/fake_hooks.h"
#include "devices/cuda/neighbours.h"
#include "devices/cuda/peers.h"
#include "devices/lazy_device.h"
#include "support/program_signals.h"

#include <algorithm>
#include <any>
#include <set>
#include <thread>
#include <utility>
#include <vector>

namespace gridspan::devices::cuda {
namespace {

class CudaDevice final : public Device {
 public:
  CudaDevice(const Share& share, std::uint64_t capacity, DeviceId id, const GpuContext& gpu,
             Stream compute, Stream copies)
      : id_(id),
        facts_(share.facts),
        gpu_(gpu),
        suspects_(suspects_on(gpu_.gpu)),
        lines_(gpu_, suspects_, compute),
        table_(gpu_, facts_.capability),
        copier_(gpu_, copies),
        memory_(gpu_, capacity, copier_, staged_) {
    neighbours().add({.id = id_,
                      .memory = memory_,
                      .gpu = gpu_,
                      .holds = [this](const void* address) { return holds(address); },
                      .timeline = [this](Mark mark) -> Timeline& { return lines_.of(mark); },
                      .admit = [this](Gpu user) { memory_.admit(user); }});
  }
  ~CudaDevice() override { neighbours().remove(id_); }

  const DeviceFacts& facts() const override { return facts_; }
  DeviceId id() const override { return id_; }
  DeviceMemory& memory() override { return memory_; }
  CommandQueue& queue() override { return queue_; }
  DeviceCode& code() override { return code_; }
  HostMemory* host_memory() override { return &host_memory_; }

 private:
  bool holds(const void* address) const {
    return memory_.holds(address) || table_.has_variable_at(address);
  }

  const DeviceId id_;
  const DeviceFacts facts_;
  const GpuContext gpu_;
  Suspects& suspects_;
  Lines lines_;
  CodeTable table_;
  BoxCopier copier_;
  StagedCopier staged_{gpu_};
  CudaMemory memory_;
  CudaCode code_{gpu_, suspects_, table_};
  CudaQueue queue_{{gpu_, suspects_, lines_, table_, copier_, staged_, memory_, code_}};
  CudaHostMemory host_memory_{gpu_, lines_};
};

/// The host's node whose memory ranges of the GPU may have; -1: none may. Drivers since CUDA 12.2
/// can do that; before, the attribute is unknown.
int node_of_host_memory(GpuContext gpu) {
  int is_supported = 0, node = 0;
  const Driver& api = gpu.driver;
  if (api.cuDeviceGetAttribute(&is_supported, GpuAttribute::host_virtual_memory, gpu.gpu) !=
          success ||
      is_supported == 0)
    return -1;
  if (api.cuDeviceGetAttribute(&node, GpuAttribute::host_node, gpu.gpu) == success)
    gpu.host_node = std::max(node, 0);
  else
    gpu.host_node = 0;
  const PhysicalProperties properties = gpu.host_properties();
  std::size_t unit = 0;
  const bool fits = api.cuMemGetAllocationGranularity(&unit, &properties, 0) == success &&
                    unit != 0 && gpu.granularity % unit == 0;
  return fits ? gpu.host_node : -1;
}

}  // namespace

support::Result<std::unique_ptr<Device>> make_device(const Share& share, std::uint64_t capacity,
                                                     DeviceId id) {
  const auto found = driver();
  if (!found) return support::fail(found.error());
  const Driver& api = **found;
  connect_fake(api);
  GpuContext gpu{api, 0, nullptr, 0};
  Stream compute = nullptr, copies = nullptr;
  const auto fail = [&](Result error, const char* call) {
    return support::fail("GRIDSPAN_DEVICES: cuda:" + std::to_string(share.ordinal) + ": " +
                         api.describe(error, call));
  };
  if (const Result e = api.cuDeviceGet(&gpu.gpu, static_cast<int>(share.ordinal)); e != success)
    return fail(e, "cuDeviceGet");
  if (const Result e = api.cuDevicePrimaryCtxRetain(&gpu.context, gpu.gpu); e != success)
    return fail(e, "cuDevicePrimaryCtxRetain");
  if (const Result e = gpu.make_current(); e != success) return fail(e, "cuCtxSetCurrent");
  const PhysicalProperties properties = gpu.memory_properties();
  if (const Result e = api.cuMemGetAllocationGranularity(&gpu.granularity, &properties, 0);
      e != success)
    return fail(e, "cuMemGetAllocationGranularity");
  gpu.host_node = node_of_host_memory(gpu);
  for (Stream* stream : {&compute, &copies}) {
    if (const Result e = api.cuStreamCreate(stream, stream_non_blocking); e != success)
      return fail(e, "cuStreamCreate");
  }
  for (const Gpu owner : peers().join(gpu)) neighbours().admit(gpu.gpu, owner);
  return std::make_unique<CudaDevice>(share, capacity, id, gpu, compute, copies);
}

/// A context takes some tenths of a second: those of several GPUs are made at once. Where that
/// fails, make_device says so.
static void make_contexts(const MakeRequest& request) {
  std::set<unsigned> ordinals;
  for (const DescribedDevice& one : request.all)
    if (const auto* const share = std::any_cast<Share>(&one.recipe))
      ordinals.insert(share->ordinal);
  const auto found = driver();
  if (ordinals.size() < 2 || !found) return;
  const support::ProgramSignals blocked;
  std::vector<std::jthread> threads;
  for (const unsigned ordinal : ordinals)
    threads.emplace_back([&api = **found, ordinal] {
      Gpu gpu = 0;
      Context context = nullptr;
      if (api.cuDeviceGet(&gpu, static_cast<int>(ordinal)) == success)
        api.cuDevicePrimaryCtxRetain(&context, gpu);
    });
}

Make maker(const MakeRequest& request) {
  if (!request.may_be_lazy) make_contexts(request);
  const std::uint64_t most = request.options.oversubscribe.most_on_gpu;
  const DescribedDevice* const home = request.may_be_lazy ? &request.all.front() : nullptr;
  return [most, home](const DescribedDevice& one) -> support::Result<std::unique_ptr<Device>> {
    const auto make = [share = std::any_cast<Share>(one.recipe), most](DeviceId id) {
      const std::uint64_t bytes = share.facts.memory_bytes;
      return make_device(share, most == 0 ? bytes : std::min(bytes, most), id);
    };
    if (home && &one != home) return std::make_unique<LazyDevice>(one.facts, make);
    return make(new_device_id());
  };
}

}  // namespace gridspan::devices::cuda
