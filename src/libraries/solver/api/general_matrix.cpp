// Eigenvalues of a general matrix: balanced, brought into Hessenberg's form by reflections, then QR
// steps with shifts; vectors by substitution. A real matrix stays real (Francis' double steps), so
// that its complex values come in exact pairs. Golub and Van Loan, Matrix Computations, chapter 7.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libraries/solver/api/general_matrix.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace gridspan::libraries::solver {
namespace {

using Complex = std::complex<double>;

constexpr double precision = std::numeric_limits<double>::epsilon();
constexpr int steps_of_value = 60;

double conjugate(double x) { return x; }
Complex conjugate(Complex x) { return std::conj(x); }
double squared(double x) { return x * x; }
double squared(Complex x) { return std::norm(x); }
double size_of(double x) { return std::fabs(x); }
double size_of(Complex x) { return std::fabs(x.real()) + std::fabs(x.imag()); }

/// Row after row: what the steps below go along.
template <typename T>
class Square {
 public:
  explicit Square(int n) : n_(n), elements_(static_cast<std::size_t>(n) * n) {}
  T& operator()(int i, int j) { return elements_[static_cast<std::size_t>(i) * n_ + j]; }
  T operator()(int i, int j) const { return elements_[static_cast<std::size_t>(i) * n_ + j]; }
  int size() const { return n_; }
  void make_identity() {
    std::fill(elements_.begin(), elements_.end(), T(0));
    for (int i = 0; i < n_; ++i) (*this)(i, i) = T(1);
  }

