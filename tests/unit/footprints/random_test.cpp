// Random images: unions of what accesses of random affine kernels touch.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiled_model.h"
#include "reference.h"

#include <gtest/gtest.h>

#include <sstream>

namespace gridspan::tests {
namespace {

class Generator {
 public:
  explicit Generator(unsigned seed) : random_(seed) {}

  int between(int low, int high) { return std::uniform_int_distribution<int>(low, high)(random_); }

  /// "{ [t, u] -> A[...] : ... }" with t and u indices of threads, guards and loops.
  std::string access(unsigned rank) {
    std::ostringstream text;
    text << "{ [t, u] -> A[";
    for (unsigned i = 0; i < rank; ++i) text << (i ? ", " : "") << subscript();
    text << "] : " << range("t", "x") << " and " << range("u", "y");
    for (int i = between(0, 2); i > 0; --i) text << " and " << guard();
    text << " }";
    return text.str();
  }

 private:
  std::string pick(std::initializer_list<const char*> choices) {
    return *(choices.begin() + between(0, static_cast<int>(choices.size()) - 1));
  }

  std::string subscript() {
    std::ostringstream text;
    text << between(-2, 3) << "*t + " << between(-1, 2) << "*u + " << between(-3, 3);
    if (between(0, 2) == 0) text << " + " << pick({"n", "m", "s", "-n", "2*s"});
    return text.str();
  }

  std::string range(const std::string& name, const std::string& axis) {
    if (between(0, 2) == 0) return "0 <= " + name + " < " + pick({"n", "m", "4", "s + 2"});
    return "o_" + axis + "_first <= " + name + " < o_" + axis + "_last + blockDim_" + axis;
  }

  std::string guard() {
    return pick({"t < n", "u < m", "t >= 1", "t < n - 1", "u <= t", "t + u < n", "t mod 2 = 0",
                 "u mod 3 = s mod 3", "n > m", "t != 2", "u <= 2*t + s", "(t + u) mod 2 = 1"});
  }

  std::mt19937 random_;
};

/// Returns whether there was a footprint to check.
bool check_seed(unsigned seed, model::SetKind kind) {
  model::IslContext context;
  model::Kernel kernel = make_kernel(context.get());
  Generator generator(seed);
  const auto rank = static_cast<unsigned>(generator.between(1, 3));
  model::AccessSet& set = add_set(kernel, rank, kind);
  std::string text;
  for (int i = generator.between(1, 3); i > 0; --i) {
    const std::string access = generator.access(rank);
    text += access + '\n';
    set.pieces.push_back({{}, image_of(context.get(), access)});
  }
  SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + text);
  const CompiledModel compiled(kernel);
  if (!compiled->arrays[0].sets[0].footprint) return false;
  std::mt19937 random(seed);
  for (int i = 0; i < 12 && !testing::Test::HasFailure(); ++i)
    check_set(kernel, *compiled, random_launch(random));
  return true;
}

void check_seeds(unsigned first, unsigned count, model::SetKind kind) {
  unsigned compiled = 0;
  for (unsigned i = 0; i < count && !testing::Test::HasFailure(); ++i)
    compiled += check_seed(first + i, kind);
  EXPECT_EQ(compiled, count);
  testing::Test::RecordProperty("compiled", static_cast<int>(compiled));
  std::printf("%u of %u have a footprint\n", compiled, count);
}

TEST(RandomTest, MustWritesAreExact) { check_seeds(1000, 25, model::SetKind::must_write); }

TEST(RandomTest, ReadsAreCovered) { check_seeds(2000, 25, model::SetKind::read); }

}  // namespace
}  // namespace gridspan::tests
