// The images of a kernel's accesses: in full, in a hurry, or none.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model/part_image.h"
#include "model/relations.h"

namespace gridspan::model {
namespace {

constexpr int most_inexact_pieces = 2;  // of what is larger than the truth anyway
constexpr unsigned long by_pieces_operations = 20'000;

}  // namespace

std::optional<PartImage> PartImages::of(const Access& access) {
  if (access.unbounded) return std::nullopt;
  std::optional<unsigned> shape;
  const isl::ctx context = kernel_.context.ctx();
  if (!attempt(context, limits_, [&] { shape = instances_.of(access).shape; })) return std::nullopt;
  auto known = made_.find(*shape);
  if (known == made_.end()) known = made_.emplace(*shape, make(access)).first;
  std::optional<PartImage> image = known->second;
  if (image && !access.exact) image->exact_block = image->exact_part = false;
  return image;
}

std::optional<PartImage> PartImages::make(const Access& access) {
  std::optional<PartImage> image;
  const isl::ctx context = kernel_.context.ctx();
  const auto make_exact = [&] {
    const bool many = instances_.of(access).touched.n_basic_set() > most_inexact_pieces;
    if (access.exact || !many) image = part_image(kernel_, instances_, access);
  };
  const bool done =
      (attempt(context, limits_, make_exact) && image) ||
      attempt(context, limits_, [&] { image = coarse_part_image(kernel_, instances_, access); });
  if (!done) return std::nullopt;
  const auto has_bounds = [&] {
    bool bounded = false;
    attempt(context, limits_, [&] { bounded = is_bounded(image->piece.image); });
    return bounded;
  };
  if (has_bounds()) return image;
  const auto make_by_pieces = [&] {
    return within_limit(context, by_pieces_operations, [&] {
      image = coarse_part_image(kernel_, instances_, access, Pieces::one_by_one);
    });
  };
  bool made = false;
  attempt(context, limits_, [&] { made = make_by_pieces(); });
  return made && has_bounds() ? image : std::nullopt;
}

}  // namespace gridspan::model
