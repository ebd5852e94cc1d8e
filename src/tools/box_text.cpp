// From isl images to subscript ranges: bounds of each dimension, split into those that move with
// the block and those that are the same for all. SPDX-License-Identifier: Apache-2.0 WITH
// LLVM-exception
#include "tools/box_text.h"

#include <algorithm>
#include <optional>

namespace gridspan::tools {
namespace {

using model::Dimension;
using model::Kernel;

constexpr unsigned long text_limit = 400'000;  // a second at the very worst
constexpr std::size_t box_limit = 4;           // more boxes than this are shown as one

isl::set renamed_to_block(const isl::set& image, const std::string& bound,
                          const std::string& symbol) {
  isl::ctx context = image.ctx();
  int position = isl_set_find_dim_by_name(image.get(), isl_dim_param, bound.c_str());
  if (position < 0) return image;
  isl::set equal(context, "[" + bound + "," + symbol + "] -> { : " + bound + " = " + symbol + " }");
  return image.intersect_params(equal).project_out_param(bound);
}

/// Bound of a dimension: the largest (lower) or smallest (upper) of some terms.
struct Bound {
  std::vector<isl::pw_aff> moving;  // differ between blocks
  std::vector<isl::pw_aff> fixed;
  std::optional<isl::pw_aff> other;  // not of that form: the bound itself
};

bool moves(const isl::pw_aff& term, const Notation& notation) {
  for (const std::string& symbol : notation.block_symbols()) {
    int at = isl_pw_aff_find_dim_by_name(term.get(), isl_dim_param, symbol.c_str());
    if (at >= 0 && isl_pw_aff_involves_dims(term.get(), isl_dim_param, at, 1)) return true;
  }
  return false;
}

/// min and max of a dimension are piecewise; where the pieces are the max (min) of the expressions
/// of all pieces, the terms say the same in fewer words.
Bound terms_of(const isl::pw_aff& value, bool is_lower, const Notation& notation) {
  std::vector<isl::pw_aff> terms;
  isl::set domain = value.domain();
  value.foreach_piece([&](const isl::set&, const isl::multi_aff& expression) {
    isl::pw_aff term(expression.at(0));
    bool is_known = std::any_of(terms.begin(), terms.end(), [&](const isl::pw_aff& known) {
      return isl_pw_aff_plain_is_equal(known.get(), term.get()) == isl_bool_true;
    });
    if (!is_known) terms.push_back(term);
  });
  isl::pw_aff together = terms.front();
  for (const isl::pw_aff& term : terms)
    together = is_lower ? together.max(term) : together.min(term);
  together = together.intersect_params(domain);
  Bound bound;
  if (terms.size() > 4 || isl_pw_aff_is_equal(together.get(), value.get()) != isl_bool_true) {
    bound.other = value;
    return bound;
  }
  for (const isl::pw_aff& term : terms)
    (moves(term, notation) ? bound.moving : bound.fixed).push_back(term);
  return bound;
}

std::string join(const std::vector<isl::pw_aff>& terms, const char* function,
                 const Notation& notation) {
  std::string text;
  for (const isl::pw_aff& term : terms) text += (text.empty() ? "" : ", ") + notation.value(term);
  return terms.size() == 1 ? text : function + ("(" + text + ")");
}

/// The part of the bound that belongs into the range, and the part that is the same for all blocks.
struct BoundText {
  std::string range, limit;
};

BoundText bound_text(const Bound& bound, bool is_lower, const Notation& notation) {
  const char* function = is_lower ? "max" : "min";
  if (bound.other) return {notation.value(*bound.other), ""};
  if (bound.moving.empty()) return {join(bound.fixed, function, notation), ""};
  return {join(bound.moving, function, notation),
          bound.fixed.empty() ? "" : join(bound.fixed, function, notation)};
}

isl::pw_aff extreme(const isl::set& line, bool is_lower) {
  isl_pw_aff* value = is_lower ? isl_set_dim_min(line.copy(), 0) : isl_set_dim_max(line.copy(), 0);
  if (!value) isl::exception::throw_last_error(line.ctx());
  return isl::manage(value).coalesce();
}

isl::set one_dimension(const isl::set& set, unsigned dimension) {
  isl_set* copy = set.copy();
  unsigned rank = set.tuple_dim();
  copy = isl_set_project_out(copy, isl_dim_set, dimension + 1, rank - dimension - 1);
  return isl::manage(isl_set_project_out(copy, isl_dim_set, 0, dimension));
}

/// All points whose coordinates each occur in the set: the smallest product of one-dimensional
/// sets.
isl::set box_around(const isl::set& set) {
  isl::set box = isl::manage(
      isl_set_universe(isl_space_reset_tuple_id(isl_set_get_space(set.get()), isl_dim_set)));
  unsigned rank = set.tuple_dim();
  for (unsigned i = 0; i < rank; ++i) {
    isl_set* line = one_dimension(set, i).release();
    line = isl_set_insert_dims(line, isl_dim_set, 0, i);
    line = isl_set_insert_dims(line, isl_dim_set, i + 1, rank - i - 1);
    box = box.intersect(isl::manage(isl_set_reset_tuple_id(line)));
  }
  return box;
}

bool is_box(const isl::set& set) {
  isl::set plain = isl::manage(isl_set_reset_tuple_id(set.copy()));
  return box_around(set).is_subset(plain);
}

long stride(const isl::set& line) {
  isl::val step = isl::manage(isl_set_get_stride(line.get(), 0));
  return step.is_int() ? std::max(1L, step.get_num_si()) : 1;
}

/// The bound, or nothing where there is none.
std::optional<isl::pw_aff> bound_of(const isl::set& line, bool is_lower) {
  try {
    return extreme(line, is_lower);
  } catch (const isl::exception_quota&) {
    throw;
  } catch (const isl::exception&) {
    return std::nullopt;
  }
}

struct RangeText {
  std::string range, limit;
  bool is_range = true;  // all of it is touched, but for the holes of its step
};

/// In words; a bound with cases is replaced by one without that is not tighter, if there is one.
BoundText simple_bound(const isl::set& line, const isl::pw_aff& value, bool is_lower,
                       const Notation& notation, bool& is_exact) {
  Bound bound = terms_of(value, is_lower, notation);
  if (!bound.other) return bound_text(bound, is_lower, notation);
  isl::set hull = isl::manage(isl_set_remove_divs(line.copy()));
  hull = isl::set(isl::manage(isl_set_simple_hull(hull.release())));
  if (auto loose = bound_of(hull, is_lower)) {
    Bound looser = terms_of(*loose, is_lower, notation);
    if (!looser.other) {
      is_exact = false;
      return bound_text(looser, is_lower, notation);
    }
  }
  return bound_text(bound, is_lower, notation);
}

/// Whether the line holds every point between its bounds that its congruences allow.
bool has_no_holes(const isl::set& line, const std::optional<isl::pw_aff>& lower,
                  const std::optional<isl::pw_aff>& upper) {
  isl::set filled(line.affine_hull());
  if (lower) filled = filled.lower_bound(isl::multi_pw_aff(*lower));
  if (upper) filled = filled.upper_bound(isl::multi_pw_aff(*upper));
  return filled.intersect_params(line.params()).is_subset(line);
}

RangeText range_text(const isl::set& set, unsigned dimension, const Notation& notation) {
  isl::set line = isl::manage(isl_set_reset_tuple_id(one_dimension(set, dimension).release()));
  std::optional<isl::pw_aff> lower = bound_of(line, true), upper = bound_of(line, false);
  RangeText text;
  text.is_range = has_no_holes(line, lower, upper);
  BoundText low{"..", ""}, high{"..", ""};
  if (lower) low = simple_bound(line, *lower, true, notation, text.is_range);
  if (lower && upper && isl_pw_aff_is_equal(lower->get(), upper->get()) == isl_bool_true) {
    text.range = low.range;
  } else {
    // With a step the range may end behind the last element, which makes the end simpler.
    long step = stride(line);
    isl::set loose = isl::manage(isl_set_remove_divs(line.copy()));
    if (upper && step > 1) upper = bound_of(loose, false);
    if (upper) high = simple_bound(line, *upper, false, notation, text.is_range);
    text.range = lower || upper ? low.range + " .. " + high.range : "..";
    if (step > 1) text.range += " step " + std::to_string(step);
  }
  if (!low.limit.empty() || !high.limit.empty())
    text.limit = (low.limit.empty() ? "" : low.limit + " ") + ".." +
                 (high.limit.empty() ? "" : " " + high.limit);
  return text;
}

BoxText box_text(const isl::set& set, const Notation& notation) {
  BoxText box;
  bool has_limit = false, has_holes = false;
  for (unsigned i = 0; i < set.tuple_dim(); ++i) {
    RangeText text = range_text(set, i, notation);
    box.ranges += "[" + text.range + "]";
    box.inside += "[" + (text.limit.empty() ? ".." : text.limit) + "]";
    has_limit = has_limit || !text.limit.empty();
    has_holes = has_holes || !text.is_range;
  }
  if (!has_limit) box.inside.clear();
  box.is_box = !has_holes && is_box(set);
  return box;
}

/// As several boxes if there are few, and as one around all of them otherwise.
std::vector<BoxText> texts_of(const isl::set& image, const Notation& notation) {
  BoxText whole = box_text(image, notation);
  if (whole.is_box) return {whole};
  std::vector<isl::basic_set> parts;
  image.coalesce().foreach_basic_set([&](const isl::basic_set& part) { parts.push_back(part); });
  if (parts.size() > box_limit || parts.size() < 2) return {whole};
  std::vector<BoxText> boxes;
  for (const isl::basic_set& part : parts) {
    boxes.push_back(box_text(isl::set(part), notation));
    if (!boxes.back().is_box) return {whole};
  }
  return boxes;
}

std::string loops_text(const model::FootprintPiece& piece, const Kernel& kernel,
                       const Notation& notation) {
  constexpr std::size_t readable = 40;
  std::string text;
  for (const model::NativeLoop& loop : piece.loops) {
    std::string last = loop.last.is_null() ? "" : notation.value(loop.last);
    text += (text.empty() ? "for each " : ", ") + loop.counter +
            (last.empty() || last.size() > readable ? "" : " in 0 .. " + last);
    for (const Dimension& dimension : kernel.dimensions)
      if (dimension.name == loop.counter && dimension.where.line)
        text += " (loop in line " + std::to_string(dimension.where.line) + ")";
  }
  return text;
}

}  // namespace

isl::set image_of_one_block(const Kernel& kernel, isl::set image) {
  for (const Dimension& dimension : kernel.dimensions) {
    if (isl_set_find_dim_by_name(image.get(), isl_dim_param, dimension.name.c_str()) >= 0)
      continue;  // a loop counter, kept
    image = renamed_to_block(image, model::part_first(dimension.name), dimension.name);
    image = renamed_to_block(image, model::part_last(dimension.name), dimension.name);
  }
  return image;
}

std::vector<BoxText> block_boxes(const model::AccessSet& set, const Kernel& kernel,
                                 const Notation& notation) {
  std::vector<BoxText> boxes;
  for (const model::FootprintPiece& piece : set.pieces) {
    std::vector<BoxText> texts = {BoxText{"", "", "", false}};
    auto work = [&] {
      isl::set image = image_of_one_block(kernel, piece.image);
      image = image.intersect_params(notation.context()).coalesce();
      texts = image.is_empty() ? std::vector<BoxText>() : texts_of(image, notation);
    };
    try {
      model::within_limit(piece.image.ctx(), text_limit, work);
    } catch (const isl::exception&) {  // shown as isl text
    }
    for (BoxText& text : texts) {
      text.loops = loops_text(piece, kernel, notation);
      boxes.push_back(std::move(text));
    }
  }
  return boxes;
}

}  // namespace gridspan::tools
