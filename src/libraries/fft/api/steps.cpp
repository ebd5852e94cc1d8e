// How transforms become launches.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each dimension is transformed by itself: all lines along it. A line that fits in a block's shared
// memory is one launch. A longer one, of rows * rest elements, becomes two transforms with roots of
// unity between them, the second of which may be long again. A line whose length has a large prime
// factor becomes a convolution with a chirp (Bluestein), by longer lines that have none.
#include "libraries/fft/api/steps.h"

#include "libraries/fft/kernels/elements.h"

#include <cuda_fp16.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <type_traits>

namespace gridspan::libraries::fft {
namespace {

enum class Where { in, out, work };

/// Complex numbers from `offset` on.
struct Place {
  Where where = Where::work;
  std::int64_t offset = 0;
};

/// Lines beside one another: how many, and how far apart in both arrays. `factor` is not 0 for
/// those that a long line consists of: the exponent of the roots grows by it.
struct Dimension {
  std::int64_t count = 1, from = 0, to = 0, factor = 0;
};
using Dimensions = std::vector<Dimension>;

enum class Direction { as_called, forward, inverse };

/// Lines from one place to another.
struct Axis {
  std::int64_t length = 1;
  Place from;
  std::int64_t from_step = 1;
  Place to;
  std::int64_t to_step = 1;
  Dimensions others;
  Direction direction = Direction::as_called;
};

bool is_inverse(const Call& call, Direction direction) {
  return direction == Direction::as_called ? call.is_inverse : direction == Direction::inverse;
}

/// Those with one line are left away, and those become one that have equal distances throughout.
Dimensions merged(Dimensions dimensions) {
  std::erase_if(dimensions, [](const Dimension& d) { return d.count == 1; });
  std::sort(dimensions.begin(), dimensions.end(), [](const Dimension& a, const Dimension& b) {
    return std::pair(a.from, a.to) < std::pair(b.from, b.to);
  });
  Dimensions result;
  for (const Dimension& d : dimensions) {
    if (!result.empty()) {
      Dimension& last = result.back();
      if (last.factor == 0 && d.factor == 0 && d.from == last.count * last.from &&
          d.to == last.count * last.to) {
        last.count *= d.count;
        continue;
      }
    }
    result.push_back(d);
  }
  return result;
}

std::int64_t lines_of(const Dimensions& dimensions) {
  return std::accumulate(
      dimensions.begin(), dimensions.end(), std::int64_t{1},
      [](std::int64_t product, const Dimension& d) { return product * d.count; });
}

/// Calls run(offset from, offset to) for each line of these dimensions.
template <typename Run>
void for_each_line(const Dimensions& dimensions, Run run) {
  const std::int64_t count = lines_of(dimensions);
  for (std::int64_t i = 0; i < count; ++i) {
    std::int64_t rest = i, from = 0, to = 0;
    for (const Dimension& d : dimensions) {
      from += rest % d.count * d.from;
      to += rest % d.count * d.to;
      rest /= d.count;
    }
    run(from, to);
  }
}

/// The shortest line that a convolution of `length` needs and that has small factors only.
std::int64_t convolution_length(std::int64_t length) {
  const std::int64_t least = 2 * length - 1;
  std::int64_t best = 0;
  for (const std::int64_t odd : {1, 3, 5, 9, 15, 25, 27}) {
    std::int64_t candidate = odd;
    while (candidate < least) candidate *= 2;
    if (best == 0 || candidate < best) best = candidate;
  }
  return best;
}

template <typename T>
class Builder {
 public:
  Builder(const Shape& shape, Tables* tables) : shape_(shape), tables_(tables) {}

