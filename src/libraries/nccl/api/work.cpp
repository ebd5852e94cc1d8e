// What collectives do: copies, and combinations by kernels.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libraries/nccl/api/clique.h"
#include "libraries/nccl/kernels/combine.h"
#include "libraries/nccl/kernels/factors.h"

namespace gridspan::libraries::nccl {
namespace {

class Work {
 public:
  Work(const std::vector<Call*>& calls, const Call& host)
      : calls_(calls), host_(host), bytes_(host.count * size_of(host.type)) {}

  cudaError_t begin() {
    if (host_.op == pre_mul_sum) gather_factors();
    begin_parts();
    // After an error, too.
    if (factors_) note(cudaFreeAsync(factors_, host_.stream));
    return error_;
  }

 private:
  void begin_parts() {
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
        note(cudaErrorInvalidValue);
    }
  }

  const Call& root() const { return *calls_[static_cast<std::size_t>(host_.peer)]; }
  static void* at(void* array, std::size_t byte) { return static_cast<char*>(array) + byte; }

  void note(cudaError_t error) {
    if (error_ == cudaSuccess) error_ = error;
  }
  /// Each rank's, in an array on the device.
  void gather_factors() {
    const std::size_t size = size_of(host_.type);
    note(cudaMallocAsync(&factors_, calls_.size() * size, host_.stream));
    for (std::size_t i = 0; i < calls_.size() && error_ == cudaSuccess; ++i) {
      void* const place = at(factors_, i * size);
      const void* const from = calls_[i]->factor_on_device;
      note(from ? cudaMemcpyAsync(place, from, size, cudaMemcpyDeviceToDevice, host_.stream)
                : write_factor(place, calls_[i]->factor, size, host_.stream));
    }
  }
  void copy(const void* from, void* to) {
    if (error_ != cudaSuccess || from == to || bytes_ == 0) return;
    error_ = cudaMemcpyAsync(to, from, bytes_, cudaMemcpyDeviceToDevice, host_.stream);
  }
  /// What all ranks have at this byte.
  void combine_all(std::size_t byte, void* to) {
    if (error_ != cudaSuccess || bytes_ == 0) return;
    std::vector<const void*> arrays;
    for (const Call* call : calls_) arrays.push_back(static_cast<const char*>(call->from) + byte);
    error_ = combine(arrays, to, host_.count, host_.type, host_.op, factors_, host_.stream);
  }

  const std::vector<Call*>& calls_;
  const Call& host_;
  const std::size_t bytes_;
  void* factors_ = nullptr;
  cudaError_t error_ = cudaSuccess;
};

}  // namespace

cudaError_t begin_work(const std::vector<Call*>& calls, const Call& host) {
  return Work(calls, host).begin();
}

}  // namespace gridspan::libraries::nccl