 private:
  int n_;
  std::vector<T> elements_;
};

/// Rows and columns get about the same size, by powers of two. The factors of the rows of vectors.
template <typename T>
std::vector<double> balance(Square<T>& a) {
  const int n = a.size();
  std::vector<double> factors(static_cast<std::size_t>(n), 1.0);
  for (bool goes_on = true; goes_on;) {
    goes_on = false;
    for (int i = 0; i < n; ++i) {
      double column = 0, row = 0;
      for (int j = 0; j < n; ++j)
        if (j != i) {
          column += size_of(a(j, i));
          row += size_of(a(i, j));
        }
      if (column == 0 || row == 0 || !std::isfinite(column + row)) continue;
      const int power = static_cast<int>(std::lround(std::log2(row / column) / 2));
      const double factor = std::ldexp(1.0, power);
      if ((column * factor + row / factor) >= 0.95 * (column + row)) continue;
      goes_on = true;
      factors[static_cast<std::size_t>(i)] *= factor;
      for (int j = 0; j < n; ++j) a(i, j) /= factor;
      for (int j = 0; j < n; ++j) a(j, i) *= factor;
    }
  }
  return factors;
}

/// Zeros below the first diagonal under the main one; `q` gets the product of the reflections.
template <typename T>
void reduce(Square<T>& a, Square<T>& q) {
  const int n = a.size();
  q.make_identity();
  std::vector<T> v(static_cast<std::size_t>(n)), sums(static_cast<std::size_t>(n));
  for (int k = 0; k + 2 < n; ++k) {
    double below = 0;
    for (int i = k + 2; i < n; ++i) below += squared(a(i, k));
    if (below == 0) continue;
    const T first = a(k + 1, k);
    const double length = std::sqrt(below + squared(first));
    const T sign = first == T(0) ? T(1) : first / std::sqrt(squared(first));
    for (int i = k + 1; i < n; ++i) v[i] = a(i, k);
    v[k + 1] += sign * length;
    double norm = 0;
    for (int i = k + 1; i < n; ++i) norm += squared(v[i]);
    const double twice = 2 / norm;
    // From the left, on the rows.
    std::fill(sums.begin(), sums.end(), T(0));
    for (int i = k + 1; i < n; ++i)
      for (int j = k; j < n; ++j) sums[j] += conjugate(v[i]) * a(i, j);
    for (int i = k + 1; i < n; ++i)
      for (int j = k; j < n; ++j) a(i, j) -= twice * v[i] * sums[j];
    // From the right, on the columns.
    for (Square<T>* const x : {&a, &q})
      for (int i = 0; i < n; ++i) {
        T sum(0);
        for (int j = k + 1; j < n; ++j) sum += (*x)(i, j) * v[j];
        for (int j = k + 1; j < n; ++j) (*x)(i, j) -= twice * sum * conjugate(v[j]);
      }
    for (int i = k + 2; i < n; ++i) a(i, k) = T(0);
  }
}

/// The first row of the block that ends with `last`: above it is a number that counts as 0.
template <typename T>
int block_begin(Square<T>& h, int last, double norm) {
  int first = last;
  while (first > 0) {
    double here = size_of(h(first - 1, first - 1)) + size_of(h(first, first));
    if (here == 0) here = norm;
    if (size_of(h(first, first - 1)) <= precision * here) {
      h(first, first - 1) = T(0);
      break;
    }
    --first;
  }
  return first;
}

template <typename T>
double norm_of(const Square<T>& h) {
  double norm = 0;
  for (int i = 0; i < h.size(); ++i)
    for (int j = std::max(0, i - 1); j < h.size(); ++j) norm = std::max(norm, size_of(h(i, j)));
  return norm;
}

// ---- complex matrices: a triangle

/// A rotation that takes (f, g) to (r, 0).
struct Rotation {
  double c = 1;
  Complex s = 0;
};
Rotation rotation(Complex f, Complex g) {
  const double length = std::hypot(std::abs(f), std::abs(g));
  if (length == 0 || g == Complex(0)) return {};
  if (f == Complex(0)) return {0, std::conj(g) / std::abs(g)};
  const Complex phase = f / std::abs(f);
  return {std::abs(f) / length, phase * std::conj(g) / length};
}
void turn(Complex& x, Complex& y, double c, Complex s) {
  const Complex a = x, b = y;
  x = c * a + s * b;
  y = c * b - std::conj(s) * a;
}

/// How many values were not found.
int triangulate(Square<Complex>& h, Square<Complex>& q) {
  const int n = h.size();
  const double norm = norm_of(h);
  int steps = 0;
  for (int last = n - 1; last >= 0;) {
    const int first = block_begin(h, last, norm);
    if (first == last) {
      --last;
      steps = 0;
      continue;
    }
    if (++steps > steps_of_value) return last + 1;
    // The eigenvalue of the last two rows that is nearer to the last number.
    const Complex a = h(last - 1, last - 1), b = h(last - 1, last), c = h(last, last - 1),
                  d = h(last, last);
    const Complex half = (a - d) / 2.0, root = std::sqrt(half * half + b * c);
    const Complex sum = std::abs(half + root) > std::abs(half - root) ? half + root : half - root;
    Complex shift = sum == Complex(0) ? d : d - b * c / sum;
    if (steps % 10 == 0) shift = d + std::abs(c);  // out of a circle
    Complex x = h(first, first) - shift, y = h(first + 1, first);
    for (int k = first; k < last; ++k) {
      const Rotation r = rotation(x, y);
      for (int j = std::max(0, k - 1); j < n; ++j) turn(h(k, j), h(k + 1, j), r.c, r.s);
      for (int i = 0; i <= std::min(last, k + 2); ++i)
        turn(h(i, k), h(i, k + 1), r.c, std::conj(r.s));
      for (int i = 0; i < n; ++i) turn(q(i, k), q(i, k + 1), r.c, std::conj(r.s));
      if (k + 1 < last) {
        x = h(k + 1, k);
        y = h(k + 2, k);
      }
    }
    for (int k = first; k + 2 <= last; ++k) h(k + 2, k) = 0;
  }
  return 0;
}

// ---- real matrices: a triangle with blocks of two where values are a pair

/// Rows (and columns) k, k + 1 and, of three, k + 2 reflected so that (x, y, z) becomes (r, 0, 0).
void reflect(Square<double>& h, Square<double>& q, int k, int count, const double* x, int last,
             int first_column) {
  const int n = h.size();
  double length = 0, v[3] = {x[0], x[1], count == 3 ? x[2] : 0};
  for (const double y : v) length = std::hypot(length, y);
  if (length == 0) return;
  v[0] += v[0] < 0 ? -length : length;
  double norm = 0;
  for (const double y : v) norm += y * y;
  const double twice = 2 / norm;
  for (int j = first_column; j < n; ++j) {
    double sum = 0;
    for (int i = 0; i < count; ++i) sum += v[i] * h(k + i, j);
    for (int i = 0; i < count; ++i) h(k + i, j) -= twice * sum * v[i];
  }
  const auto from_right = [&](Square<double>& m, int rows) {
    for (int i = 0; i < rows; ++i) {
      double sum = 0;
      for (int j = 0; j < count; ++j) sum += m(i, k + j) * v[j];
      for (int j = 0; j < count; ++j) m(i, k + j) -= twice * sum * v[j];
    }
  };
  from_right(h, std::min(last, k + 3) + 1);
  from_right(q, n);
}

/// A block of two with real values becomes a triangle.
void split_pair(Square<double>& h, Square<double>& q, int k) {
  const int n = h.size();
  const double a = h(k, k), b = h(k, k + 1), c = h(k + 1, k), d = h(k + 1, k + 1);
  const double half = (a - d) / 2, square = half * half + b * c;
  if (c == 0 || square < 0) return;
  const double sum = half + (half < 0 ? -std::sqrt(square) : std::sqrt(square));
  // (a - value) x + b y = 0 and c x + (d - value) y = 0, for the value d + sum.
  double x = sum, y = c;
  const double length = std::hypot(x, y);
  x /= length;
  y /= length;
  for (int j = k; j < n; ++j) {
    const double top = h(k, j), low = h(k + 1, j);
    h(k, j) = x * top + y * low;
    h(k + 1, j) = x * low - y * top;
  }
  const auto from_right = [&](Square<double>& m, int rows) {
    for (int i = 0; i < rows; ++i) {
      const double left = m(i, k), right = m(i, k + 1);
      m(i, k) = x * left + y * right;
      m(i, k + 1) = x * right - y * left;
    }
  };
  from_right(h, k + 2);
  from_right(q, n);
  h(k + 1, k) = 0;
}

int triangulate(Square<double>& h, Square<double>& q) {
  const int n = h.size();
  const double norm = norm_of(h);
  int steps = 0;
  for (int last = n - 1; last >= 0;) {
    const int first = block_begin(h, last, norm);
    if (first >= last - 1) {
      if (first == last - 1) split_pair(h, q, first);
      last = first - 1;
      steps = 0;
      continue;
    }
    if (++steps > steps_of_value) return last + 1;
    double sum = h(last - 1, last - 1) + h(last, last);
    double product = h(last - 1, last - 1) * h(last, last) - h(last - 1, last) * h(last, last - 1);
    if (steps % 10 == 0) {  // out of a circle
      const double size = std::fabs(h(last, last - 1)) + std::fabs(h(last - 1, last - 2));
      sum = 1.5 * size;
      product = size * size;
    }
    double x[3] = {h(first, first) * h(first, first) + h(first, first + 1) * h(first + 1, first) -
                       sum * h(first, first) + product,
                   h(first + 1, first) * (h(first, first) + h(first + 1, first + 1) - sum),
                   h(first + 1, first) * h(first + 2, first + 1)};
    for (int k = first; k < last; ++k) {
      const int count = k + 2 <= last ? 3 : 2;
      reflect(h, q, k, count, x, last, std::max(first, k - 1));
      if (k > first) {
        h(k + 1, k - 1) = 0;
        if (count == 3) h(k + 2, k - 1) = 0;
      }
      if (k + 1 < last) {
        x[0] = h(k + 1, k);
        x[1] = h(k + 2, k);
        x[2] = k + 3 <= last ? h(k + 3, k) : 0;
      }
    }
  }
  return 0;
}

// ---- values and vectors of a triangle

/// The vector of value number k, among `count` rows, by substitution from below. `at(i, j)` is the
/// triangle, whose diagonal may have blocks of two.
template <typename T>
std::vector<Complex> substitute(const Square<T>& t, int begin, Complex value, int count,
                                std::vector<Complex> x, double norm) {
  const double least = precision * (norm > 0 ? norm : 1);
  for (int i = begin; i >= 0; --i) {
    const bool is_pair = i > 0 && t(i, i - 1) != T(0);
    const auto right = [&](int row) {
      Complex sum = 0;
      for (int j = i + 1; j < count; ++j) sum -= t(row, j) * x[static_cast<std::size_t>(j)];
      return sum;
    };
    if (!is_pair) {
      Complex pivot = Complex(t(i, i)) - value;
      if (std::abs(pivot) < least) pivot = least;
      x[static_cast<std::size_t>(i)] = right(i) / pivot;
    } else {
      const Complex a = Complex(t(i - 1, i - 1)) - value, b = t(i - 1, i), c = t(i, i - 1),
                    d = Complex(t(i, i)) - value;
      Complex determinant = a * d - b * c;
      if (std::abs(determinant) < least * least) determinant = least * least;
      const Complex above = right(i - 1), below = right(i);
      x[static_cast<std::size_t>(i - 1)] = (above * d - b * below) / determinant;
      x[static_cast<std::size_t>(i)] = (a * below - c * above) / determinant;
      --i;
    }
    // Before it overflows.
    double most = 0;
    for (const Complex y : x) most = std::max(most, std::abs(y));
    if (most > 1e100)
      for (Complex& y : x) y /= most;
  }
  return x;
}

/// Of length 1, the largest element real.
void normalise(Complex* x, int n) {
  double length = 0;
  int largest = 0;
  for (int i = 0; i < n; ++i) {
    length = std::hypot(length, std::abs(x[i]));
    if (std::abs(x[i]) > std::abs(x[largest])) largest = i;
  }
  if (length == 0) return;
  const double size = std::abs(x[largest]);
  const Complex factor =
      x[largest].imag() == 0 ? Complex(1 / length) : std::conj(x[largest]) / (size * length);
  for (int i = 0; i < n; ++i) x[i] *= factor;
  x[largest] = Complex(x[largest].real(), 0);
}

template <typename T>
Eigensystem solve(const std::vector<T>& given, int n, bool wants_vectors) {
  Square<T> h(n), q(n);
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i) h(i, j) = given[i + static_cast<std::size_t>(j) * n];
  const std::vector<double> factors = balance(h);
  reduce(h, q);
  Eigensystem result;
  result.failed = triangulate(h, q);
  result.values.resize(static_cast<std::size_t>(n));
  const double norm = norm_of(h);
  if (wants_vectors) result.vectors.resize(static_cast<std::size_t>(n) * n);
  const auto vector_of = [&](int column, int begin, std::vector<Complex> x) {
    if (!wants_vectors || result.failed) return;
    const int count = static_cast<int>(x.size());
    x = substitute(h, begin, result.values[static_cast<std::size_t>(column)], count, std::move(x),
                   norm);
    Complex* const to = &result.vectors[static_cast<std::size_t>(column) * n];
    for (int i = 0; i < n; ++i) {
      Complex sum = 0;
      for (int j = 0; j < count; ++j) sum += q(i, j) * x[static_cast<std::size_t>(j)];
      to[i] = sum * factors[static_cast<std::size_t>(i)];
    }
    normalise(to, n);
  };
  for (int k = 0; k < n; ++k) {
    const bool is_pair = k + 1 < n && h(k + 1, k) != T(0) && k >= result.failed;
    if (!is_pair) {
      result.values[static_cast<std::size_t>(k)] = h(k, k);
      std::vector<Complex> x(static_cast<std::size_t>(k) + 1);
      x.back() = 1;
      vector_of(k, k - 1, std::move(x));
      continue;
    }
    const Complex a = h(k, k), b = h(k, k + 1), c = h(k + 1, k), d = h(k + 1, k + 1);
    const Complex half = (a - d) / 2.0, root = std::sqrt(half * half + b * c);
    const Complex value = (a + d) / 2.0 + Complex(0, std::fabs(root.imag()));
    result.values[static_cast<std::size_t>(k)] = value;
    result.values[static_cast<std::size_t>(k) + 1] = std::conj(value);
    std::vector<Complex> x(static_cast<std::size_t>(k) + 2);
    // (a - value) x + b y = 0, or c x + (d - value) y = 0, by the larger numbers.
    if (std::abs(b) >= std::abs(c)) {
      x[static_cast<std::size_t>(k)] = b;
      x.back() = value - a;
    } else {
      x[static_cast<std::size_t>(k)] = value - d;
      x.back() = c;
    }
    vector_of(k, k - 1, std::move(x));
    if (wants_vectors)
      for (int i = 0; i < n; ++i)
        result.vectors[static_cast<std::size_t>(k + 1) * n + i] =
            std::conj(result.vectors[static_cast<std::size_t>(k) * n + i]);
    ++k;
  }
  return result;
}

}  // namespace

Eigensystem eigensystem(const std::vector<double>& a, int n, bool wants_vectors) {
  return solve(a, n, wants_vectors);
}
Eigensystem eigensystem(const std::vector<std::complex<double>>& a, int n, bool wants_vectors) {
  return solve(a, n, wants_vectors);
}

}  // namespace gridspan::libraries::solver