  Steps build() {
    if (shape_.numbers == Numbers::half_precision) {
      if constexpr (std::is_same_v<T, float>) through_work<__half>();
    } else if (shape_.from_real) {
      from_real<T>(shape_.in, {Where::in}, {Where::out}, shape_.out);
    } else if (shape_.to_real) {
      to_real<T>({Where::in}, shape_.in, {Where::out}, shape_.out);
    } else {
      whole({Where::in}, shape_.in, {Where::out}, shape_.out);
    }
    steps_.work_bytes = static_cast<std::size_t>(most_) * sizeof(Complex<T>);
    return std::move(steps_);
  }

 private:
  using Number = Complex<T>;

  // --- arrays

  Place allocate(std::int64_t numbers) {
    const Place place = {Where::work, used_};
    used_ += (numbers + 31) / 32 * 32;
    most_ = std::max(most_, used_);
    return place;
  }
  static Number* at(const Call& call, Place place) {
    void* const base = place.where == Where::in    ? call.in
                       : place.where == Where::out ? call.out
                                                   : call.work;
    return static_cast<Number*>(base) + place.offset;
  }

  // --- tables

  template <typename Value, typename Make>
  Value kept(std::map<std::pair<std::int64_t, std::int64_t>, Value>& known, std::int64_t a,
             std::int64_t b, Make make) {
    if (!tables_) return nullptr;
    const auto found = known.find({a, b});
    if (found != known.end()) return found->second;
    Value made = make();
    if (!made) steps_.status = CUFFT_ALLOC_FAILED;
    known[{a, b}] = made;
    return made;
  }
  const Number* roots(std::int64_t n) {
    return kept(roots_, n, 0, [&] {
      std::vector<std::complex<double>> numbers;
      for (std::int64_t k = 0; k < n; ++k) numbers.push_back(root(k, n));
      return tables_->keep<T>(numbers);
    });
  }
  /// Of unity: for each of the `rows` results of a first transform those of the `columns` lines.
  const Number* factors(std::int64_t rows, std::int64_t columns) {
    return kept(factors_, rows, columns, [&] {
      std::vector<std::complex<double>> numbers;
      numbers.reserve(static_cast<std::size_t>(rows * columns));
      for (std::int64_t row = 0; row < rows; ++row)
        for (std::int64_t column = 0; column < columns; ++column)
          numbers.push_back(root(row * column, rows * columns));
      return tables_->keep<T>(numbers);
    });
  }
  /// Between the first pass of a line in sixteen parts and the others: in the order of lines.h.
  const Number* factors_of_parts(std::int64_t rows) {
    return kept(factors_, -1, rows, [&] {
      std::vector<std::complex<double>> numbers;
      for (std::int64_t c = 0; c < 4; ++c)
        for (std::int64_t element = 0; element < rows; ++element)
          for (std::int64_t b = 0; b < 4; ++b)
            numbers.push_back(root((4 * b + c) * element, lines_of_block * rows));
      for (int k = 0; k < lines_of_block; ++k) numbers.push_back(root(k, lines_of_block));
      return tables_->keep<T>(numbers);
    });
  }
  const Number* chirp_of(std::int64_t n) {
    return kept(chirps_, n, 0, [&] { return tables_->keep<T>(chirp(n)); });
  }
  const Number* spectrum_of(std::int64_t n, std::int64_t length) {
    return kept(chirps_, n, length, [&] { return tables_->keep<T>(chirp_spectrum(n, length)); });
  }
  Passes passes(int rows) {
    Passes result;
    const std::vector<int> numbers = passes_of(rows, result);
    result.numbers = kept(passes_, rows, 0, [&] { return tables_->keep(numbers); });
    return result;
  }

  // --- lines

  void add(std::function<cudaError_t(const Call&)> step) {
    steps_.steps.push_back(std::move(step));
  }

