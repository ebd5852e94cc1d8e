// Random affine kernels: every proof about them against brute force, seeds fixed.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "reference.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

namespace gridspan::model::test {
namespace {

// The numbers an instance has, by the names relations use.
enum Symbol {
  offset_x,  // blockDim_x * blockIdx_x
  offset_y,
  block_x,
  block_y,
  thread_x,
  thread_y,
  row,       // blockDim_x * threadIdx_y
  tile,      // blockDim_x * blockDim_y * blockIdx_x
  n_block,   // n * blockIdx_x, n of any sign
  n_thread,  // n * threadIdx_y
  n_loop,    // n * j
  loop_j,    // 0 .. 2
  loop_z,    // gridDim_x * blockDim_x * k
  symbols
};
const char* const names[] = {"o_x",         "o_y", "blockIdx_x", "blockIdx_y", "threadIdx_x",
                             "threadIdx_y", "w",   "v",          "nb",         "nt",
                             "nj",          "j",   "z"};

struct Instance {
  long value[symbols];
};

// coefficients * symbols + constant + p*n + q*blockDim_x
struct Expression {
  long coefficient[symbols] = {}, constant = 0, of_n = 0, of_block = 0;

  long operator()(const Instance& instance, const Launch& launch) const {
    long sum = constant + of_n * launch["n"] + of_block * launch.block[0];
    for (int s = 0; s < symbols; ++s) sum += coefficient[s] * instance.value[s];
    return sum;
  }
  std::string text() const {
    std::ostringstream out;
    out << constant << " + " << of_n << "*n + " << of_block << "*blockDim_x";
    for (int s = 0; s < symbols; ++s)
      if (coefficient[s] != 0) out << " + " << coefficient[s] << "*" << names[s];
    return out.str();
  }
  bool uses(Symbol s) const { return coefficient[s] != 0; }
};

// expression >= 0, or expression mod modulus = remainder
struct Guard {
  Expression expression;
  long modulus = 0;
  bool operator()(const Instance& instance, const Launch& launch) const {
    const long value = expression(instance, launch);
    return modulus == 0 ? value >= 0 : value % modulus == 0;
  }
  std::string text() const {
    const std::string value = "(" + expression.text() + ")";
    return modulus == 0 ? value + " >= 0" : value + " mod " + std::to_string(modulus) + " = 0";
  }
};

struct RandomAccess {
  std::vector<Expression> subscripts;
  std::vector<long> divisors;
  std::vector<Guard> guards;  // all must hold

  bool uses(int symbol) const {
    const auto occurs = [&](const Expression& e) { return e.coefficient[symbol] != 0; };
    return std::ranges::any_of(subscripts, occurs) ||
           std::ranges::any_of(guards, occurs, &Guard::expression);
  }
  // The loop over z ends with z + o_x + threadIdx_x < 2*n.
  bool listed(int symbol) const {
    const bool of_loop = symbol == offset_x || symbol == thread_x;
    return uses(symbol) || (of_loop && uses(loop_z)) || (symbol == loop_j && uses(n_loop));
  }

  std::string relation() const {
    std::ostringstream out;
    for (int s = 0; s < symbols; ++s) {
      if (listed(s)) out << (out.str().empty() ? "" : ", ") << names[s];
    }
    const std::string dimensions = out.str();
    out.str("");
    out << "[" << dimensions << "] -> A[";
    for (std::size_t i = 0; i < subscripts.size(); ++i) {
      out << (i == 0 ? "" : ", ");
      if (divisors[i] == 1) out << subscripts[i].text();
      if (divisors[i] != 1) out << "floor((" << subscripts[i].text() << ")/" << divisors[i] << ")";
    }
    out << "] : true";
    if (listed(loop_j)) out << " and j <= 2";
    if (uses(loop_z)) out << " and z + o_x + threadIdx_x < 2*n";
    for (const Guard& guard : guards) out << " and " << guard.text();
    return out.str();
  }

  static long floor_divide(long a, long b) { return a / b - (a % b != 0 && a < 0 ? 1 : 0); }

  Body body() const {
    return [*this](const Launch& l, const Index& b, const Index& t, const Emit& emit) {
      Instance i{};
      i.value[offset_x] = l.block[0] * b[0];
      i.value[offset_y] = l.block[1] * b[1];
      i.value[block_x] = b[0];
      i.value[block_y] = b[1];
      i.value[thread_x] = t[0];
      i.value[thread_y] = t[1];
      i.value[row] = l.block[0] * t[1];
      i.value[tile] = l.block[0] * l.block[1] * b[0];
      i.value[n_block] = l["n"] * b[0];
      i.value[n_thread] = l["n"] * t[1];
      const long step = l.grid[0] * l.block[0];
      const long end = uses(loop_z) ? 2 * l["n"] - i.value[offset_x] - i.value[thread_x] : 1;
      for (i.value[loop_j] = 0; i.value[loop_j] <= 2; ++i.value[loop_j]) {
        i.value[n_loop] = l["n"] * i.value[loop_j];
        for (i.value[loop_z] = 0; i.value[loop_z] < end; i.value[loop_z] += step) {
          bool happens = true;
          for (const Guard& guard : guards) happens = happens && guard(i, l);
          if (!happens) continue;
          Element element;
          for (std::size_t s = 0; s < subscripts.size(); ++s)
            element.push_back(floor_divide(subscripts[s](i, l), divisors[s]));
          emit(element);
        }
      }
    };
  }
};

class Generator {
 public:
  explicit Generator(unsigned seed) : random_(seed) {}

