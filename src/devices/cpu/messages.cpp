// How the CPU device names kernels, threads and places in what it tells the user.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "devices/cpu/messages.h"

#include "support/readable_name.h"

#include <signal.h>

#include <cstdio>
#include <cstring>

namespace gridspan::devices::cpu {
namespace {

bool reads_alike(const abi::SourcePoint* a, const abi::SourcePoint* b) {
  return place_text(a) == place_text(b);
}

/// `thread 3` or `threads 0-15`
std::string range_text(std::uint32_t first, std::uint32_t last) {
  if (first == last) return "thread " + std::to_string(first);
  return "threads " + std::to_string(first) + "-" + std::to_string(last);
}

std::string what_happened(const FaultRecord& record) {
  if (record.text[0] != '\0') return record.text;
  switch (record.fault) {
    case Fault::illegal_address:
      return record.has_address ? "illegal address " + hexadecimal(record.address)
                                : "illegal address (outside the address space)";
    case Fault::stack_overflow:
      return "a thread's stack overflowed";
    default:
      break;
  }
  if (record.signal == SIGFPE) return "arithmetic fault (integer division by zero?)";
  if (record.signal == SIGILL) return "illegal instruction";
  return "trap";
}

}  // namespace

std::string hexadecimal(std::uintptr_t address) {
  char text[32];
  std::snprintf(text, sizeof text, "0x%zx", static_cast<std::size_t>(address));
  return text;
}

std::string kernel_name(const abi::Kernel& kernel) { return support::readable_name(kernel.name); }

const char* sync_name(abi::SyncKind kind) {
  using abi::SyncKind;
  switch (kind) {
    case SyncKind::barrier:
      return "__syncthreads";
    case SyncKind::barrier_count:
      return "__syncthreads_count";
    case SyncKind::barrier_and:
      return "__syncthreads_and";
    case SyncKind::barrier_or:
      return "__syncthreads_or";
    case SyncKind::grid_barrier:
      return "grid.sync";
    case SyncKind::children:
      return "cudaDeviceSynchronize";
    case SyncKind::warp_barrier:
      return "__syncwarp";
    case SyncKind::warp_step:
      return "an access that a warp makes in step";
    case SyncKind::active_mask:
      return "__activemask";
    case SyncKind::shuffle_up:
      return "__shfl_up_sync";
    case SyncKind::shuffle_down:
      return "__shfl_down_sync";
    case SyncKind::shuffle_xor:
      return "__shfl_xor_sync";
    case SyncKind::shuffle_index:
      return "__shfl_sync";
    case SyncKind::vote_all:
      return "__all_sync";
    case SyncKind::vote_any:
      return "__any_sync";
    case SyncKind::vote_uniform:
      return "__uni_sync";
    case SyncKind::vote_ballot:
    case SyncKind::vote_agreement:
      return "__ballot_sync";
    case SyncKind::match_any:
      return "__match_any_sync";
    case SyncKind::match_all:
      return "__match_all_sync";
    case SyncKind::reduce_add:
      return "__reduce_add_sync";
    case SyncKind::reduce_min_signed:
    case SyncKind::reduce_min_unsigned:
      return "__reduce_min_sync";
    case SyncKind::reduce_max_signed:
    case SyncKind::reduce_max_unsigned:
      return "__reduce_max_sync";
    case SyncKind::reduce_and:
      return "__reduce_and_sync";
    case SyncKind::reduce_or:
      return "__reduce_or_sync";
    case SyncKind::reduce_xor:
      return "__reduce_xor_sync";
    case SyncKind::warp_call:
      return "a matrix operation of the warp";
    case SyncKind::numbered_barrier:
      return "bar.sync";
    case SyncKind::phase_wait:
      return "wait of a barrier object";
    case SyncKind::numbered_arrival:
      return "bar.arrive";
    case SyncKind::waiting_round:
      return "a loop that waits for others";
  }
  return "a sync point";
}

std::string index_text(abi::Dim index) {
  return "[" + std::to_string(index.x) + "," + std::to_string(index.y) + "," +
         std::to_string(index.z) + "]";
}

std::string place_text(const abi::SourcePoint* where) {
  if (where == nullptr || where->file == nullptr) return "";
  return std::string(where->file) + ":" + std::to_string(where->line) + ":" +
         std::to_string(where->column);
}

abi::Dim thread_index(abi::Dim block, std::uint32_t t) {
  return {t % block.x, t / block.x % block.y, t / (block.x * block.y)};
}

std::string message_prefix(const abi::SourcePoint* where, const char* severity) {
  const std::string place = place_text(where);
  return (place.empty() ? "" : place + ": ") + severity + ": ";
}

std::string block_text(const abi::Kernel& kernel, abi::Dim block_index) {
  return "kernel '" + kernel_name(kernel) + "', block " + index_text(block_index);
}

/// The block that runs, or the first and last of neighbours that run as one.
static std::string blocks_text(const abi::Kernel& kernel, const abi::BlockContext& block) {
  const abi::Dim& size = block.launch->block;
  abi::Dim last = block.block_index;
  last.x += block.row_threads / size.x - 1;
  last.y += block.rows / size.y - 1;
  if (last.x == block.block_index.x && last.y == block.block_index.y)
    return block_text(kernel, block.block_index);
  return "kernel '" + kernel_name(kernel) + "', one of the blocks " +
         index_text(block.block_index) + " to " + index_text(last);
}

std::string deadlock_message(const abi::Kernel& kernel, const abi::BlockContext& block,
                             const std::vector<Waiting>& waiting) {
  constexpr int most_ranges = 8;  // a line that lists every lane helps nobody
  // The place to look at first is a warp operation: its lanes are the ones that can't go on.
  const Waiting* culprit = &waiting.front();
  for (const Waiting& one : waiting) {
    if (abi::is_block_wide(culprit->kind) && !abi::is_block_wide(one.kind)) culprit = &one;
  }
  std::string message = message_prefix(culprit->where, "error") +
                        block_text(kernel, block.block_index) +
                        ": threads wait for each other for ever:";
  int ranges = 0;
  for (std::size_t begin = 0; begin < waiting.size() && ranges < most_ranges; ++ranges) {
    const Waiting& first = waiting[begin];
    std::size_t end = begin + 1;
    while (end < waiting.size() && waiting[end].kind == first.kind &&
           waiting[end].thread == waiting[end - 1].thread + 1 &&
           reads_alike(waiting[end].where, first.where)) {
      ++end;
    }
    const std::string place = place_text(first.where);
    message += (begin == 0 ? " " : ", ") + range_text(first.thread, waiting[end - 1].thread) +
               " at " + sync_name(first.kind) + (place.empty() ? "" : " (" + place + ")");
    begin = end;
    if (begin < waiting.size() && ranges + 1 == most_ranges) message += ", ...";
  }
  const auto left = block.thread_count - static_cast<std::uint32_t>(waiting.size());
  if (left != 0) message += "; " + std::to_string(left) + " threads have left";
  return message;
}

std::string fault_message(const abi::Kernel& kernel, const abi::BlockContext& block,
                          const FaultRecord& record, const abi::SourcePoint* last_sync) {
  std::string message = message_prefix(&record.where, "error") + blocks_text(kernel, block);
  if (record.has_thread) {
    message += ", thread " + index_text(thread_index(block.launch->block, record.thread));
  }
  message += ": " + what_happened(record);
  const std::string after = place_text(last_sync);
  if (record.where.file == nullptr && !after.empty()) message += " (after " + after + ")";
  return message;
}

}  // namespace gridspan::devices::cpu
