// Notes of times, written and read.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/record/decisions.h"

#include "runtime/record/log_file.h"

#include <bit>
#include <variant>

namespace gridspan::runtime::record {

namespace {

devices::Measured measured_of(const MeasuredNote& note) {
  devices::Measured measured;
  const std::size_t count = note.memory.size();
  if (note.link_seconds.size() != count * count || note.link_bytes.size() != count * count)
    return measured;
  for (const std::uint64_t rate : note.memory)
    measured.memory.push_back(std::bit_cast<double>(rate));
  measured.links.resize(count);
  for (std::size_t i = 0; i < count * count; ++i)
    measured.links[i / count].push_back(
        {std::bit_cast<double>(note.link_seconds[i]), std::bit_cast<double>(note.link_bytes[i])});
  measured.begin_seconds = std::bit_cast<double>(note.begin_seconds);
  return measured;
}

}  // namespace

MeasuredNote measured_note(const devices::Measured& measured) {
  MeasuredNote note;
  for (const double rate : measured.memory)
    note.memory.push_back(std::bit_cast<std::uint64_t>(rate));
  for (const auto& from : measured.links) {
    for (const devices::Link& link : from) {
      note.link_seconds.push_back(std::bit_cast<std::uint64_t>(link.seconds));
      note.link_bytes.push_back(std::bit_cast<std::uint64_t>(link.bytes_per_second));
    }
  }
  note.begin_seconds = std::bit_cast<std::uint64_t>(measured.begin_seconds);
  return note;
}

support::Result<Decisions> decisions_of(const std::string& file,
                                        const std::vector<std::string>& devices) {
  Decisions decisions;
  auto reader = LogReader::open(file);
  if (!reader) return support::fail(reader.error());
  for (;;) {
    auto record = reader->next();
    if (!record) return support::fail(record.error());
    if (!*record) return decisions;
    const auto* const header = std::get_if<Header>(&**record);
    if (header && header->devices != devices) return decisions;
    if (const auto* measured = std::get_if<MeasuredNote>(&**record))
      decisions.measured = measured_of(*measured);
    // They stand behind their launch: they are known when it is planned.
    if (const auto* shares = std::get_if<SharesNote>(&**record))
      decisions.shares[shares->command] = {shares->slowness, shares->asks_all};
    if (const auto* place = std::get_if<PlaceNote>(&**record))
      decisions.places[place->command].push_back(place->on_all);
  }
}

}  // namespace gridspan::runtime::record
