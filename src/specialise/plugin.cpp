// libgridspan_specialise: what the run time finds here.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "abi/specialise.h"
#include "specialise/fuser.h"
#include "specialise/specialiser.h"
#include "support/cache_folder.h"
#include "support/find_gridcc.h"

#include <string>

using namespace gridspan;

namespace {

// Never destroyed: launches may outlive main.
specialise::Specialiser* the_specialiser = nullptr;
specialise::Fuser* the_fuser = nullptr;

const abi::Kernel* choose(const abi::Kernel* kernel, const abi::LaunchContext* launch) {
  return the_specialiser->choose(*kernel, *launch);
}

void ran(const abi::Kernel* kernel, const abi::LaunchContext* launch, const abi::Kernel* used,
         std::uint64_t nanoseconds) {
  the_specialiser->ran(*kernel, *launch, *used, nanoseconds);
}

abi::FuseAnswer fuse(const abi::FuseRequest* request) { return the_fuser->fuse(*request); }

void forget(const abi::Module* module) {
  the_specialiser->forget(*module);
  the_fuser->forget(*module);
}

void stop() {
  the_specialiser->stop();
  the_fuser->stop();
}

constexpr abi::Specialiser functions{abi::version, choose, ran, fuse, forget, stop};

}  // namespace

extern "C" __attribute__((visibility("default"))) const abi::Specialiser* gridspan_specialiser(
    const abi::SpecialiserSetup* setup) {
  auto refuse = [&](const std::string& why) {
    setup->say(abi::SpecialiserSays::information, ("specialise: off: " + why).c_str());
    return nullptr;
  };
  if (setup->version != abi::version) return refuse("the plug-in is of another version");
  auto gridcc = support::own_gridcc(setup->run_time);
  if (!gridcc) return refuse(gridcc.error().message);
  const std::string folder = support::cache_folder(), cache = folder + "/kernels";
  if (folder.empty()) return refuse("neither XDG_CACHE_HOME nor HOME is set");
  if (!the_specialiser) {
    the_specialiser = new specialise::Specialiser(*setup, *gridcc, cache);
    the_fuser = new specialise::Fuser(*setup, *gridcc, cache);
  }
  return &functions;
}
