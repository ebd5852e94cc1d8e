// Where a module's variables are, on each of the program's devices.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/api/registry.h"

#include <algorithm>

namespace gridspan::runtime {

namespace {

/// Managed variables are in all images and go with the last one. Expects the lock.
void drop_place(LoadedModule& loaded, LoadedModule::Place& place, HomeMemory& memory) {
  if (!place.image) return;
  place.addresses.store(nullptr);
  const auto images = std::ranges::count_if(
      loaded.places, [](const auto& other) { return other.image.has_value(); });
  place.image->destroy(memory, images == 1 ? ModuleImage::Managed::go : ModuleImage::Managed::stay);
  place.image.reset();
}

}  // namespace

void* const* symbol_addresses(LoadedModule& loaded, HomeMemory& memory, int device) {
  LoadedModule::Place& place = loaded.places[static_cast<std::size_t>(device)];
  if (void* const* made = place.addresses.load(std::memory_order_acquire)) return made;
  const std::scoped_lock lock(loaded.image_mutex);
  if (!place.image) {
    place.image = ModuleImage::create(*loaded.module, loaded.managed, memory, device);
    if (!place.image) return nullptr;
    place.addresses.store(place.image->addresses(), std::memory_order_release);
  }
  return place.image->addresses();
}

void drop_image(LoadedModule& loaded, HomeMemory& memory, int device) {
  const std::scoped_lock lock(loaded.image_mutex);
  drop_place(loaded, loaded.places[static_cast<std::size_t>(device)], memory);
}

void drop_images(LoadedModule& loaded, HomeMemory& memory) {
  const std::scoped_lock lock(loaded.image_mutex);
  for (LoadedModule::Place& place : loaded.places) drop_place(loaded, place, memory);
}

}  // namespace gridspan::runtime
