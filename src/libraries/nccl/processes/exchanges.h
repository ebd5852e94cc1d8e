// The kinds of exchanges.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "libraries/nccl/processes/exchange.h"

#include <memory>

namespace gridspan::libraries::nccl::processes {

std::shared_ptr<Exchange> begin_collective(Call& call, std::shared_ptr<Peers> peers);
std::shared_ptr<Exchange> begin_message(Call& call, std::shared_ptr<Peers> peers);
std::shared_ptr<Exchange> begin_split(Call& call, std::shared_ptr<Peers> peers);

}  // namespace gridspan::libraries::nccl::processes
