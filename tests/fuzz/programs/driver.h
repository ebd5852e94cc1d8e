// Carries out random programs: a list of commands, one a line, over the kernels of a library.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// README.md lists the commands. What a program reads back is hashed and printed, one line for each
// read, and the lines must not depend on the devices the program runs on.
#pragma once

#include "kernels.h"
#include "objects.h"
#include "words.h"

#include <cstring>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

namespace programs {

/// A number or a pointer inside a parameter. kind: 'p' pointer, 'i' 4-byte, 'l' 8-byte integer.
struct Field {
  size_t offset;
  char kind;
};
struct Parameter {
  size_t bytes;
  std::vector<Field> fields;
};
struct KernelEntry {
  const char* name;
  const void* function;
  std::vector<Parameter> parameters;
};
struct SymbolEntry {
  const char* name;
  const void* symbol;
  size_t bytes;
};

class Interpreter {
 public:
  Interpreter(std::vector<KernelEntry> kernels, std::vector<SymbolEntry> symbols)
      : kernels_(std::move(kernels)), symbols_(std::move(symbols)) {}

  void run(std::istream& from) {
    for (std::string line; std::getline(from, line);) {
      current_line = line;
      words_ = Words(line);
      if (const std::string verb = words_.text(); !verb.empty() && verb[0] != '#') command(verb);
    }
  }

 private:
  /// "name+offset", as an address.
  char* place() {
    const std::string text = words_.text();
    const size_t plus = text.find('+');
    return objects_.at(text.substr(0, plus)) + std::stoull(text.substr(plus + 1));
  }
  cudaStream_t stream() { return streams_[words_.number()]; }

  void command(const std::string& verb) {
    if (verb == "program") return begin();
    if (verb == "end") return end();
    if (verb == "alloc") return allocate();
    if (verb == "free" || verb == "free-async") return release(verb == "free-async");
    if (verb == "stream") return make_stream();
    if (verb == "fill") return fill();
    if (verb == "poke") return poke();
    if (verb.starts_with("memset")) return set(verb);
    if (verb.starts_with("copy")) return copy(verb);
    if (verb == "symbol-copy") return copy_symbol();
    if (verb == "table") return write_table();
    if (verb == "launch") return launch();
    if (verb == "read") return read();
    if (verb == "peek") return peek();
    if (verb == "host") return host_function();
    synchronise(verb);
  }

  void begin() {
    id_ = words_.text();
    reads_ = 0, seen_ = 0;
    streams_.assign(1, nullptr);
    for (const SymbolEntry& entry : symbols_) {
      void* address = nullptr;
      must(cudaGetSymbolAddress(&address, entry.symbol));
      objects_.add(entry.name, Kind::symbol, static_cast<char*>(address), entry.bytes);
      must(cudaMemset(address, 0, entry.bytes));
    }
    must(cudaDeviceSynchronize());  // as after `memset`
  }

  void end() {
    must(cudaDeviceSynchronize());
    objects_.clear();
    for (cudaEvent_t event : events_)
      if (event) must(cudaEventDestroy(event));
    events_.clear();
    for (size_t i = 1; i < streams_.size(); ++i) must(cudaStreamDestroy(streams_[i]));
    streams_.clear();
    std::cout << id_ << " end\n" << std::flush;
  }

  void allocate() {
    const std::string name = words_.text(), kind = words_.text();
    const size_t bytes = words_.number();
    objects_.allocate(name, kind, bytes, kind == "async" ? stream() : nullptr);
  }
  void release(bool async) {
    const std::string name = words_.text();
    if (async)
      objects_.release_on(name, stream());
    else
      objects_.release(name);
  }
  void make_stream() {
    cudaStream_t made = nullptr;
    must(cudaStreamCreateWithFlags(&made, static_cast<unsigned>(words_.number())));
    streams_.push_back(made);
  }

  /// From pageable memory, which is overwritten as soon as the call returns.
  void fill() {
    char* const to = place();
    std::vector<char> bytes = words_.content().bytes();
    const cudaStream_t on = stream();
    const bool async = words_.is_async();
    must(async ? cudaMemcpyAsync(to, bytes.data(), bytes.size(), cudaMemcpyDefault, on)
               : cudaMemcpy(to, bytes.data(), bytes.size(), cudaMemcpyDefault));
    std::memset(bytes.data(), 0x77, bytes.size());
  }
  void poke() {
    char* const to = place();
    const std::vector<char> bytes = words_.content().bytes();
    std::memcpy(to, bytes.data(), bytes.size());
  }

  void set(const std::string& verb) {
    char* const to = place();
    const size_t pitch = verb == "memset2d" ? words_.number() : 0;
    const size_t width = words_.number(), height = verb == "memset2d" ? words_.number() : 1;
    const int value = static_cast<int>(words_.number());
    const cudaStream_t on = stream();
    const bool async = words_.is_async();
    if (verb == "memset2d")
      must(async ? cudaMemset2DAsync(to, pitch, value, width, height, on)
                 : cudaMemset2D(to, pitch, value, width, height));
    else
      must(async ? cudaMemsetAsync(to, value, width, on) : cudaMemset(to, value, width));
    // On GPUs, cudaMemset does not wait, and streams of flag 1 do not wait for it.
    if (!async) must(cudaStreamSynchronize(nullptr));
  }

