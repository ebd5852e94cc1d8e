// Whether launches run on one GPU or are divided among all, by what each was measured to take.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launches of one kernel with about as many threads are of one *kind*. What a launch of a kind
// takes the home device is timed now and then; what it takes all devices is its share of the time
// in which they were busy. Where one is not known it is forecast: from the bytes and instructions
// of the kernel's model, and from what has to move if the launch is repeated.
//
// To change over moves data. So the gain that the other way has shown, or promises, is added up,
// and when it exceeds what the change costs it is made (renting skis until one could have bought
// them); each change makes the next one dearer. docs/decisions/0029-one-gpu-or-all.md.
#pragma once

#include "abi/module.h"

#include <array>
#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <unordered_map>
#include <vector>

namespace gridspan::runtime {

/// Seconds and bytes per second.
struct SpreadMachine {
  unsigned devices = 2;
  double memory = 2e12;  // of a device
  double link = 1e11;    // between two
  double begin = 4e-6;   // what each device costs a divided launch
};

class SpreadChoice {
 public:
  /// Of a launch.
  struct Forecast {
    bool divides = false;
    double seconds = 0;  // on one device, at least
    double moved = 0;    // between devices when it is repeated, in seconds
  };
  struct Kind {
    const abi::Kernel* kernel = nullptr;
    bool has_many_threads = false;
    std::optional<Forecast> forecast = {};
    double home = 0;  // seconds, the shortest that was measured lately; 0: none was
    double last = 0;  // that was measured
    double all = 0;   // the same on all devices, in the mean
    std::uint64_t launches = 0;
    unsigned asked = 0, samples = 0;  // timed at home: begun, and known
    unsigned untimed = 0;             // launches on all devices while `all` was not known
    unsigned explored = 0;
    double stayed = 0;     // seconds at home since `all` was measured
    unsigned retried = 0;  // times that `all` was forgotten
  };

  /// `seed`: changes at random instead, for tests.
  explicit SpreadChoice(const SpreadMachine& machine, std::optional<std::uint32_t> seed = {})
      : machine_(machine), random_(seed ? std::optional(std::mt19937(*seed)) : std::nullopt) {}

  /// Stays where it is until `forget`.
  Kind& kind_of(const abi::Kernel& kernel, std::uint64_t threads);
  /// It may be worth to plan a launch of that kind, which takes some microseconds.
  bool wants_forecast(const Kind& kind) const;
  /// Launches of the kind were begun to be timed, and nothing is known yet.
  bool waits_for_samples(const Kind& kind) const {
    return !is_random() && kind.home == 0 && kind.asked >= first_samples;
  }
  /// Seconds of a launch at home, which all devices would do sooner; else 0.
  double promise(const Kind& kind) const;
  /// The next launch of the kind at home should be timed.
  bool wants_sample(const Kind& kind) const;
  void note_sample(Kind& kind) { ++kind.asked; }  // it is
  void add_sample(Kind& kind, double seconds);

  /// A launch of the kind comes, at home. True: all devices take over, if moving their data between
  /// devices is worth it; `bytes()` says how much there is.
  template <class Bytes>
  bool leaves_home(Kind& kind, Bytes bytes) {
    note_at_home(kind);
    if (is_old(kind, 0) && is_old(kind, bytes())) look_again(kind);
    return (is_random() || credit_ > 0) && is_due(bytes());
  }
  /// What was noted at home would have been done sooner on all devices.
  bool hopes_for_all() const { return !is_random() && credit_ > 0; }
  /// By so many seconds.
  double credit() const { return credit_; }
  /// Devices refuse to divide the kind's launches.
  void note_refusal(Kind& kind);
  /// A launch comes, on all devices.
  void note_on_all(Kind& kind);
  /// Launches of the kind come on all devices, and nothing is known of what they take: what began
  /// should end first.
  bool wants_time(const Kind& kind) const {
    return kind.all == 0 && kind.untimed <= most_untimed && kind.untimed % untimed_launches == 0;
  }
  /// What began does not end: it may wait for the program.
  void note_late(Kind& kind) { kind.untimed = most_untimed; }
  /// Enough was noted for an interval.
  bool is_interval() const;
  /// Something was noted since the last one.
  bool has_news() const { return !noted_.empty(); }
  /// It ends behind what was noted.
  void end_interval();
  /// All devices have done what was noted up to its end in so many seconds; copies between them
  /// alone take `copying`. True: the home device goes on alone.
  bool returns_home(double seconds, double copying, double bytes);

  /// The change could not be made now.
  void note_put_off();
  /// The change was made.
  void note_change();
  /// Kernels went.
  void forget();
  bool is_random() const { return random_.has_value(); }

  /// For a person: what the next change is made for.
  std::string reason() const;

 private:
  struct Known {
    std::uint64_t key = 0;
    Kind* kind = nullptr;
  };
  struct Noted {
    Kind* kind;
    unsigned launches;
  };
  static constexpr unsigned untimed_launches = 8, most_untimed = 64, first_samples = 4;
  static void add(std::vector<Noted>& to, const Noted& one);
  void note_at_home(Kind& kind);
  double home_seconds(const Kind& kind) const;
  double forecast_on_all(const Kind& kind) const;
  double on_all(const Kind& kind) const;
  double gain_on_all(const Kind& kind, double home) const;
  double change_cost(double bytes) const;
  bool is_old(const Kind& kind, double bytes) const;
  void look_again(Kind& kind);
  bool is_due(double bytes);
  void spread_time(double seconds);

  const SpreadMachine machine_;
  std::optional<std::mt19937> random_;
  std::unordered_map<std::uint64_t, Kind> kinds_;        // by kernel and size
  std::array<Known, 8> known_{};                         // of them, those that were asked for last
  std::unordered_map<const abi::Kernel*, double> more_;  // by how much a forecast on all was wrong
  std::vector<Noted> noted_, ended_;  // on all devices, in the interval, and in the last
  double credit_ = 0;                 // seconds that the other way would have saved
  double on_all_ = 0;                 // seconds, since the last change
  bool is_new_ = false;               // nothing was heard since the last change
  double dearer_ = 1;                 // each change is, than it would be
  const Kind* cause_ = nullptr;       // of the next change
};

}  // namespace gridspan::runtime
