// Queues of devices that only begin work: what is waited for on the devices, and how seldom.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "plan_fixture.h"

#include <algorithm>
#include <array>
#include <deque>
#include <functional>
#include <mutex>
#include <random>
#include <set>
#include <utility>

namespace gridspan::tests {

using namespace gridspan::runtime;

namespace {

/// Does what was begun on it as late as it may: when somebody waits. So whatever an edge that was
/// left out would have ordered happens in the wrong order.
class LateDevice final : public FakeDevice {
 public:
  LateDevice() { facts_.only_begins = true; }

  void begin(std::function<void()> action) {
    const std::scoped_lock lock(all());
    begun_.push_back({std::move(action), nullptr, 0});
  }
  devices::RunResult begin_after(Device& other, devices::Mark mark) override {
    auto& device = static_cast<LateDevice&>(other);
    const std::scoped_lock lock(all());
    ++waits;
    // A mark that is not exact stands for all that was begun when somebody asks.
    const std::size_t until = device.exact_.contains(mark) ? mark : device.begun_.size();
    begun_.push_back({nullptr, &device, until});
    return {};
  }
  devices::Mark mark(devices::Marking how) override {
    const std::scoped_lock lock(all());
    if (how == devices::Marking::exact) {
      ++exact_marks;
      exact_.insert(begun_.size());
    }
    return begun_.size();
  }
  bool is_done(devices::Mark mark) override {
    const std::scoped_lock lock(all());
    return done_ >= mark;
  }
  devices::RunResult finish(devices::Mark mark) override {
    const std::scoped_lock lock(all());
    do_until(mark);
    return {};
  }

  int waits = 0, exact_marks = 0;
  bool went_in_circles = false;

 private:
  struct Step {
    std::function<void()> action;
    LateDevice* other;
    std::size_t until;
  };
  static std::mutex& all() {
    static std::mutex mutex;
    return mutex;
  }
  void do_until(std::size_t end) {
    while (done_ < end) {
      const Step& step = begun_[done_];
      if (std::exchange(is_doing_, true)) {
        went_in_circles = true;
        return;
      }
      if (step.other)
        step.other->do_until(step.until);
      else
        step.action();
      is_doing_ = false;
      ++done_;
    }
  }

  std::deque<Step> begun_;
  std::set<devices::Mark> exact_;
  std::size_t done_ = 0;
  bool is_doing_ = false;
};

/// Tells its device of `action`, or (`on_host`) does it.
class Beginning final : public Work {
 public:
  Beginning(LateDevice& device, bool on_host, std::function<void()> action)
      : device_(device), on_host_(on_host), action_(std::move(action)) {}
  void run() override {
    if (on_host_)
      action_();
    else
      device_.begin(action_);
  }
  bool only_begins() const override { return !on_host_; }

 private:
  LateDevice& device_;
  bool on_host_;
  std::function<void()> action_;
};

class BegunWorks : public testing::Test {
 protected:
  static constexpr std::size_t count = 4;
  BegunWorks() {
    constexpr std::array manners{InPlace::never, InPlace::never, InPlace::if_idle, InPlace::always};
    for (std::size_t i = 0; i < count; ++i) {
      QueueManner manner;
      manner.device = &gpus[i];
      manner.fault = &fault;
      manner.begins_in_place = manners[i];
      queues[i] = &new_queue(std::move(manner));
    }
  }
  ~BegunWorks() override { finish(); }
  void finish() {
    for (DeviceQueue* queue : queues) queue->wait(queue->last());
  }
  Ticket push(
      std::size_t i, const std::vector<Edge>& edges, std::function<void()> action = [] {},
      bool on_host = false) {
    return queues[i]->push(std::make_unique<Beginning>(gpus[i], on_host, std::move(action)), edges);
  }

  FirstFault fault;
  std::array<LateDevice, count> gpus;
  std::array<DeviceQueue*, count> queues{};
};

/// A stencil on two devices: each copies the other's edge, then works on what the other copied
/// before. Four edges a step; two say something new.
TEST_F(BegunWorks, AStencilWaitsOncePerStepAndDevice) {
  constexpr int steps = 1000;
  std::array<Ticket, 2> part{}, copy{}, copy_before{};
  for (int step = 0; step < steps; ++step) {
    for (const std::size_t i : {0u, 1u}) copy[i] = push(i, {{queues[1 - i], part[1 - i]}});
    for (const std::size_t i : {0u, 1u}) part[i] = push(i, {{queues[1 - i], copy_before[1 - i]}});
    copy_before = copy;
  }
  finish();
  for (const std::size_t i : {0u, 1u}) {
    EXPECT_LE(gpus[i].waits, steps);
    EXPECT_LE(gpus[i].exact_marks, steps);
    EXPECT_GE(gpus[i].waits, steps / 2);
  }
}

/// Random edges, of works that are begun and of works that the host does, with pauses in which
/// queues catch up: everything comes after what it names, and nothing waits in a circle.
TEST_F(BegunWorks, ComeAfterWhatTheyName) {
  constexpr int works = 6000;
  std::mt19937 random(5);
  std::mutex mutex;
  std::set<std::pair<const WorkQueue*, Ticket>> done;
  int early = 0, ran = 0;
  for (int n = 0; n < works; ++n) {
    const std::size_t own = random() % count;
    std::vector<Edge> edges;
    for (unsigned e = random() % 4; e > 0; --e) {
      const WorkQueue* const other = queues[random() % count];
      if (other == queues[own] || other->last() == 0) continue;
      edges.push_back({other, other->last() - random() % std::min<Ticket>(other->last(), 40)});
    }
    const Ticket ticket = queues[own]->last() + 1;
    const auto action = [&, edges,
                         self = std::pair<const WorkQueue*, Ticket>(queues[own], ticket)] {
      const std::scoped_lock lock(mutex);
      ++ran;
      for (const Edge& edge : edges) early += done.contains({edge.queue, edge.ticket}) ? 0 : 1;
      if (self.second > 1) early += done.contains({self.first, self.second - 1}) ? 0 : 1;
      done.insert({self.first, self.second});
    };
    push(own, edges, action, random() % 16 == 0);
    if (random() % 200 == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    if (random() % 500 == 0) queues[own]->wait(queues[own]->last());
  }
  finish();
  EXPECT_EQ(ran, works);
  EXPECT_EQ(early, 0);
  for (const LateDevice& gpu : gpus) EXPECT_FALSE(gpu.went_in_circles);
}

/// What is known of a device is what somebody asked.
TEST_F(BegunWorks, AreFinishedWhenTheDeviceSaysSo) {
  const Ticket ticket = push(0, {});
  EXPECT_FALSE(queues[0]->is_known_finished(ticket));
  EXPECT_FALSE(queues[0]->is_finished(ticket));
  queues[0]->wait(ticket);
  EXPECT_TRUE(queues[0]->is_known_finished(ticket));
  EXPECT_TRUE(queues[0]->is_finished(ticket));
  EXPECT_TRUE(queues[0]->is_known_finished(0));
}

}  // namespace
}  // namespace gridspan::tests