  /// The one that threads along x go along, taken out of `others`.
  static Dimension take_neighbours(Dimensions& others, bool wants_from, bool wants_to) {
    const auto rank = [&](const Dimension& d) {
      const bool fits = (!wants_from || d.from == 1) && (!wants_to || d.to == 1);
      return std::pair(fits, d.count);
    };
    const auto best =
        std::max_element(others.begin(), others.end(),
                         [&](const auto& a, const auto& b) { return rank(a) < rank(b); });
    if (best == others.end()) return {1, 0, 0, 0};
    const Dimension result = *best;
    others.erase(best);
    return result;
  }
  static bool has_neighbours(const Dimensions& others, bool from, bool to) {
    return std::any_of(others.begin(), others.end(), [&](const Dimension& d) {
      return (!from || d.from == 1) && (!to || d.to == 1);
    });
  }

  struct Ways {
    Way read, write;
  };
  static Ways ways_of(const Axis& axis) {
    if (has_neighbours(axis.others, true, true)) return {Way::across, Way::across};
    if (axis.length == 1 || axis.from_step != 1) return {Way::apart, Way::apart};
    if (axis.to_step == 1) return {Way::along, Way::along};
    if (has_neighbours(axis.others, false, true)) return {Way::along, Way::across};
    return {Way::apart, Way::apart};
  }

  void transform(Axis axis) {
    axis.others = merged(axis.others);
    if (!is_smooth(axis.length)) return convolve(axis);
    const Ways ways = ways_of(axis);
    if (axis.length <= most_rows<T>(ways.read, ways.write)) return short_lines(axis, ways);
    constexpr int parts = lines_of_block;
    if (axis.from_step == 1 && axis.to_step == 1 && axis.length % parts == 0 &&
        axis.length / parts <= most_rows<T>(Way::parts, Way::across))
      return lines_in_parts(axis);
    long_lines(axis);
  }

  void launch(Lines<T> lines, Place from, Place to, Direction direction, const Dimensions& rest) {
    for_each_line(rest, [&](std::int64_t from_offset, std::int64_t to_offset) {
      add([=](const Call& call) {
        Lines<T> own = lines;
        own.in = at(call, from) + from_offset;
        own.out = at(call, to) + to_offset;
        own.is_inverse = is_inverse(call, direction);
        return launch_lines(own, call.stream);
      });
    });
  }

  static void set_groups(Lines<T>& lines, Dimensions& others) {
    // What has factors comes first.
    std::sort(others.begin(), others.end(), [](const auto& a, const auto& b) {
      return std::pair(a.factor, a.count) > std::pair(b.factor, b.count);
    });
    if (!others.empty()) {
      lines.groups = others[0].count;
      lines.from.group = others[0].from;
      lines.to.group = others[0].to;
      lines.by_group = others[0].factor;
      others.erase(others.begin());
    }
    if (!others.empty()) {
      lines.outer_groups = others[0].count;
      lines.from.outer = others[0].from;
      lines.to.outer = others[0].to;
      others.erase(others.begin());
    }
  }

  /// `factors`, if any, are those of a long line that these are columns of.
  void short_lines(const Axis& axis, Ways ways, const Number* factors = nullptr,
                   std::int64_t by_row = 0) {
    Dimensions others = axis.others;
    const bool neighbours_from = ways.read == Way::across,
               neighbours_to = ways.write == Way::across;
    const Dimension along_x = take_neighbours(others, neighbours_from, neighbours_to);
    Lines<T> lines;
    lines.rows = static_cast<int>(axis.length);
    lines.lines = along_x.count;
    lines.from = {axis.from_step, along_x.from, 0, 0};
    lines.to = {axis.to_step, along_x.to, 0, 0};
    lines.read = ways.read;
    lines.write = ways.write;
    lines.passes = passes(lines.rows);
    lines.roots = roots(axis.length);
    lines.factors = factors;
    lines.by_row = by_row;
    lines.by_line = along_x.factor;
    set_groups(lines, others);
    launch(lines, axis.from, axis.to, axis.direction, others);
  }

