// gridspan-lower: reads IR, runs the named transformations in order, prints the result.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/passes.h"
#include "codegen/target.h"
#include "transforms/appends.h"
#include "transforms/distinct_arguments.h"
#include "transforms/executor_choice.h"
#include "transforms/hardware_semantics.h"
#include "transforms/inline_ptx/inline_ptx.h"
#include "transforms/inline_sync.h"
#include "transforms/instrument.h"
#include "transforms/intrinsics.h"
#include "transforms/kernels.h"
#include "transforms/known_threads.h"
#include "transforms/lower_globals.h"
#include "transforms/math_calls.h"
#include "transforms/regions.h"
#include "transforms/retarget.h"
#include "transforms/shared_atomics.h"
#include "transforms/shared_scope.h"
#include "transforms/thread_entry.h"
#include "transforms/thread_functions.h"
#include "transforms/thread_guard.h"
#include "transforms/vectorise/vectorise.h"

#include "llvm/IR/Verifier.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/SourceMgr.h"

#include <functional>
#include <map>

using namespace llvm;
using namespace gridspan;

static cl::opt<std::string> input(cl::Positional, cl::desc("<input IR>"), cl::init("-"));
static cl::list<std::string> pass_names("pass", cl::desc("transformation to run; may repeat"));

namespace {

/// A module with what later transformations need from earlier ones.
struct State {
  std::unique_ptr<Module> module;
  std::vector<transforms::KernelDeclaration> kernels;
  std::vector<Function*> functions;  // with hidden thread parameter
  std::vector<Function*> regions;
  transforms::UserErrors errors;
};

std::unique_ptr<TargetMachine> target_machine() {
  codegen::DeviceRequest request;
  request.target_triple = "x86_64-pc-linux-gnu";
  std::string error;
  auto target = codegen::make_target_machine(request, error);
  if (!target) report_fatal_error(StringRef(error));
  return target;
}

void globals(State& state) {
  for (const auto& symbol : transforms::lower_globals(*state.module, state.errors)) {
    outs() << "; symbol " << symbol.name << " size " << symbol.size << " align " << symbol.align
           << (symbol.is_constant ? " constant" : "") << (symbol.initial ? " initialised" : "");
    for (const auto& relocation : symbol.relocations)
      outs() << " relocation " << relocation.offset << " -> " << relocation.target << " + "
             << relocation.addend;
    outs() << "\n";
  }
}

void retarget(State& state) {
  auto target = target_machine();
  transforms::retarget(*state.module, *target, state.errors);
  for (auto& kernel : state.kernels) kernel.function->setLinkage(GlobalValue::ExternalLinkage);
}

void choose_executor(State& state) {
  for (auto& kernel : state.kernels) {
    auto reason = transforms::choose_fibers(*kernel.function);
    outs() << "; " << kernel.function->getName() << ": "
           << (reason ? "fibers, " + to_string(reason->where) + ": " + reason->text : "regions")
           << "\n";
  }
}

void pass_thread(State& state) {
  SmallPtrSet<Function*, 8> kernels;
  for (auto& kernel : state.kernels) kernels.insert(kernel.function);
  state.functions = transforms::pass_thread_to_functions(*state.module, kernels);
}

void regions(State& state, bool whole_blocks) {
  for (auto& kernel : state.kernels) {
    std::string name = kernel.function->getName().str();
    auto cut = transforms::cut_into_regions(*kernel.function, {.whole_blocks = whole_blocks});
    append_range(state.regions, cut.loops);
    if (cut.block) cut.block->setLinkage(GlobalValue::ExternalLinkage);  // survives -pass=optimise
    outs() << "; " << name << ": " << cut.regions.size() << " regions, " << cut.frame_bytes
           << " frame bytes, successors";
    for (auto& region : cut.regions)
      outs() << " "
             << (region.only_successor == abi::exited ? "exit"
                 : region.only_successor == abi::many_successors
                     ? "many"
                     : std::to_string(region.only_successor));
    if (cut.joined.threads != 0) outs() << "; joined to rows of " << cut.joined.threads;
    if (cut.joined.width != 0) outs() << " where blocks are " << cut.joined.width << " wide";
    if (cut.joined.rows != 0) outs() << ", " << cut.joined.rows << " of them";
    if (cut.joined.height != 0) outs() << " where blocks are " << cut.joined.height << " high";
    if (cut.why_cut)
      outs() << "; cut, " << to_string(cut.why_cut->where) << ": " << cut.why_cut->text;
    outs() << "\n";
  }
}

/// Kernels become their second form where they have one.
void distinct(State& state) {
  for (auto& kernel : state.kernels) {
    Function* copy = transforms::copy_for_distinct_arguments(*kernel.function);
    outs() << "; " << kernel.function->getName() << ": " << (copy ? "two forms" : "one form")
           << "\n";
    if (copy) kernel.function = copy;
  }
}

/// For AVX-512.
void vectorise(State& state) {
  codegen::tidy_regions(*state.module, *target_machine(), state.regions);
  for (Function* region : state.regions) {
    auto reason = transforms::vectorise(*region, {.bits = 512, .gather = true, .scatter = true});
    outs() << "; " << region->getName() << ": " << (reason ? reason->text : "vectors") << "\n";
  }
}

void record_accesses(State& state) {
  auto target = target_machine();
  transforms::inline_everything(*state.module);
  codegen::expose_accesses(*state.module, *target);
  const unsigned sites = transforms::record_accesses(
      *state.module, [&](Module& copy) { codegen::remove_redundant_accesses(copy, *target); });
  outs() << "; " << sites << " places\n";
}

const std::map<std::string, std::function<void(State&)>> passes = {
    {"hardware-semantics", [](State& s) { transforms::define_hardware_semantics(*s.module); }},
    {"inline-ptx", [](State& s) { transforms::lower_inline_ptx(*s.module, s.errors); }},
    {"globals", globals},
    {"retarget", retarget},
    {"intrinsics", [](State& s) { transforms::lower_intrinsics(*s.module); }},
    {"check-undefined",
     [](State& s) {
       transforms::check_undefined(*s.module, transforms::undefined_functions(*s.module), s.errors);
     }},
    {"inline-sync",
     [](State& s) {
       transforms::force_inlining_of_sync(*s.module);
       codegen::simplify(*s.module, *target_machine());
     }},
    {"record-accesses", record_accesses},
    {"executor", choose_executor},
    {"pass-thread", pass_thread},
    {"copy-parameters",
     [](State& s) {
       for (auto& kernel : s.kernels) transforms::copy_written_parameters(*kernel.function);
     }},
    {"shared-atomics",
     [](State& s) {
       for (Function& function : *s.module) transforms::mark_shared_atomics(function);
     }},
    {"shared-scope",
     [](State& s) {
       for (auto& kernel : s.kernels) transforms::tell_shared_apart(*kernel.function);
     }},
    {"plain-atomics",
     [](State& s) {
       for (Function& function : *s.module) transforms::make_shared_atomics_plain(function);
     }},
    {"thread-entry",
     [](State& s) {
       for (auto& kernel : s.kernels) transforms::make_thread_entry(*kernel.function);
       for (Function* function : s.functions) transforms::lower_thread_function(*function);
     }},
    {"name-math", [](State& s) { transforms::name_math_calls(*s.module); }},
    {"call-c-library",
     [](State& s) {
       for (Function& function : *s.module) transforms::call_c_library(function);
     }},
    {"regions", [](State& s) { regions(s, false); }},
    {"blocks", [](State& s) { regions(s, true); }},
    {"distinct", distinct},
    {"vectorise", vectorise},
    {"appends",
     [](State& s) {
       for (Function* region : s.regions) transforms::gather_appends(*region);
     }},
    {"guard",
     [](State& s) {
       for (Function* region : s.regions) {
         transforms::bound_threads_by_guard(*region);
         transforms::tell_known_threads(*region);
       }
     }},
    {"tidy", [](State& s) { codegen::tidy_regions(*s.module, *target_machine(), s.regions); }},
    {"optimise", [](State& s) { codegen::optimise(*s.module, *target_machine(), 2); }},
};

}  // namespace

int main(int argc, char** argv) {
  cl::ParseCommandLineOptions(argc, argv, "runs Gridspan transformations on LLVM IR\n");
  LLVMContext context;
  SMDiagnostic problem;
  State state;
  state.module = parseIRFile(input, problem, context);
  if (!state.module) {
    problem.print(argv[0], errs());
    return 1;
  }
  state.kernels = transforms::find_kernels(*state.module);
  for (const std::string& name : pass_names) {
    auto pass = passes.find(name);
    if (pass == passes.end()) {
      errs() << "gridspan-lower: no transformation '" << name << "'\n";
      return 1;
    }
    pass->second(state);
    for (const auto& error : state.errors)
      errs() << error.where.file << ":" << error.where.line << ":" << error.where.column
             << ": error: " << error.text << "\n";
    if (!state.errors.empty()) return 1;
  }
  if (verifyModule(*state.module, &errs())) return 1;
  state.module->print(outs(), nullptr);
  return 0;
}
