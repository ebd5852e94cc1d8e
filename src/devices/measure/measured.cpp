// From places to devices, and as text.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "devices/measure/measured.h"

#include <algorithm>
#include <cmath>
#include <sstream>

namespace gridspan::devices {
namespace {

constexpr std::string_view heading = "gridspan measurements 1";

bool are_alike(const DeviceFacts& a, const DeviceFacts& b) {
  return a.kind == b.kind && a.processor == b.processor && a.workers == b.workers;
}

bool is_rate(double value) { return std::isfinite(value) && value > 0; }

/// What GPUs take for a launch or a small copy, with the events around it (docs/gpu-devices.md).
/// Virtual devices of one GPU are there to see what several would do.
double begin_seconds(std::span<const DeviceFacts> devices) {
  constexpr double of_a_gpu = 3e-6;
  const auto is_gpu = [](const DeviceFacts& facts) { return !facts.host_reaches_memory; };
  const auto is_virtual = [&](const DeviceFacts& facts) {
    return is_gpu(facts) && facts.shares > 1;
  };
  return std::ranges::any_of(devices, is_gpu) && std::ranges::none_of(devices, is_virtual)
             ? of_a_gpu
             : 0;
}

}  // namespace

std::size_t Measurements::index_of(const std::string& place) const {
  return static_cast<std::size_t>(std::ranges::lower_bound(places, place) - places.begin());
}

Measurements places_of(std::span<const DeviceFacts> devices) {
  Measurements made;
  for (const DeviceFacts& facts : devices) made.places.push_back(facts.place);
  std::ranges::sort(made.places);
  const auto repeated = std::ranges::unique(made.places);
  made.places.erase(repeated.begin(), repeated.end());
  return made;
}

std::string Measurements::to_text() const {
  std::ostringstream text;
  text.precision(6);
  text << heading << "\n";
  for (const std::string& place : places) text << "place " << place << "\n";
  for (const auto& [place, rate] : memory) text << "memory " << place << " " << rate << "\n";
  for (const auto& [ends, link] : links) {
    text << "link " << ends.first << " " << ends.second << " " << link.seconds << " "
         << link.bytes_per_second << "\n";
  }
  return text.str();
}

support::Result<Measurements> Measurements::parse(std::string_view text) {
  std::istringstream lines{std::string(text)};
  std::string line;
  if (!std::getline(lines, line) || line != heading) return support::fail("no measurements");
  Measurements made;
  while (std::getline(lines, line)) {
    const auto wrong = [&] { return support::fail("not understood: " + line); };
    std::istringstream words(line);
    std::string kind;
    std::size_t from = 0, to = 0;
    words >> kind;
    if (kind == "place") {
      made.places.push_back(line.substr(line.find(' ') + 1));
    } else if (kind == "memory") {
      double rate = 0;
      if (!(words >> from >> rate) || from >= made.places.size() || !is_rate(rate)) return wrong();
      made.memory[from] = rate;
    } else if (kind == "link") {
      Link link;
      if (!(words >> from >> to >> link.seconds >> link.bytes_per_second)) return wrong();
      if (std::max(from, to) >= made.places.size() || !is_rate(link.bytes_per_second) ||
          !(link.seconds >= 0))
        return wrong();
      made.links[{from, to}] = link;
    } else {
      return wrong();
    }
  }
  return made;
}

std::optional<Measured> by_device(const Measurements& known, std::span<const DeviceFacts> devices) {
  Measured all;
  std::vector<std::size_t> places;
  for (const DeviceFacts& facts : devices) {
    places.push_back(known.index_of(facts.place));
    if (!known.memory.contains(places.back())) return std::nullopt;
  }
  for (const DeviceFacts& facts : devices) {
    double sum = 0, count = 0;
    for (std::size_t i = 0; i < devices.size(); ++i) {
      if (!are_alike(devices[i], facts)) continue;
      sum += known.memory.at(places[i]);
      count += 1;
    }
    all.memory.push_back(sum / count / facts.shares);
  }
  for (std::size_t from = 0; from < devices.size(); ++from) {
    all.links.emplace_back();
    for (std::size_t to = 0; to < devices.size(); ++to) {
      const auto link = known.links.find({places[from], places[to]});
      if (from != to && link == known.links.end()) return std::nullopt;
      all.links.back().push_back(from == to ? Link{} : link->second);
    }
  }
  all.begin_seconds = begin_seconds(devices);
  return all;
}

}  // namespace gridspan::devices