  void copy(const std::string& verb) {
    char* const to = place();
    const size_t to_pitch = verb == "copy" ? 0 : words_.number();
    char* const from = place();
    const size_t from_pitch = verb == "copy" ? 0 : words_.number();
    const size_t width = words_.number();
    const size_t height = verb == "copy" ? 1 : words_.number();
    const size_t depth = verb == "copy3d" ? words_.number() : 1;
    const cudaStream_t on = stream();
    const bool async = words_.is_async();
    const cudaMemcpyKind kind = cudaMemcpyDefault;
    if (verb == "copy3d") {
      cudaMemcpy3DParms p{};
      p.srcPtr = make_cudaPitchedPtr(from, from_pitch, from_pitch, height);
      p.dstPtr = make_cudaPitchedPtr(to, to_pitch, to_pitch, height);
      p.extent = make_cudaExtent(width, height, depth);
      p.kind = kind;
      must(async ? cudaMemcpy3DAsync(&p, on) : cudaMemcpy3D(&p));
    } else if (verb == "copy2d") {
      must(async ? cudaMemcpy2DAsync(to, to_pitch, from, from_pitch, width, height, kind, on)
                 : cudaMemcpy2D(to, to_pitch, from, from_pitch, width, height, kind));
    } else {
      must(async ? cudaMemcpyAsync(to, from, width, kind, on) : cudaMemcpy(to, from, width, kind));
    }
    // Nor do copies within a device wait.
    if (!async) must(cudaStreamSynchronize(nullptr));
  }
  /// To a variable by its name.
  void copy_symbol() {
    const std::string name = words_.text();
    const size_t offset = words_.number();
    const std::vector<char> bytes = words_.content().bytes();
    for (const SymbolEntry& entry : symbols_)
      if (name == entry.name)
        must(cudaMemcpyToSymbol(entry.symbol, bytes.data(), bytes.size(), offset));
  }
  void write_table() {
    char* const to = place();
    char* const value = place();
    must(cudaMemcpy(to, &value, sizeof value, cudaMemcpyHostToDevice));
  }

  void launch() {
    const KernelEntry& kernel = entry(words_.text());
    dim3 grid, block;
    grid.x = words_.number(), grid.y = words_.number(), grid.z = words_.number();
    block.x = words_.number(), block.y = words_.number(), block.z = words_.number();
    const cudaStream_t on = stream();
    std::vector<std::vector<char>> packed;
    for (const Parameter& parameter : kernel.parameters) {
      packed.emplace_back(parameter.bytes);
      for (const Field& field : parameter.fields)
        pack(packed.back().data() + field.offset, field.kind);
    }
    std::vector<void*> arguments;
    for (std::vector<char>& bytes : packed) arguments.push_back(bytes.data());
    must(cudaLaunchKernel(kernel.function, grid, block, arguments.data(), 0, on));
  }
  void pack(char* to, char kind) {
    if (kind == 'p') {
      char* const value = place();
      std::memcpy(to, &value, sizeof value);
    } else {
      const long long value = std::stoll(words_.text());  // little endian
      std::memcpy(to, &value, kind == 'l' ? 8 : kind == 'i' ? 4 : 2);
    }
  }
  const KernelEntry& entry(const std::string& name) {
    for (const KernelEntry& kernel : kernels_)
      if (name == kernel.name) return kernel;
    stop("no such kernel");
  }

  void read() {
    const char* const from = place();
    std::vector<char> bytes(words_.number(), 0x55);
    const cudaStream_t on = stream();
    const bool async = words_.is_async();
    must(async ? cudaMemcpyAsync(bytes.data(), from, bytes.size(), cudaMemcpyDefault, on)
               : cudaMemcpy(bytes.data(), from, bytes.size(), cudaMemcpyDefault));
    tell(hash_of(bytes.data(), bytes.size()));
  }
  void peek() {
    const char* const from = place();
    tell(hash_of(from, words_.number()));
  }
  void tell(unsigned long long hash) {
    std::printf("%s.%d %016llx\n", id_.c_str(), reads_++, hash);
  }

  /// Looks at memory of the host in its place in the stream.
  void host_function() {
    auto* const look = new Look{place(), words_.number(), this};
    const cudaStream_t on = stream();
    must(cudaLaunchHostFunc(
        on,
        [](void* data) {
          auto* const seen = static_cast<Look*>(data);
          seen->interpreter->seen_ ^= hash_of(seen->from, seen->bytes) * 31;
          delete seen;
        },
        look));
  }
  struct Look {
    const char* from;
    size_t bytes;
    Interpreter* interpreter;
  };

  void synchronise(const std::string& verb) {
    if (verb == "sync") return must(cudaStreamSynchronize(stream()));
    if (verb == "query") return (void)cudaStreamQuery(stream());
    if (verb == "device-sync") {
      must(cudaDeviceSynchronize());
      return tell(seen_);  // what host functions saw
    }
    const size_t event = words_.number();
    if (event >= events_.size()) events_.resize(event + 1);
    if (!events_[event]) must(cudaEventCreateWithFlags(&events_[event], cudaEventDisableTiming));
    if (verb == "record") return must(cudaEventRecord(events_[event], stream()));
    if (verb == "wait") return must(cudaStreamWaitEvent(stream(), events_[event], 0));
    if (verb == "event-sync") return must(cudaEventSynchronize(events_[event]));
    stop("no such command");
  }

  std::vector<KernelEntry> kernels_;
  std::vector<SymbolEntry> symbols_;
  Objects objects_;
  std::vector<cudaStream_t> streams_;
  std::vector<cudaEvent_t> events_;
  Words words_;
  std::string id_;
  int reads_ = 0;
  unsigned long long seen_ = 0;
};

/// PROGRAM FILE: carries out the programs in the file.
inline int programs_main(int argc, char** argv, std::vector<KernelEntry> kernels,
                         std::vector<SymbolEntry> symbols) {
  if (argc != 2) return 2;
  std::ifstream file(argv[1]);
  if (!file) return 2;
  Interpreter(std::move(kernels), std::move(symbols)).run(file);
  return 0;
}

}  // namespace programs
