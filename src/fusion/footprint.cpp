// Footprints of joined launches.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fusion/footprint.h"

#include "model/mentions.h"
#include "model/proof.h"

#include <algorithm>
#include <map>

namespace gridspan::fusion {

using model::Values;

namespace {

/// A box by the turn of the loops and the piece of the image that it is around.
using BoxName = std::pair<std::size_t, std::size_t>;
using NamedBoxes = std::map<BoxName, model::Box>;

std::vector<model::Touching> touching(
    const std::vector<std::vector<std::optional<model::Touched>>>& touched) {
  std::vector<model::Touching> all;
  for (unsigned array = 0; array < touched.size(); ++array) {
    for (const std::optional<model::Touched>& one : touched[array]) {
      if (!one) continue;
      model::Touching next{&one->image, {}, array, one->is_written};
      for (const model::NativeLoop& loop : one->loops) {
        next.first_turns[loop.counter] = 0;
        for (const model::Dimension& product : loop.products) next.first_turns[product.name] = 0;
      }
      all.push_back(std::move(next));
    }
  }
  return all;
}

bool has_ends(const model::Box& box) {
  for (const model::Range& range : box)
    if (range.first <= -model::endless || range.end > model::endless) return false;
  return true;
}

/// Nothing where loops have too many turns, or a box has no end.
std::optional<NamedBoxes> boxes_at(const model::Touched& touched, const Values& part,
                                   bool& is_exact) {
  const std::optional<std::vector<Values>> turns = model::turns_of(touched, part);
  if (!turns) return std::nullopt;
  NamedBoxes boxes;
  for (std::size_t turn = 0; turn < turns->size(); ++turn) {
    for (const auto& [piece, box] : touched.image.boxes((*turns)[turn])) {
      if (!has_ends(box)) return std::nullopt;
      if (!touched.image.is_of_boxes() &&
          !model::is_filled(box, touched.image.elements((*turns)[turn])))
        is_exact = false;
      boxes.emplace(BoxName{turn, piece}, box);
    }
  }
  return boxes;
}

/// False, and nothing changes, where these are other boxes than before.
bool append(const NamedBoxes& here, std::map<BoxName, SampledBox>& boxes) {
  const auto is_known = [&](const auto& one) { return boxes.contains(one.first); };
  const bool is_first = boxes.empty();
  if (!is_first && (here.size() != boxes.size() || !std::ranges::all_of(here, is_known)))
    return false;
  for (const auto& [name, box] : here) {
    SampledBox& sampled = boxes[name];
    sampled.resize(box.size());
    for (std::size_t d = 0; d < box.size(); ++d) {
      sampled[d].first.in.push_back(box[d].first);
      sampled[d].end.in.push_back(box[d].end);
    }
  }
  return true;
}

}  // namespace

Footprints::Footprints(const Joined& joined, model::Instances& instances,
                       model::ProofLimits& limits, Examples examples)
    : joined_(joined), examples_(examples) {
  const model::Kernel& kernel = joined.kernel;
  if (spares_examples()) {
    for (const model::Array& array : kernel.arrays) touched_.emplace_back(array.accesses.size());
    return;
  }
  model::PartImages images(kernel, instances, limits);
  for (const model::Array& array : kernel.arrays) {
    auto& of_array = touched_.emplace_back();
    for (const model::Access& access : array.accesses) {
      auto& touched = of_array.emplace_back();
      model::attempt(kernel.context.ctx(), limits, [&] {
        const std::optional<model::PartImage> image = images.of(access);
        if (!image) return;
        touched.emplace(image->piece);
        touched->is_exact = access.exact && image->exact_part;
        touched->is_read = access.kind != model::AccessKind::write;
        touched->is_written = access.kind != model::AccessKind::read;
      });
    }
  }
  model::attempt(kernel.context.ctx(), limits, [&] {
    const std::vector<model::Touching> all = touching(touched_);
    experiment_ = model::experiment(kernel, model::SampleLaunches(kernel, all));
  });
}

const model::Touched* Footprints::touched(std::size_t array, std::size_t access) const {
  const auto& touched = touched_[array][access];
  return touched ? &*touched : nullptr;
}

Block Footprints::last_block(const Values& launch) const {
  Block last{};
  for (unsigned axis = 0; axis < 3; ++axis) {
    const auto extent = launch.find(model::grid_dim(axis));
    if (extent != launch.end()) last[axis] = extent->second - 1;
  }
  return last;
}

Block Footprints::grid() const {
  if (experiment_.launches.empty()) return {};
  Block grid = last_block(experiment_.launches.front());
  for (long& extent : grid) ++extent;
  return grid;
}

Values Footprints::part(const Values& launch, const Block& first, const Block& last) const {
  const long from[3] = {first[0], first[1], first[2]}, to[3] = {last[0], last[1], last[2]};
  return model::with_part(joined_.kernel, launch, from, to);
}

std::optional<Extent> Footprints::whole(std::size_t array, std::size_t access) const {
  const model::Touched* touched = this->touched(array, access);
  if (touched == nullptr || experiment_.launches.empty()) return std::nullopt;
  Extent extent;
  extent.is_exact = touched->is_exact;
  std::map<BoxName, SampledBox> boxes;
  for (const Values& launch : experiment_.launches) {
    const auto here = boxes_at(*touched, part(launch, {}, last_block(launch)), extent.is_exact);
    if (!here && boxes.empty()) return std::nullopt;
    if (!here || !append(*here, boxes)) {
      extent.is_followed = false;
      break;
    }
  }
  for (auto& [name, box] : boxes) extent.boxes.push_back(std::move(box));
  return extent;
}

std::set<std::string> Footprints::sources(std::size_t array) const {
  std::set<std::string> all;
  for (const auto& touched : touched_[array])
    if (touched) all.merge(model::sources_of(joined_.kernel, touched->image.symbolic()));
  return all;
}

std::optional<isl::set> Footprints::read_in_the_middle(std::size_t array, unsigned launch) const {
  Block middle = grid();
  for (long& index : middle) index /= 2;
  std::optional<isl::set> all;
  const auto& accesses = joined_.kernel.arrays[array].accesses;
  for (std::size_t i = 0; i < accesses.size(); ++i) {
    if (joined_.launch_of[array][i] != launch || accesses[i].kind == model::AccessKind::write)
      continue;
    const std::optional<isl::set> here = of_block(array, i, middle);
    if (here) all = all ? all->unite(*here) : here;
  }
  return all;
}

std::optional<isl::set> Footprints::of_block(std::size_t array, std::size_t access,
                                             const Block& block) const {
  const model::Touched* touched = this->touched(array, access);
  if (touched == nullptr || experiment_.launches.empty()) return std::nullopt;
  const auto turns = model::turns_of(*touched, part(experiment_.launches.front(), block, block));
  if (!turns || turns->empty()) return std::nullopt;
  std::optional<isl::set> all;
  for (const Values& turn : *turns) {
    const isl::set here = touched->image.elements(turn);
    all = all ? all->unite(here) : here;
  }
  return all;
}

}  // namespace gridspan::fusion
