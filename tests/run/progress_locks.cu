// Locks between threads and between blocks.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FEATURE: Forward progress | spin locks (atomicCAS / atomicExch) between blocks and between threads of one warp
// FEATURE: Forward progress | ticket locks
// FEATURE: Forward progress | lock-protected linked structures
#include "check.h"

#include <algorithm>

// One thread per block takes the lock.
__global__ void lock_between_blocks(int* lock, int* counter) {
  if (check::thread_index() == 0) {
    while (atomicCAS(lock, 0, 1) != 0) {
    }
    __threadfence();
    *static_cast<volatile int*>(counter) = *static_cast<volatile int*>(counter) + 1;
    __threadfence();
    atomicExch(lock, 0);
  }
}

// Every thread takes it: lanes of a warp compete with each other.
__global__ void lock_between_lanes(int* lock, volatile int* counter, volatile long long* sum) {
  const int i = check::global_index();
  bool done = false;
  while (!done) {
    if (atomicCAS(lock, 0, 1) == 0) {
      *counter = *counter + 1;
      *sum = *sum + i;
      __threadfence();
      atomicExch(lock, 0);
      done = true;
    }
  }
}

// The plain spin in each thread: needs independent thread scheduling, given since Volta.
__global__ void plain_spin(int* lock, volatile int* counter) {
  while (atomicExch(lock, 1) != 0) {
  }
  *counter = *counter + 1;
  __threadfence();
  atomicExch(lock, 0);
}

// Fair lock: served in the order of the tickets.
__global__ void ticket_lock(unsigned* next_ticket, volatile unsigned* now_serving, int* order,
                            volatile int* position) {
  const unsigned ticket = atomicAdd(next_ticket, 1u);
  while (*now_serving != ticket) {
  }
  const int at = *position;
  order[at] = static_cast<int>(ticket);
  *position = at + 1;
  __threadfence();
  *now_serving = ticket + 1;
}

struct Node {
  int key;
  Node* next;
};

// Buckets of lists, each behind a lock of its own.
__global__ void insert_sorted(Node* nodes, Node* volatile* heads, int* locks, int buckets) {
  const int i = check::global_index();
  const int bucket = static_cast<int>(check::mix(i) % static_cast<unsigned>(buckets));
  nodes[i].key = i;
  for (bool done = false; !done;) {
    if (atomicCAS(&locks[bucket], 0, 1) == 0) {
      nodes[i].next = heads[bucket];
      __threadfence();
      heads[bucket] = &nodes[i];
      __threadfence();
      atomicExch(&locks[bucket], 0);
      done = true;
    }
  }
}

// A lock in shared memory.
__global__ void shared_lock(int* out) {
  __shared__ int lock;
  __shared__ volatile int counter;
  if (check::thread_index() == 0) lock = 0, counter = 0;
  __syncthreads();
  for (bool done = false; !done;) {
    if (atomicCAS(&lock, 0, 1) == 0) {
      counter = counter + 2;
      __threadfence_block();
      atomicExch(&lock, 0);
      done = true;
    }
  }
  __syncthreads();
  out[check::global_index()] = counter;
}

int main() {
  const std::vector<int> zero(1, 0);
  for (dim3 block : {dim3(1), dim3(33), dim3(5, 7), dim3(128)}) {
    const int n = check::volume(block), blocks = 9, total = n * blocks;
    {
      check::Array<int> lock(zero), counter(zero);
      lock_between_blocks<<<blocks, block>>>(lock.data(), counter.data());
      CHECK_EQ(counter.get()[0], blocks);
      CHECK_EQ(lock.get()[0], 0);
    }
    {
      check::Array<int> lock(zero), counter(zero);
      check::Array<long long> sum(std::vector<long long>(1, 0));
      lock_between_lanes<<<blocks, block>>>(lock.data(), counter.data(), sum.data());
      CHECK_EQ(counter.get()[0], total);
      CHECK_EQ(sum.get()[0], static_cast<long long>(total) * (total - 1) / 2);
    }
    {
      check::Array<int> lock(zero), counter(zero);
      plain_spin<<<blocks, block>>>(lock.data(), counter.data());
      CHECK_EQ(counter.get()[0], total);
    }
    {
      check::Array<unsigned> next(std::vector<unsigned>(1, 0)), now(std::vector<unsigned>(1, 0));
      check::Array<int> order(total), position(zero);
      ticket_lock<<<blocks, block>>>(next.data(), now.data(), order.data(), position.data());
      std::vector<int> want(total);
      for (int i = 0; i < total; ++i) want[i] = i;
      check::equal(check::name("ticket_lock", block), order.get(), want);
    }
    {
      const int buckets = 7;
      check::Array<Node> nodes(total);
      check::Array<Node*> heads(std::vector<Node*>(buckets, nullptr));
      check::Array<int> locks(std::vector<int>(buckets, 0));
      insert_sorted<<<blocks, block>>>(nodes.data(), heads.data(), locks.data(), buckets);
      const auto got = nodes.get();
      const auto first = heads.get();
      std::vector<int> seen(total, 0);
      for (int b = 0; b < buckets; ++b)
        for (Node* p = first[b]; p != nullptr;) {
          const Node& node = got[p - nodes.data()];
          CHECK_EQ(static_cast<int>(check::mix(node.key) % buckets), b);
          if (seen[node.key]++ > 0) break;
          p = node.next;
        }
      check::equal(check::name("lists", block), seen, std::vector<int>(total, 1));
    }
    {
      check::Array<int> out(total);
      shared_lock<<<blocks, block>>>(out.data());
      check::equal(check::name("shared_lock", block), out.get(), std::vector<int>(total, 2 * n));
    }
  }
  return check::finish();
}
