// What a form of the kernels is made of: registered cases that time themselves and show results.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// There are three forms: cuda_form, openmp_form, opencl_form. Each is a program:
//
//   FORM                     prints the names of all its cases
//   FORM CASE RUNS [FILE]    runs one case and prints, as JSON, its times and what cases.h says
//                            about it; writes the result into FILE
//   FORM --device            the device's name; exit 77 and the reason where there is none
//
// A case registers itself with CASE(name). It makes its inputs (inputs.h), calls `run.measure` once
// and `run.result` with what the work has computed, so that the forms can be compared.
#pragma once

#include <chrono>
#include <cstddef>
#include <ctime>
#include <string>
#include <vector>

namespace bench {

/// What is computed and moved by one run of a case; 0 where that tells nothing.
struct Work {
  double flop = 0, byte = 0;
  bool in_cache = false;  // the bytes are those of a cache, not of memory
};

class Run {
 public:
  static constexpr double patience = 2;  // seconds

  /// `count` timed runs; the result goes into `file`, if there is one.
  Run(std::string name, int count, const char* file);

  /// Once to warm up, then `count` times, but for slow ones; `prepare` goes before each and is not
  /// timed.
  template <class Prepare, class Job>
  void measure(Prepare prepare, Job job) {
    double total = 0;
    for (int i = 0; i <= 1 || (i <= count_ && total < patience); ++i) {
      prepare();
      const auto begin = std::chrono::steady_clock::now();
      const std::clock_t busy = std::clock();
      job();
      const std::chrono::duration<double> time = std::chrono::steady_clock::now() - begin;
      const std::clock_t busy_end = std::clock();
      total += time.count();
      if (i == 0) continue;
      seconds_.push_back(time.count());
      busy_.push_back(static_cast<double>(busy_end - busy) / CLOCKS_PER_SEC);
    }
  }
  template <class Job>
  void measure(Job job) {
    measure([] {}, job);
  }

  void result(const float* values, std::size_t count);
  void result(const int* values, std::size_t count);
  void result(const unsigned* values, std::size_t count);

  /// For limits of the machine; work of all others is in cases.h.
  void did(Work work) { work_ = work; }
  void print() const;

 private:
  std::string name_, type_ = "f";  // of the elements, as Python's `array` calls it
  int count_;
  const char* file_;
  Work work_;
  std::vector<double> seconds_, busy_;  // busy: processor time of all threads
  double sum_ = 0;

  template <class T>
  void keep(const T* values, std::size_t count, const char* type);
};

struct Registration {
  Registration(const char* name, void (*one)(Run&));
};

#define CASE(name)                                                          \
  static void case_##name(bench::Run& run);                                 \
  static const bench::Registration registration_##name(#name, case_##name); \
  static void case_##name([[maybe_unused]] bench::Run& run)

/// Each form has one: the device's name, or empty and `why_not`.
std::string device_name(std::string& why_not);

}  // namespace bench