  void lines_in_parts(const Axis& axis) {
    constexpr int parts = lines_of_block;
    Dimensions others = axis.others;
    Lines<T> lines;
    lines.rows = static_cast<int>(axis.length / parts);
    lines.lines = parts;
    lines.from.row = 1;
    lines.to.row = axis.to_step * parts;
    lines.to.line = axis.to_step;
    lines.read = Way::parts;
    lines.write = Way::across;
    lines.passes = passes(lines.rows);
    lines.roots = roots(lines.rows);
    lines.factors = factors_of_parts(lines.rows);
    set_groups(lines, others);
    launch(lines, axis.from, axis.to, axis.direction, others);
  }

  /// The first factor of a long line, so that there are few passes of similar lengths.
  static std::int64_t first_factor(std::int64_t length, int most_first, int most_last) {
    for (int passes = 2;; ++passes) {
      std::int64_t best = 0;
      for (std::int64_t rows = 2; rows <= most_first; ++rows) {
        if (length % rows != 0 || !can_cut(length / rows, passes - 1, most_first, most_last))
          continue;
        const auto even = [&](std::int64_t r) {  // the largest part, if the others are alike
          const double rest = static_cast<double>(length) / static_cast<double>(r);
          return std::max(static_cast<double>(r), std::pow(rest, 1.0 / (passes - 1)));
        };
        if (best == 0 || even(rows) < even(best)) best = rows;
      }
      if (best != 0) return best;
    }
  }
  static bool can_cut(std::int64_t length, int passes, int most, int most_last) {
    if (passes == 1) return length <= most_last;
    for (std::int64_t rows = 2; rows <= most; ++rows)
      if (length % rows == 0 && can_cut(length / rows, passes - 1, most, most_last)) return true;
    return false;
  }

  void long_lines(const Axis& axis) {
    const bool is_across = axis.from_step != 1 && has_neighbours(axis.others, true, false);
    const int most_first = most_rows<T>(Way::across, Way::across);
    const int most_last = is_across ? most_first : most_rows<T>(Way::along, Way::across);
    const std::int64_t rows = first_factor(axis.length, most_first, most_last);
    const std::int64_t columns = axis.length / rows;

    // In between, lines lie as they did: neighbours stay neighbours.
    Dimensions others = axis.others, first, second;
    std::int64_t step = 1;
    if (is_across) {
      const Dimension neighbours = take_neighbours(others, true, false);
      step = neighbours.count;
      first.push_back({neighbours.count, neighbours.from, 1, 0});
      second.push_back({neighbours.count, 1, neighbours.to, neighbours.factor});
    }
    std::int64_t next = step * axis.length;
    for (const Dimension& d : others) {
      first.push_back({d.count, d.from, next, 0});
      second.push_back({d.count, next, d.to, d.factor});
      next *= d.count;
    }
    first.push_back({columns, axis.from_step, step, 1});
    second.push_back({rows, columns * step, axis.to_step, 0});

    const std::int64_t before = used_;
    const Place between = allocate(next);
    Axis columns_first = {rows,  axis.from,     axis.from_step * columns, between, columns * step,
                          first, axis.direction};
    columns_first.others = merged(columns_first.others);
    short_lines(columns_first, ways_of(columns_first), factors(rows, columns), columns);
    transform({columns, between, step, axis.to, axis.to_step * rows, second, axis.direction});
    used_ = before;
  }

  // --- Bluestein

  /// Splits off what a launch over elements has no place for.
  template <typename Moving>
  static Dimensions set_lines(Moving& moved, Strided& strides, const Dimensions& dimensions,
                              std::int64_t Dimension::* distance) {
    Dimensions rest = dimensions;
    const auto take = [&](std::int64_t& count, std::int64_t& stride) {
      if (rest.empty()) return;
      count = rest[0].count;
      stride = rest[0].*distance;
      rest.erase(rest.begin());
    };
    take(moved.lines, strides.line);
    take(moved.groups, strides.group);
    take(moved.outer_groups, strides.outer);
    return rest;
  }

  struct Elementwise {
    Elements elements = Elements::whole;
    std::int64_t length = 0, count = 0, n = 0;
    const Number* factors = nullptr;
    bool exchanges_if_inverse = false;
  };