  long number(long low, long high) {
    return std::uniform_int_distribution<long>(low, high)(random_);
  }
  bool once_in(long n) { return number(1, n) == 1; }

  RandomAccess access(std::size_t rank) {
    RandomAccess access;
    for (std::size_t i = 0; i < rank; ++i) {
      access.subscripts.push_back(subscript(i));
      access.divisors.push_back(once_in(8) ? number(2, 3) : 1);
    }
    const long guards = number(0, 2);
    for (long i = 0; i < guards; ++i) access.guards.push_back(guard());
    return access;
  }

 private:
  // What programs write, now and then with something odd.
  Expression subscript(std::size_t position) {
    Expression e;
    switch (number(0, 12)) {
      case 0:
      case 1:
      case 2:
        position % 2 == 0 ? add(e, {offset_x, thread_x}) : add(e, {offset_y, thread_y});
        break;
      case 3:
        add(e, {offset_y, thread_y});
        break;
      case 4:
        add(e, {loop_z, offset_x, thread_x});
        break;
      case 5:
        add(e, {row, thread_x});
        break;
      case 6:
        add(e, {block_x});
        break;
      case 7:
        add(e, {offset_x, thread_y, loop_j});
        break;
      case 8:
        add(e, {loop_j});
        break;
      case 9:
        add(e, {tile, row, thread_x});
        break;
      case 10:
        add(e, {n_block, thread_x});
        break;
      case 11:
        add(e, {n_loop, thread_x});
        break;
      default:
        add(e, {static_cast<Symbol>(number(0, symbols - 1))});
        break;
    }
    if (once_in(12)) add(e, {n_block});
    if (once_in(12)) add(e, {n_thread});
    if (once_in(12)) add(e, {n_loop});
    if (once_in(4)) scale(e, number(2, 3));
    if (once_in(8)) scale(e, -1);
    if (once_in(6)) e.coefficient[number(0, symbols - 1)] += number(-1, 2);
    e.constant = once_in(3) ? number(-3, 3) : 0;
    e.of_n = once_in(8) ? number(-1, 1) : 0;
    e.of_block = once_in(8) ? 1 : 0;
    return e;
  }

  Guard guard() {
    Guard guard;
    guard.expression = subscript(static_cast<std::size_t>(number(0, 1)));
    if (once_in(4)) {
      guard.modulus = number(2, 3);
      return guard;
    }
    scale(guard.expression, once_in(3) ? 1 : -1);
    guard.expression.of_n = once_in(4) ? 0 : 1;
    return guard;
  }

  static void add(Expression& e, std::initializer_list<Symbol> which) {
    for (Symbol s : which) e.coefficient[s] += 1;
  }
  static void scale(Expression& e, long factor) {
    for (long& c : e.coefficient) c *= factor;
    e.constant *= factor;
    e.of_n *= factor;
    e.of_block *= factor;
  }

  std::mt19937 random_;
};

struct Tally {
  unsigned sets = 0, exact_block = 0, exact_part = 0, unbounded = 0, legal = 0, axes = 0;
};

void run(unsigned seed, Tally& tally) {
  IslContext context;
  TestKernel kernel(context.get());
  kernel.most_threads = 3;
  kernel.most_blocks = 3;
  kernel.argument("n", -2, 7)
      .product_parameter("bxby", {"blockDim_x", "blockDim_y"})
      .product("o_x", "blockDim_x", "blockIdx_x")
      .product("o_y", "blockDim_y", "blockIdx_y")
      .product("w", "blockDim_x", "threadIdx_y")
      .loop("j")
      .loop("k")
      .product("z", "blockDim_x_gridDim_x", "k")
      .product("v", "bxby", "blockIdx_x")
      .product("nb", "n", "blockIdx_x")
      .product("nt", "n", "threadIdx_y")
      .product("nj", "n", "j");
  Generator generator(seed);
  const auto rank = static_cast<std::size_t>(generator.number(1, 2));
  const auto add = [&](AccessKind kind) {
    const RandomAccess access = generator.access(rank);
    SCOPED_TRACE(access.relation());
    kernel.access("A", kind, access.relation(), access.body());
  };
  add(AccessKind::write);
  if (generator.once_in(3)) add(AccessKind::write);
  if (generator.once_in(2)) add(AccessKind::read);
  kernel.check(8, seed);
  for (const AccessSet& set : kernel.array("A").sets) {
    ++tally.sets;
    tally.exact_block += set.exact_block;
    tally.exact_part += set.exact_part;
    tally.unbounded += set.unbounded;
  }
  for (unsigned axis = 0; axis < 2; ++axis) {
    ++tally.axes;
    tally.legal += !kernel.kernel.axes[axis].legal.is_empty();
  }
}

class RandomKernels : public testing::TestWithParam<unsigned> {};

TEST_P(RandomKernels, AgreeWithBruteForce) {
  Tally tally;
  for (unsigned i = 0; i < 8; ++i) {
    const unsigned seed = GetParam() * 8 + i;
    SCOPED_TRACE("seed " + std::to_string(seed));
    run(seed, tally);
    if (HasFailure()) return;
  }
  // The model says something: most images are exact for one block.
  EXPECT_GT(tally.exact_block * 2, tally.sets) << tally.sets;
  RecordProperty("sets", static_cast<int>(tally.sets));
  RecordProperty("exact_block", static_cast<int>(tally.exact_block));
  RecordProperty("exact_part", static_cast<int>(tally.exact_part));
  RecordProperty("legal", static_cast<int>(tally.legal));
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomKernels, testing::Range(0U, 4U));

}  // namespace
}  // namespace gridspan::model::test
