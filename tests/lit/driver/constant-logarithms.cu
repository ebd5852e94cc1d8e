// Logarithms of long double constants in host code: computed by the compiler, as g++ does and clang does not.
// RUN: rm -rf %t && mkdir -p %t
// RUN: %gridcc -O2 -c %s -o %t/folded.o && nm -u %t/folded.o | FileCheck %s --check-prefix=FOLDED
// RUN: %gridcc -O2 -DKEPT -c %s -o %t/kept.o && nm -u %t/kept.o | FileCheck %s --check-prefix=KEPT
// RUN: %gridcc -O2 -DCOMPARED %s -o %t/compared && %t/compared
// FOLDED-NOT: U logl
// KEPT: U logl
#include <cmath>
#include <random>

#ifdef KEPT
// It sets errno.
long double logarithm() { return std::log(-2.0L); }
#elif defined COMPARED
template <int i>
bool is_same() {
  constexpr long double number = 0.37L * (1 << i) + 1 / (3.0L + i);
  volatile long double variable = number;
  return std::log(number) == std::log(variable);
}
int main() {
  return is_same<0>() && is_same<1>() && is_same<5>() && is_same<17>() && is_same<30>() ? 0 : 1;
}
#else
float uniform(std::mt19937& generator) {
  return std::uniform_real_distribution<float>(0, 1)(generator);
}
#endif