  /// Between an array of the program's and lines in `work`. Distances are in elements of it,
  /// `unit` numbers each.
  template <typename Outside>
  void move(bool reads, Place outside, std::int64_t step, const Dimensions& dimensions,
            std::int64_t Dimension::* distance, Place work, const Elementwise& what,
            Direction direction) {
    const bool is_real = what.elements == Elements::real || what.elements == Elements::pairs;
    const std::int64_t unit = is_real ? 1 : 2;
    Moved<T, Outside> moved;
    Strided strides;
    const Dimensions rest = set_lines(moved, strides, dimensions, distance);
    moved.strides = {step * unit, strides.line * unit, strides.group * unit, strides.outer * unit};
    moved.elements = what.elements;
    moved.length = what.length;
    moved.count = what.count;
    moved.n = what.n;
    moved.factors = what.factors;
    const std::int64_t each = moved.lines * moved.groups * moved.outer_groups * what.length;
    std::int64_t done = 0;
    for_each_line(rest, [&](std::int64_t from, std::int64_t to) {
      const std::int64_t offset = (distance == &Dimension::from ? from : to) * unit;
      const std::int64_t place = done;
      done += each;
      add([=](const Call& call) {
        Moved<T, Outside> own = moved;
        void* const base = outside.where == Where::in    ? call.in
                           : outside.where == Where::out ? call.out
                                                         : call.work;
        own.numbers = static_cast<Outside*>(base) + 2 * outside.offset + offset;
        own.work = at(call, work) + place;
        own.exchanges = what.exchanges_if_inverse && is_inverse(call, direction);
        return reads ? launch_read(own, call.stream) : launch_write(own, call.stream);
      });
    });
  }

  void convolve(const Axis& axis) {
    const std::int64_t n = axis.length, length = convolution_length(n),
                       lines = lines_of(axis.others);
    const std::int64_t before = used_;
    const Place one = allocate(lines * length), two = allocate(lines * length);
    const Dimensions beside = {{lines, length, length, 0}};
    const Elementwise what = {Elements::whole, length, n, n, chirp_of(n), true};
    move<T>(true, axis.from, axis.from_step, axis.others, &Dimension::from, one, what,
            axis.direction);
    transform({length, one, 1, two, 1, beside, Direction::forward});
    const Number* const spectrum = spectrum_of(n, length);
    add([=](const Call& call) {
      return launch_multiply<T>(at(call, two), lines, length, spectrum, call.stream);
    });
    transform({length, two, 1, one, 1, beside, Direction::inverse});
    move<T>(false, axis.to, axis.to_step, axis.others, &Dimension::to, one, what, axis.direction);
    used_ = before;
  }

  // --- several dimensions

  std::size_t rank() const { return shape_.sizes.size(); }

  /// The dimensions other than `along`, of arrays whose last dimension has `last` elements.
  Dimensions others(std::size_t along, std::int64_t last, const Layout& from,
                    const Layout& to) const {
    Dimensions result = {{shape_.batch, from.batch, to.batch, 0}};
    for (std::size_t i = 0; i < rank(); ++i)
      if (i != along)
        result.push_back(
            {i + 1 == rank() ? last : shape_.sizes[i], from.strides[i], to.strides[i], 0});
    return result;
  }

  /// All dimensions but the last one, from one place to another.
  void leading(Place from, const Layout& from_layout, Place to, const Layout& to_layout,
               std::int64_t last, Direction direction) {
    Place source = from;
    Layout source_layout = from_layout;
    for (std::size_t i = rank() - 1; i-- > 0;) {
      transform({shape_.sizes[i], source, source_layout.strides[i], to, to_layout.strides[i],
                 others(i, last, source_layout, to_layout), direction});
      source = to;
      source_layout = to_layout;
    }
  }

