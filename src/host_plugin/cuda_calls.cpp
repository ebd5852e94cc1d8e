// Tables of names.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "host_plugin/cuda_calls.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/TargetParser/Triple.h"

namespace gridspan::host_plugin {

using namespace llvm;

namespace {

constexpr StringRef effect_names[] = {"none", "free",      "event",         "stream", "query",
                                      "wait", "host_copy", "host_function", "graph",  "call"};

struct Row {
  StringRef begins;
  Effect effect;
};
/// The first that fits counts.
constexpr Row rows[] = {
    {"cudaGetLastError", Effect::none},
    {"cudaPeekAtLastError", Effect::none},
    {"cudaGetError", Effect::none},
    {"cudaMallocFromPool", Effect::none},
    {"cudaMalloc", Effect::none},
    {"cudaHostAlloc", Effect::none},
    {"cudaHostGet", Effect::none},
    {"cudaGetDevice", Effect::none},
    {"cudaDeviceGet", Effect::none},
    {"cudaDeviceSetCacheConfig", Effect::none},
    {"cudaDeviceSetLimit", Effect::none},
    {"cudaDeviceSetSharedMemConfig", Effect::none},
    {"cudaGetSymbol", Effect::none},
    {"cudaFunc", Effect::none},
    {"cudaOccupancy", Effect::none},
    {"cudaStreamCreate", Effect::none},
    {"cudaStreamDestroy", Effect::none},
    {"cudaStreamGet", Effect::none},
    {"cudaEventCreate", Effect::none},
    {"cudaEventDestroy", Effect::none},
    {"cudaEventElapsedTime", Effect::none},
    {"cudaMemGetInfo", Effect::none},
    {"cudaPointerGetAttributes", Effect::none},
    {"cudaRuntimeGetVersion", Effect::none},
    {"cudaDriverGetVersion", Effect::none},
    {"cudaCreateTextureObject", Effect::none},
    {"cudaDestroyTextureObject", Effect::wait},
    {"cudaCreateSurfaceObject", Effect::none},
    {"cudaDestroySurfaceObject", Effect::none},
    {"cudaCreateChannelDesc", Effect::none},
    {"cudaBindTexture", Effect::none},
    {"cudaUnbindTexture", Effect::none},
    {"cudaProfiler", Effect::none},
    {"cudaMemAdvise", Effect::none},
    {"cudaDeviceEnablePeerAccess", Effect::none},
    {"cudaDeviceCanAccessPeer", Effect::none},
    {"nvtx", Effect::none},
    {"cudaFree", Effect::free},
    {"cudaEventRecord", Effect::event},
    {"cudaStreamWaitEvent", Effect::stream},
    {"cudaSetDevice", Effect::stream},
    {"cudaStreamQuery", Effect::query},
    {"cudaEventQuery", Effect::query},
    {"cudaDeviceSynchronize", Effect::wait},
    {"cudaThreadSynchronize", Effect::wait},
    {"cudaStreamSynchronize", Effect::wait},
    {"cudaEventSynchronize", Effect::wait},
    {"cudaDeviceReset", Effect::wait},
    {"cudaThreadExit", Effect::wait},
    {"cudaMemcpy", Effect::host_copy},
    {"cudaLaunchHostFunc", Effect::host_function},
    {"cudaStreamAddCallback", Effect::host_function},
    {"cudaGraph", Effect::graph},
    {"cudaStreamBeginCapture", Effect::graph},
    {"cudaStreamEndCapture", Effect::graph},
};

/// Of libraries that know nothing of devices, beside those of TargetLibraryInfo: what names begin
/// with, and whole names.
constexpr StringRef host_libraries[] = {
    "_ZNS",    "_ZNKS",  "_ZS",      "_Zn",           "_Zd",    "__cxa_",
    "_Unwind", "__gxx_", "__clang_", "_ZN9__gnu_cxx", "__isoc",
};
constexpr StringRef host_functions[] = {
    "gettimeofday",
    "clock_gettime",
    "clock_getres",
    "clock",
    "time",
    "nanosleep",
    "usleep",
    "sleep",
    "getrusage",
    "sched_yield",
    "getopt",
    "getopt_long",
    "isatty",
    "__errno_location",
    "omp_get_wtime",
    "omp_get_max_threads",
    "omp_get_num_threads",
    "omp_get_thread_num",
    "omp_set_num_threads",
    "MPI_Wtime",
    "drand48",
    "srand48",
    "erand48",
    "lrand48",
    "rand_r",
    "random",
    "srandom",
    "srand",
    "rand",
    "__assert_fail",
};

struct ResultRow {
  StringRef name;
  SmallVector<CudaResult, 2> results;
};
const ResultRow result_rows[] = {
    {"cudaMalloc", {{0, 'p', true}}},
    {"cudaMallocAsync", {{0, 'p', true}}},
    {"cudaMallocFromPoolAsync", {{0, 'p', true}}},
    {"cudaMallocManaged", {{0, 'p', true}}},
    {"cudaMallocHost", {{0, 'p', true}}},
    {"cudaHostAlloc", {{0, 'p', true}}},
    {"cudaMallocPitch", {{0, 'p', true}, {1, 'l', false}}},
    {"cudaMallocArray", {{0, 'p', false}}},
    {"cudaHostGetDevicePointer", {{0, 'p', false}}},
    {"cudaGetSymbolAddress", {{0, 'p', false}}},
    {"cudaGetSymbolSize", {{0, 'l', false}}},
    {"cudaStreamCreate", {{0, 'p', false}}},
    {"cudaStreamCreateWithFlags", {{0, 'p', false}}},
    {"cudaStreamCreateWithPriority", {{0, 'p', false}}},
    {"cudaEventCreate", {{0, 'p', false}}},
    {"cudaEventCreateWithFlags", {{0, 'p', false}}},
    {"cudaEventElapsedTime", {{0, 'f', false}}},
    {"cudaGetDevice", {{0, 'i', false}}},
    {"cudaGetDeviceCount", {{0, 'i', false}}},
    {"cudaDeviceGetAttribute", {{0, 'i', false}}},
    {"cudaMemGetInfo", {{0, 'l', false}, {1, 'l', false}}},
    {"cudaOccupancyMaxActiveBlocksPerMultiprocessor", {{0, 'i', false}}},
};

}  // namespace

StringRef to_text(Effect effect) { return effect_names[static_cast<std::size_t>(effect)]; }

StringRef cuda_name(StringRef name) {
  name.consume_front("gridspan_");
  name.consume_back("_ptsz");
  name.consume_back("_ptds");
  return name;
}

std::optional<Effect> cuda_effect(StringRef name) {
  name = cuda_name(name);
  for (const Row& row : rows)
    if (name.starts_with(row.begins)) return row.effect;
  return std::nullopt;
}

ArrayRef<CudaResult> cuda_results(StringRef name) {
  name = cuda_name(name);
  for (const ResultRow& row : result_rows)
    if (name == row.name) return row.results;
  return {};
}

CallEffects::CallEffects(const Module& source)
    : source_(source), library_names_(Triple(source.getTargetTriple())), library_(library_names_) {}

Effect CallEffects::of(const CallBase& call) {
  if (call.isInlineAsm() || isa<IntrinsicInst>(call)) return Effect::none;
  const auto* callee = dyn_cast<Function>(call.getCalledOperand()->stripPointerCasts());
  if (!callee) return Effect::call;
  if (const Function* original = source_.getFunction(callee->getName())) callee = original;
  if (!callee->isDeclaration()) return callee->isInterposable() ? Effect::call : of(*callee);
  if (const auto known = cuda_effect(callee->getName())) return *known;
  return is_harmless_library(call, *callee) ? Effect::none : Effect::call;
}

Effect CallEffects::of(const Function& function) {
  if (const auto known = known_.find(&function); known != known_.end()) return known->second;
  known_[&function] = Effect::call;  // should functions call each other
  Effect worst = Effect::none;
  for (const Instruction& instruction : instructions(function))
    if (const auto* call = dyn_cast<CallBase>(&instruction);
        call && call->getCalledOperand() != &function)
      worst = std::max(worst, of(*call));
  return known_[&function] = worst;
}

/// Whoever is given a function may call it, and whoever waits for other threads waits for anything.
bool CallEffects::is_harmless_library(const CallBase& call, const Function& callee) const {
  LibFunc known;
  const StringRef name = callee.getName();
  const bool is_library =
      library_.getLibFunc(name.starts_with("\1") ? name.drop_front() : name, known) ||
      is_contained(host_functions, name) ||
      any_of(host_libraries, [&](StringRef begins) { return name.starts_with(begins); });
  constexpr StringRef waits_for_others[] = {"thread", "condition", "future", "atomic"};
  const auto is_part = [&](StringRef part) { return name.contains(part); };
  return is_library && none_of(waits_for_others, is_part) &&
         none_of(call.args(),
                 [](const Use& argument) { return isa<Function>(argument->stripPointerCasts()); });
}

}  // namespace gridspan::host_plugin
