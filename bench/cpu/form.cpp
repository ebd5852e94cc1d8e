// The program around the cases of a form; compiled once, linked into all forms.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "form.h"

#include "cases.h"

#include <cstdio>
#include <cstdlib>
#include <map>
#include <utility>

namespace bench {

namespace {

constexpr int no_device = 77;

std::map<std::string, void (*)(Run&)>& cases() {
  static std::map<std::string, void (*)(Run&)> all;
  return all;
}

const Known* known_case(const std::string& name) {
  for (const Known& one : known)
    if (name == one.name) return &one;
  return nullptr;
}

int print_device() {
  std::string why_not;
  const std::string name = device_name(why_not);
  if (name.empty()) return std::fprintf(stderr, "%s\n", why_not.c_str()), no_device;
  std::printf("%s\n", name.c_str());
  return 0;
}

void print_list(const char* head, const std::vector<double>& values) {
  std::printf("%s", head);
  for (std::size_t i = 0; i < values.size(); ++i) std::printf("%s%.9f", i ? ", " : "", values[i]);
}

}  // namespace

Registration::Registration(const char* name, void (*one)(Run&)) { cases()[name] = one; }

Run::Run(std::string name, int count, const char* file)
    : name_(std::move(name)), count_(count), file_(file) {
  if (const Known* one = known_case(name_)) work_ = one->work;
}

template <class T>
void Run::keep(const T* values, std::size_t count, const char* type) {
  type_ = type;
  constexpr std::size_t most = std::size_t{1} << 24;  // of a longer result, what is in the middle
  if (count > most) {
    values += (count - most) / 2;
    count = most;
  }
  for (std::size_t i = 0; i < count; ++i) sum_ += static_cast<double>(values[i]);
  if (!file_) return;
  std::FILE* file = std::fopen(file_, "wb");
  if (!file || std::fwrite(values, sizeof(T), count, file) != count || std::fclose(file) != 0)
    std::exit((std::perror(file_), 1));
}

void Run::result(const float* values, std::size_t count) { keep(values, count, "f"); }
void Run::result(const int* values, std::size_t count) { keep(values, count, "i"); }
void Run::result(const unsigned* values, std::size_t count) { keep(values, count, "I"); }

void Run::print() const {
  print_list("{\"seconds\": [", seconds_);
  print_list("], \"busy\": [", busy_);
  const Known* one = known_case(name_);
  std::printf("], \"sum\": %.9g, \"type\": \"%s\", \"flop\": %.9g, \"byte\": %.9g, ", sum_,
              type_.c_str(), work_.flop, work_.byte);
  std::printf("\"in_cache\": %s, \"tolerance\": %g, \"outliers\": %g}\n",
              work_.in_cache ? "true" : "false", one ? one->tolerance : 0, one ? one->outliers : 0);
}

}  // namespace bench

int main(int argc, char** argv) {
  if (argc < 2) {
    for (const auto& [name, one] : bench::cases()) std::printf("%s\n", name.c_str());
    return 0;
  }
  const std::string name = argv[1];
  if (name == "--device") return bench::print_device();
  const auto found = bench::cases().find(name);
  if (found == bench::cases().end()) return std::fprintf(stderr, "no case '%s'\n", name.c_str()), 1;
  bench::Run run(name, argc > 2 ? std::atoi(argv[2]) : 5, argc > 3 ? argv[3] : nullptr);
  found->second(run);
  run.print();
  return 0;
}