  void whole(Place from, const Layout& in, Place to, const Layout& out) {
    const std::size_t last = rank() - 1;
    transform({shape_.sizes[last], from, in.strides[last], to, out.strides[last],
               others(last, 1, in, out), Direction::as_called});
    leading(to, out, to, out, shape_.sizes[last], Direction::as_called);
  }

  /// Complex numbers without gaps.
  Layout compact(std::int64_t last) const {
    Layout layout;
    layout.strides.resize(rank());
    std::int64_t next = 1;
    for (std::size_t i = rank(); i-- > 0;) {
      layout.strides[i] = next;
      next *= i + 1 == rank() ? last : shape_.sizes[i];
    }
    layout.batch = next;
    return layout;
  }

  /// Are pairs of real numbers complex ones of this layout?
  bool is_paired(std::int64_t step, const Dimensions& dimensions,
                 std::int64_t Dimension::* distance) const {
    return step == 1 && std::all_of(dimensions.begin(), dimensions.end(),
                                    [&](const Dimension& d) { return d.*distance % 2 == 0; });
  }
  static Dimensions halved(Dimensions dimensions, std::int64_t Dimension::* distance) {
    for (Dimension& d : dimensions) d.*distance /= 2;
    return dimensions;
  }
  /// Distances from the lines of work memory, instead.
  static Dimensions from_work(Dimensions dimensions, std::int64_t length,
                              std::int64_t Dimension::* distance) {
    std::int64_t next = length;
    for (Dimension& d : dimensions) {
      d.*distance = next;
      next *= d.count;
    }
    return dimensions;
  }

  template <typename Outside>
  void from_real(const Layout& in, Place from, Place to, const Layout& out) {
    const std::size_t last = rank() - 1;
    const std::int64_t n = shape_.sizes[last], half = n / 2;
    const Dimensions dimensions = merged(others(last, 1, in, out));
    const std::int64_t lines = lines_of(dimensions), before = used_;
    const std::int64_t in_step = in.strides[last], out_step = out.strides[last];
    if (n % 2 == 0) {
      if (std::is_same_v<Outside, T> && is_paired(in_step, dimensions, &Dimension::from)) {
        transform({half, from, 1, to, out_step, halved(dimensions, &Dimension::from),
                   Direction::forward});
      } else {
        const Place work = allocate(lines * half);
        move<Outside>(true, from, in_step, dimensions, &Dimension::from, work,
                      {Elements::pairs, half, half, n, nullptr, false}, Direction::forward);
        transform({half, work, 1, to, out_step, from_work(dimensions, half, &Dimension::from),
                   Direction::forward});
      }
      unfold(to, out_step, dimensions, n);
    } else {
      const Place one = allocate(lines * n), two = allocate(lines * n);
      move<Outside>(true, from, in_step, dimensions, &Dimension::from, one,
                    {Elements::real, n, n, n, nullptr, false}, Direction::forward);
      transform({n, one, 1, two, 1, {{lines, n, n, 0}}, Direction::forward});
      move<T>(false, to, out_step, dimensions, &Dimension::to, two,
              {Elements::whole, n, half + 1, n, nullptr, false}, Direction::forward);
    }
    used_ = before;
    leading(to, out, to, out, half + 1, Direction::forward);
  }

  void unfold(Place place, std::int64_t step, const Dimensions& dimensions, std::int64_t n) {
    Unfolded<T> unfolded;
    Strided strides;
    const Dimensions rest = set_lines(unfolded, strides, dimensions, &Dimension::to);
    unfolded.strides = {2 * step, 2 * strides.line, 2 * strides.group, 2 * strides.outer};
    unfolded.n = n;
    unfolded.roots = roots(n);
    for_each_line(rest, [&](std::int64_t, std::int64_t offset) {
      add([=](const Call& call) {
        Unfolded<T> own = unfolded;
        own.numbers = reinterpret_cast<T*>(at(call, place) + offset);
        return launch_unfold(own, call.stream);
      });
    });
  }

