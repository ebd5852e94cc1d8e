// A short copy to the list before a kernel, one or two from it behind.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "devices/cuda/child_list.h"

#include "abi/child_list.h"
#include "devices/cuda/page_lock.h"

#include <algorithm>
#include <cstring>

namespace gridspan::devices::cuda {
namespace {

/// The limit counts launches with as many bytes of arguments as every GPU has always allowed.
constexpr std::uint32_t usual_argument_bytes = 4096;
constexpr std::size_t least_launches = 2048;

Address address_of(const void* memory) { return reinterpret_cast<Address>(memory); }

}  // namespace

/// What is copied there and back; hardly any kernel launches more than `begin` holds.
struct ChildList::Staged {
  abi::ChildList empty;
  abi::ChildList head;
  std::byte begin[16 << 10];
};

ChildList::~ChildList() {
  if (list_) memory_.free(list_);
  if (staged_) give_back_page_locked(gpu_, staged_);
}

/// Nothing that uses the list runs.
RunResult ChildList::make_room(std::size_t bytes) {
  if (!staged_) {
    int most_shared = 0;
    const Result error = gpu_.driver.cuDeviceGetAttribute(
        &most_shared, GpuAttribute::shared_per_block_on_request, gpu_.gpu);
    if (error != success) return gpu_.driver.fault(error, "cuDeviceGetAttribute");
    most_shared_ = static_cast<unsigned>(most_shared);
    staged_ = static_cast<Staged*>(take_page_locked(gpu_, sizeof *staged_));
    if (!staged_) return {Fault::out_of_memory, "error: no page-locked memory for a list"};
  }
  if (bytes <= capacity_) return {};
  if (list_) memory_.free(list_);
  list_ = memory_.allocate(sizeof(abi::ChildList) + bytes);
  capacity_ = list_ ? bytes : 0;
  if (!list_)
    return {Fault::out_of_memory, "error: no memory for the list of " +
                                      std::to_string(bytes >> 20) +
                                      " MiB on which kernels note what they launch"};
  return {};
}

RunResult ChildList::prepare(ModuleCode& module, unsigned depth, Stream stream) {
  const std::size_t each =
      abi::record_bytes(std::max(usual_argument_bytes, module.most_argument_bytes()));
  if (RunResult made = make_room(std::max(limit_, least_launches) * each);
      made.fault != Fault::none)
    return made;
  if (const Result error = module.place_child_list(list_, stream); error != success)
    return gpu_.driver.fault(error, "cuMemcpyAsync");
  staged_->empty = {.used = 0,
                    .end = ~0ull,
                    .capacity = capacity_,
                    .refused = 0,
                    .depth = depth,
                    .most_shared = most_shared_,
                    .reserved = {}};
  return gpu_.driver.fault(gpu_.driver.cuMemcpyAsync(address_of(list_), address_of(&staged_->empty),
                                                     sizeof staged_->empty, stream),
                           "cuMemcpyAsync");
}

RunResult ChildList::read(Stream stream, Records& records) {
  const Driver& api = gpu_.driver;
  const auto copy = [&](void* to, std::size_t offset, std::size_t bytes) {
    const Result begun =
        api.cuMemcpyAsync(address_of(to), address_of(list_) + offset, bytes, stream);
    if (begun != success) return api.fault(begun, "cuMemcpyAsync");
    return api.fault(api.cuStreamSynchronize(stream), "cuStreamSynchronize");
  };
  const std::size_t first = std::min(sizeof staged_->begin, capacity_);
  if (RunResult read = copy(&staged_->head, 0, sizeof staged_->head + first);
      read.fault != Fault::none)
    return read;
  const abi::ChildList& head = staged_->head;
  const std::size_t all = std::min(head.used, head.end);
  if (all > capacity_) return {Fault::trap, "error: a kernel's list of launches is damaged"};
  records.refused = head.refused;
  records.bytes.resize(all);
  const std::size_t known = std::min(all, first);
  std::memcpy(records.bytes.data(), staged_->begin, known);
  if (all == known) return {};
  return copy(records.bytes.data() + known, sizeof head + known, all - known);
}

}  // namespace gridspan::devices::cuda
