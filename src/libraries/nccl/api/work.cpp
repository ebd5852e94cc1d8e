// What collectives do: copies, and combinations by kernels.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libraries/nccl/api/clique.h"
#include "libraries/nccl/kernels/combine.h"

namespace gridspan::libraries::nccl {
namespace {

class Work {
 public:
  Work(const std::vector<Call*>& calls, const Call& host)
      : calls_(calls), host_(host), bytes_(host.count * size_of(host.type)) {}

  cudaError_t begin() {
    switch (host_.kind) {
      case Kind::broadcast:
        for (const Call* call : calls_) copy(root().from, call->to);
        break;
      case Kind::all_gather:
        for (const Call* call : calls_)
          for (std::size_t i = 0; i < calls_.size(); ++i)
            copy(calls_[i]->from, at(call->to, i * bytes_));
        break;
      case Kind::reduce:
        combine_all(0, root().to);
        break;
      case Kind::all_reduce:
        combine_all(0, calls_.front()->to);
        for (const Call* call : calls_) copy(calls_.front()->to, call->to);
        break;
      case Kind::reduce_scatter:
        for (std::size_t i = 0; i < calls_.size(); ++i) combine_all(i * bytes_, calls_[i]->to);
        break;
      default:
        return cudaErrorInvalidValue;
    }
    return error_;
  }

 private:
  const Call& root() const { return *calls_[static_cast<std::size_t>(host_.peer)]; }
  static void* at(void* array, std::size_t byte) { return static_cast<char*>(array) + byte; }

  void copy(const void* from, void* to) {
    if (error_ != cudaSuccess || from == to || bytes_ == 0) return;
    error_ = cudaMemcpyAsync(to, from, bytes_, cudaMemcpyDeviceToDevice, host_.stream);
  }
  /// What all ranks have at this byte.
  void combine_all(std::size_t byte, void* to) {
    if (error_ != cudaSuccess || bytes_ == 0) return;
    std::vector<const void*> arrays;
    for (const Call* call : calls_) arrays.push_back(static_cast<const char*>(call->from) + byte);
    error_ = combine(arrays, to, host_.count, host_.type, host_.op, host_.stream);
  }

  const std::vector<Call*>& calls_;
  const Call& host_;
  const std::size_t bytes_;
  cudaError_t error_ = cudaSuccess;
};

}  // namespace

std::size_t size_of(ncclDataType_t type) {
  switch (type) {
    case ncclInt32:
    case ncclUint32:
    case ncclFloat32:
      return 4;
    case ncclInt64:
    case ncclUint64:
    case ncclFloat64:
      return 8;
    case ncclFloat16:
    case ncclBfloat16:
      return 2;
    default:
      return 1;
  }
}

cudaError_t begin_work(const std::vector<Call*>& calls, const Call& host) {
  return Work(calls, host).begin();
}

}  // namespace gridspan::libraries::nccl