  template <typename Outside>
  void to_real(Place from, const Layout& in, Place to, const Layout& out) {
    const std::size_t last = rank() - 1;
    const std::int64_t n = shape_.sizes[last], half = n / 2, before = used_;
    Place source = from;
    Layout layout = in;
    if (rank() > 1) {  // the program's array is not to be changed
      layout = compact(half + 1);
      source = allocate(layout.batch * shape_.batch);
      leading(from, in, source, layout, half + 1, Direction::inverse);
    }
    const Dimensions dimensions = merged(others(last, 1, layout, out));
    const std::int64_t lines = lines_of(dimensions);
    const std::int64_t in_step = layout.strides[last], out_step = out.strides[last];
    const std::int64_t length = n % 2 == 0 ? half : n;
    const Place one = allocate(lines * length);
    move<T>(true, source, in_step, dimensions, &Dimension::from, one,
            {n % 2 == 0 ? Elements::folded : Elements::hermitian, length, length, n,
             n % 2 == 0 ? roots(n) : nullptr, false},
            Direction::inverse);
    const Dimensions from_one = from_work(dimensions, length, &Dimension::from);
    if (n % 2 == 0 && std::is_same_v<Outside, T> &&
        is_paired(out_step, dimensions, &Dimension::to)) {
      transform({length, one, 1, to, 1, halved(from_one, &Dimension::to), Direction::inverse});
    } else {
      const Place two = allocate(lines * length);
      transform({length, one, 1, two, 1, {{lines, length, length, 0}}, Direction::inverse});
      move<Outside>(
          false, to, out_step, dimensions, &Dimension::to, two,
          {n % 2 == 0 ? Elements::pairs : Elements::real, length, length, n, nullptr, false},
          Direction::inverse);
    }
    used_ = before;
  }

  // --- half precision

  /// The program's arrays have other numbers: what is transformed is a copy.
  template <typename Outside>
  void through_work() {
    const std::size_t last = rank() - 1;
    const std::int64_t n = shape_.sizes[last], half = n / 2 + 1;
    const std::int64_t in_last = shape_.to_real ? half : n, out_last = shape_.from_real ? half : n;
    const Layout in = compact(in_last), out = compact(out_last);
    const Place copy = allocate(in.batch * shape_.batch),
                result = allocate(out.batch * shape_.batch);
    const auto lines = [&](const Layout& layout) {
      // In the order of work memory.
      Dimensions dimensions;
      for (std::size_t i = last; i-- > 0;)
        dimensions.push_back({shape_.sizes[i], layout.strides[i], layout.strides[i], 0});
      dimensions.push_back({shape_.batch, layout.batch, layout.batch, 0});
      return dimensions;
    };
    if (shape_.from_real) {
      from_real<Outside>(shape_.in, {Where::in}, result, out);
    } else {
      move<Outside>(true, {Where::in}, shape_.in.strides[last], lines(shape_.in), &Dimension::from,
                    copy, {Elements::whole, in_last, in_last, n, nullptr, false},
                    Direction::forward);
    }
    if (shape_.to_real) return to_real<Outside>(copy, in, {Where::out}, shape_.out);
    if (!shape_.from_real) whole(copy, in, result, out);
    move<Outside>(false, {Where::out}, shape_.out.strides[last], lines(shape_.out), &Dimension::to,
                  result, {Elements::whole, out_last, out_last, n, nullptr, false},
                  Direction::forward);
  }

  const Shape& shape_;
  Tables* tables_;
  Steps steps_;
  std::int64_t used_ = 0, most_ = 0;  // complex numbers of work memory
  std::map<std::pair<std::int64_t, std::int64_t>, const Number*> roots_, factors_, chirps_;
  std::map<std::pair<std::int64_t, std::int64_t>, const int*> passes_;
};

}  // namespace

Steps steps_of(const Shape& shape, Tables* tables) {
  return shape.numbers == Numbers::double_precision ? Builder<double>(shape, tables).build()
                                                    : Builder<float>(shape, tables).build();
}

}  // namespace gridspan::libraries::fft
