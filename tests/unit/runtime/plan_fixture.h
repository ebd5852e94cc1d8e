// What tests of planning and of several devices start from: devices without a machine, kernels with
// models made by hand, work that waits to be let go.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "fake_device.h"
#include "hand_program.h"
#include "runtime/schedule/command.h"
#include "runtime/schedule/device_queue.h"
#include "verify_model.h"

#include <atomic>
#include <cstdlib>
#include <memory>
#include <thread>
#include <vector>

namespace gridspan::tests {

/// Work that runs until it is let go.
class Gate {
 public:
  std::unique_ptr<runtime::Work> work() { return std::make_unique<Waiting>(open_); }
  void open() { open_->store(true); }

 private:
  struct Waiting final : runtime::Work {
    explicit Waiting(std::shared_ptr<std::atomic<bool>> open_) : open(std::move(open_)) {}
    void run() override {
      while (!open->load()) std::this_thread::yield();
    }
    std::shared_ptr<std::atomic<bool>> open;
  };
  std::shared_ptr<std::atomic<bool>> open_ = std::make_shared<std::atomic<bool>>(false);
};

template <class Body>
std::unique_ptr<runtime::Work> work_of(Body body) {
  struct Calling final : runtime::Work {
    explicit Calling(Body body_) : body(std::move(body_)) {}
    void run() override { body(); }
    Body body;
  };
  return std::make_unique<Calling>(std::move(body));
}

/// Brief work, which who pushes it may do.
template <class Body>
std::unique_ptr<runtime::Work> brief_work_of(Body body) {
  struct Calling final : runtime::Work {
    explicit Calling(Body body_) : body(std::move(body_)) {}
    void run() override { body(); }
    bool is_brief() const override { return true; }
    Body body;
  };
  return std::make_unique<Calling>(std::move(body));
}

/// A queue of its own; like all queues it is never destroyed.
inline runtime::DeviceQueue& new_queue(runtime::QueueManner manner = {}) {
  return *new runtime::DeviceQueue("test-device", std::move(manner));
}

/// A kernel with a model: pointers come first, then ints, which are the model's scalars.
class ModelledKernel {
 public:
  ModelledKernel(const char* name, std::uint32_t pointers, std::uint32_t ints) {
    kernel_.name = name;
    for (std::uint32_t i = 0; i < pointers; ++i) parameters_.push_back({8, 8, 8 * i, 1});
    for (std::uint32_t i = 0; i < ints; ++i) {
      parameters_.push_back({4, 4, 8 * pointers + 4 * i, 0});
      scalars_.push_back({pointers + i, 0, 4, 0});
    }
    model_.suggested_axis = -1;
    model_.scalars = scalars_.data();
    model_.scalar_count = static_cast<std::uint32_t>(scalars_.size());
    kernel_.model = &model_;
    kernel_.parameters = parameters_.data();
    kernel_.parameter_count = static_cast<std::uint32_t>(parameters_.size());
  }
  ModelledKernel(const ModelledKernel&) = delete;

  /// The array of the next pointer.
  ModelledKernel& array(std::uint32_t element_bytes, std::vector<abi::ModelSet> sets,
                        void (*extents)(const std::int64_t*, std::int64_t*) = nullptr,
                        std::uint32_t rank = 1) {
    abi::ModelArray array{};
    array.name = "array";
    array.argument = static_cast<std::int32_t>(arrays_.size());
    array.symbol = -1;
    array.element_bytes = element_bytes;
    array.rank = rank;
    array.extents = extents;
    sets_.push_back(std::move(sets));
    array.sets = sets_.back().data();
    array.set_count = static_cast<std::uint32_t>(sets_.back().size());
    arrays_.push_back(array);
    model_.arrays = arrays_.data();
    model_.array_count = static_cast<std::uint32_t>(arrays_.size());
    return *this;
  }
  template <void (*body)(abi::ThreadContext*)>
  ModelledKernel& runs() {
    region_ = {run_range<body>, abi::exited, abi::SyncKind::barrier, {nullptr, 0, 0}};
    kernel_.regions = &region_;
    kernel_.region_count = 1;
    kernel_.thread = body;
    return *this;
  }
  abi::KernelModel& model() { return model_; }
  ModelledKernel& executes(std::uint32_t instructions) {
    kernel_.thread_instructions = instructions;
    return *this;
  }

  const abi::Kernel& get() const { return kernel_; }

  runtime::KernelCommand command(abi::Dim grid, abi::Dim block, std::vector<const void*> pointers,
                                 std::vector<std::int32_t> ints = {}) {
    std::vector<void*> values;
    for (const void*& pointer : pointers) values.push_back(static_cast<void*>(&pointer));
    for (std::int32_t& value : ints) values.push_back(&value);
    return {get(), {}, {grid, block, 0}, values.data()};
  }

 private:
  abi::Kernel kernel_{};
  abi::KernelModel model_{};
  abi::Region region_{};
  std::vector<abi::Parameter> parameters_;
  std::vector<abi::ModelScalar> scalars_;
  std::vector<abi::ModelArray> arrays_;
  std::deque<std::vector<abi::ModelSet>> sets_;
};

/// Footprints of kernels whose thread i works on element i < n; n is the first scalar.
inline std::int64_t first_thread(const std::int64_t* values, const std::int64_t* part) {
  return part[0] * values[3];
}
inline std::int64_t last_thread(const std::int64_t* values, const std::int64_t* part) {
  return std::min((part[3] + 1) * values[3], values[6]) - 1;
}
inline void own_element(const std::int64_t* values, const std::int64_t* part, abi::BoxSink* sink) {
  emit(sink, first_thread(values, part), last_thread(values, part));
}
inline void with_neighbours(const std::int64_t* values, const std::int64_t* part,
                            abi::BoxSink* sink) {
  const std::int64_t first = first_thread(values, part), last = last_thread(values, part);
  if (first > last) return;
  emit(sink, std::max<std::int64_t>(first - 1, 0), std::min(last + 1, values[6] - 1));
}
inline void first_element(const std::int64_t*, const std::int64_t*, abi::BoxSink* sink) {
  emit(sink, 0, 0);
}
inline bool always_holds(const std::int64_t*) { return true; }

}  // namespace gridspan::tests
