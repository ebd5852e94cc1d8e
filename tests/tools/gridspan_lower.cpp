// gridspan-lower: reads IR, runs the named transformations in order, prints the result.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names are those of the compiler's stages (codegen/pipeline.cpp); those that work on the module or
// on a kernel run as they are there. What tests want to know more of, or a part of alone, stands
// below with the stage that it belongs to.
#include "codegen/device_compilation.h"
#include "codegen/kernel_work.h"
#include "codegen/passes.h"
#include "codegen/ptx/contraction.h"
#include "codegen/ptx/early_loads.h"
#include "codegen/ptx/gpu_target.h"
#include "codegen/ptx/memory_order.h"
#include "codegen/ptx/packed_kernels.h"
#include "codegen/ptx/part_kernels.h"
#include "codegen/vector_code.h"
#include "transforms/agreeing_phis.h"
#include "transforms/appends.h"
#include "transforms/builtin_variables.h"
#include "transforms/distinct_arguments.h"
#include "transforms/divided_rows.h"
#include "transforms/dynamic_shared.h"
#include "transforms/executor_choice.h"
#include "transforms/flatten_loops.h"
#include "transforms/half_conversions.h"
#include "transforms/inline_sync.h"
#include "transforms/instrument.h"
#include "transforms/intrinsics.h"
#include "transforms/kernels.h"
#include "transforms/known_threads.h"
#include "transforms/launch_invariants.h"
#include "transforms/launched_shape.h"
#include "transforms/linear_threads.h"
#include "transforms/lower_globals.h"
#include "transforms/math_calls.h"
#include "transforms/plain_parameters.h"
#include "transforms/plain_places.h"
#include "transforms/read_through.h"
#include "transforms/reciprocal_roots.h"
#include "transforms/regions.h"
#include "transforms/shared_atomics.h"
#include "transforms/thread_entry.h"
#include "transforms/thread_guard.h"
#include "transforms/thread_work.h"
#include "transforms/threads_apart.h"
#include "transforms/usual_rows.h"
#include "transforms/vectorise/vectorise.h"
#include "transforms/whole_indices.h"
#include "transforms/widen_subscripts.h"

#include "llvm/IR/Verifier.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/SourceMgr.h"

#include <functional>

using namespace llvm;
using namespace gridspan;

static cl::opt<std::string> input(cl::Positional, cl::desc("<input IR>"), cl::init("-"));
static cl::list<std::string> pass_names("pass", cl::desc("transformation to run; may repeat"));
static cl::opt<unsigned> row_choice("rows", cl::desc("rows of threads that go together"));
static cl::opt<bool> panels("panels", cl::desc("copy what rows share"), cl::init(true));
static cl::opt<bool> wide("wide", cl::desc("vectors of several registers"), cl::init(true));
static cl::opt<std::string> target_name("target", cl::desc("triple; also decides on vectors"));
static cl::opt<std::string> cpu_name("cpu", cl::desc("of the target"));
static cl::opt<unsigned> vector_bits("vector-bits", cl::desc("of a vector"), cl::init(512));
static cl::opt<unsigned> joined_width("joined-width", cl::desc("of neighbouring blocks"));
static cl::opt<unsigned> launched_width("launched-width", cl::desc("of blocks in launches"));
static cl::list<unsigned> linear_block("linear-block", cl::CommaSeparated,
                                       cl::desc("shape of blocks whose threads are numbered"));
static cl::opt<unsigned> joined_height("joined-height", cl::desc("of neighbouring blocks"));

namespace {

codegen::DeviceRequest request() {
  codegen::DeviceRequest made;
  made.target_triple = target_name.empty() ? "x86_64-pc-linux-gnu" : target_name.getValue();
  made.target_cpu = cpu_name;
  made.opt_level = 2;
  return made;
}

/// A compilation with what later transformations need from earlier ones.
struct State {
  codegen::DeviceRequest request = ::request();
  std::vector<codegen::Diagnostic> told;
  codegen::DeviceCompilation compilation{request, told};
  std::unique_ptr<Module>& module = compilation.module;
  std::vector<transforms::KernelDeclaration>& kernels = compilation.declarations;
  std::vector<Function*>& functions = compilation.thread_functions;
  std::vector<Function*> regions;
  struct Block {
    Function* function;
    SmallVector<std::uint32_t> parameters;  // bytes of each
  };
  std::vector<Block> blocks;
  TargetMachine& target() const { return *compilation.target; }
};

void globals(State& state) {
  state.compilation.lower_globals();
  for (const auto& symbol : state.compilation.symbols) {
    outs() << "; symbol " << symbol.name << " size " << symbol.size << " align " << symbol.align
           << (symbol.is_constant ? " constant" : "") << (symbol.initial ? " initialised" : "");
    for (const auto& relocation : symbol.relocations)
      outs() << " relocation " << relocation.offset << " -> " << relocation.target << " + "
             << relocation.addend;
    outs() << "\n";
  }
}

void choose_executor(State& state) {
  for (auto& kernel : state.kernels) {
    const auto loop = transforms::find_waiting_loop(*kernel.function);
    transforms::let_others_run(*kernel.function);
    const auto reason = transforms::choose_fibers(*kernel.function);
    const auto said = [](const transforms::FiberReason& one) {
      return ", " + to_string(one.where) + ": " + one.text;
    };
    outs() << "; " << kernel.function->getName() << ": "
           << (reason ? "fibers" + said(*reason) : "regions" + (loop ? said(*loop) : "")) << "\n";
  }
}

transforms::RegionKernel cut_into_regions(Function& kernel, bool whole_blocks) {
  transforms::RegionCut cut(kernel, {.joined = {joined_width, joined_height}});
  cut.prepare();
  cut.join();
  if (whole_blocks) {
    cut.find_sync_points();
    cut.express_flags();
    cut.find_segments();
    cut.allow_whole_warps();
    cut.refuse_warps();
    cut.prefetch();
    cut.write_block_function();
  }
  cut.cut();
  return cut.take();
}

void regions(State& state, bool whole_blocks) {
  for (auto& kernel : state.kernels) {
    std::string name = kernel.function->getName().str();
    SmallVector<std::uint32_t> parameters;
    for (const Argument& parameter : kernel.function->args())
      parameters.push_back(state.module->getDataLayout().getTypeStoreSize(parameter.getType()));
    auto cut = cut_into_regions(*kernel.function, whole_blocks);
    append_range(state.regions, cut.loops);
    for (auto& form : cut.forms) state.blocks.push_back({form.function, parameters});
    for (auto& form : cut.forms)
      if ((form.needs & (abi::needs_whole_warps | abi::needs_linear_warps)) != 0)
        form.function->setLinkage(GlobalValue::ExternalLinkage);  // survives -pass=optimise
    const transforms::JoinedBlocks joined =
        cut.forms.empty() ? transforms::JoinedBlocks() : cut.forms.front().joined;
    outs() << "; " << name << ": " << cut.regions.size() << " regions, " << cut.frame_bytes
           << " frame bytes, successors";
    for (auto& region : cut.regions)
      outs() << " "
             << (region.only_successor == abi::exited ? "exit"
                 : region.only_successor == abi::many_successors
                     ? "many"
                     : std::to_string(region.only_successor));
    if (joined.threads != 0) outs() << "; joined to rows of " << joined.threads;
    if (joined.width != 0) outs() << " where blocks are " << joined.width << " wide";
    if (joined.rows != 0) outs() << ", " << joined.rows << " of them";
    if (joined.height != 0) outs() << " where blocks are " << joined.height << " high";
    if (cut.why_cut)
      outs() << "; cut, " << to_string(cut.why_cut->where) << ": " << cut.why_cut->text;
    outs() << "\n";
  }
}

void usual_rows(State& state) {
  for (auto& kernel : state.kernels) {
    const transforms::BlockShape shape = transforms::usual_rows(*kernel.function);
    outs() << "; " << kernel.function->getName() << ": rows of " << shape[0] << "\n";
    transforms::set_known_shape(*kernel.function, shape);
  }
}

void launched_shape(State& state) {
  for (auto& kernel : state.kernels) {
    const transforms::BlockShape launch{launched_width, 1, 1};
    const transforms::BlockShape shape = transforms::launched_shape(*kernel.function, launch);
    outs() << "; " << kernel.function->getName() << ": blocks of " << shape[0] << "\n";
    if (shape[0] != 0) transforms::set_known_shape(*kernel.function, shape);
  }
}

void linear_threads(State& state) {
  for (auto& kernel : state.kernels) {
    if (linear_block.size() == 3)
      transforms::set_known_shape(*kernel.function,
                                  {linear_block[0], linear_block[1], linear_block[2]});
    transforms::number_threads_linearly(*kernel.function);
  }
}

void read_through(State& state) {
  for (auto& kernel : state.kernels) {
    auto [copy, block, is_small] = transforms::copy_reading_through(*kernel.function);
    outs() << "; " << kernel.function->getName() << ": "
           << (copy ? "read through in blocks of " + std::to_string(block[0]) + " x " +
                          std::to_string(block[1]) + " x " + std::to_string(block[2])
                    : "kept")
           << "\n";
    if (!copy) continue;
    copy->setLinkage(GlobalValue::ExternalLinkage);
    codegen::promote_stores(state.target(), *copy);
  }
}

/// For all functions, kernels or not.
void report_change(State& state, bool (*change)(Function&)) {
  for (Function& function : *state.module)
    if (!function.isDeclaration())
      outs() << "; " << function.getName() << ": " << (change(function) ? "changed" : "kept")
             << "\n";
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
  codegen::tidy_regions(*state.module, state.target(), state.regions);
  for (Function* region : state.regions) {
    transforms::Vectors vectors = {.bits = vector_bits,
                                   .gather = true,
                                   .scatter = true,
                                   .registers = 32,
                                   .rows = {row_choice, panels},
                                   .wide = wide};
    if (!target_name.empty()) {
      auto there_are =
          codegen::vectors_for(*region, state.target(), {0, {row_choice, panels}, wide});
      if (there_are) vectors = *there_are;
      outs() << "; " << (there_are ? Twine(vectors.bits) + " bits" : Twine("no vectors")) << "\n";
      if (!there_are) continue;
    }
    auto reason = transforms::vectorise(*region, vectors);
    outs() << "; " << region->getName() << ": " << (reason ? reason->text : "vectors") << "\n";
  }
}

void launch_invariants(State& state) {
  for (const State::Block& block : state.blocks) {
    const auto made = transforms::move_launch_invariants(*block.function, block.parameters,
                                                         state.compilation.symbols);
    block.function->setLinkage(GlobalValue::ExternalLinkage);
    if (made.function) made.function->setLinkage(GlobalValue::ExternalLinkage);
    outs() << "; " << block.function->getName() << ": " << made.values << " values\n";
  }
}

void record_accesses(State& state) {
  transforms::inline_everything(*state.module);
  codegen::expose_accesses(*state.module, state.target());
  state.compilation.record_accesses();
  outs() << "; " << state.compilation.sites << " places\n";
}

/// Every pointer is to rows of numbers of 4 bytes.
void packed_kernels(State& state) {
  for (auto& kernel : state.kernels) {
    std::vector<codegen::ptx::PackableArray> arrays;
    for (const Argument& argument : kernel.function->args())
      arrays.push_back({argument.getArgNo(), 4, argument.getName().str()});
    if (auto reason = codegen::ptx::add_part_kernel(*kernel.function))
      outs() << "; " << kernel.function->getName() << ": " << *reason << "\n";
    else if (auto why_not = codegen::ptx::add_packed_kernel(*kernel.function, arrays))
      outs() << "; " << kernel.function->getName() << ": " << *why_not << "\n";
  }
}

using Apply = std::function<void(State&)>;

/// What is no stage, or says more than one.
struct TestStep {
  const char* name;
  const char* stage;  // it belongs to
  Apply apply;
};

const TestStep test_steps[] = {
    {"builtin-variables", "language",
     [](State& s) { transforms::lower_builtin_variables(*s.module, s.compilation.errors); }},
    {"dynamic-shared", "language",
     [](State& s) { transforms::make_dynamic_shared_unsized(*s.module); }},
    {"plain-parameters", "language",
     [](State& s) { transforms::make_parameters_plain(*s.module); }},
    {"globals", "globals", globals},
    {"contract", "contract",
     [](State& s) {
       codegen::prepare_for_ptx();
       constexpr unsigned architecture = 90, opt_level = 3, least_version = 0;
       codegen::ptx::contract(*s.module,
                              *codegen::ptx::make_gpu(architecture, opt_level, least_version));
     }},
    {"load-early", "load-early", [](State& s) { codegen::ptx::load_early(*s.module); }},
    {"order-memory", "order-memory", [](State& s) { codegen::ptx::order_memory(*s.module); }},
    {"part-kernels", "part-kernels",
     [](State& s) {
       codegen::ptx::note_grid_barriers(*s.module);
       for (auto& kernel : s.kernels)
         if (auto reason = codegen::ptx::add_part_kernel(*kernel.function))
           outs() << "; " << kernel.function->getName() << ": " << *reason << "\n";
     }},
    {"packed-kernels", "packed-kernels", packed_kernels},
    {"check-undefined", "check-undefined",
     [](State& s) {
       transforms::check_undefined(*s.module, transforms::undefined_functions(*s.module),
                                   s.compilation.errors);
     }},
    {"inline-sync", "inline-sync",
     [](State& s) {
       transforms::force_inlining_of_sync(*s.module);
       codegen::simplify(*s.module, s.target());
     }},
    {"record-accesses", "record-accesses", record_accesses},
    {"executor", "executor", choose_executor},
    {"shared-atomics", "shared-atomics",
     [](State& s) {
       for (Function& function : *s.module) transforms::mark_shared_atomics(function);
     }},
    {"thread-entry", "thread-entries",
     [](State& s) {
       for (auto& kernel : s.kernels)
         transforms::make_thread_entry(*kernel.function, /*is_checked=*/false);
       s.compilation.lower_thread_functions();
     }},
    {"call-math-of-numbers", "math",
     [](State& s) {
       for (Function& function : *s.module) transforms::call_math_of_numbers(function);
     }},
    {"estimate-roots", "roots",
     [](State& s) {
       for (Function& function : *s.module) transforms::write_reciprocal_roots(function, true);
     }},
    {"exact-roots", "roots",
     [](State& s) {
       for (Function& function : *s.module) transforms::write_reciprocal_roots(function, false);
     }},
    {"half-instructions", "halfs",
     [](State& s) {
       for (Function& function : *s.module) transforms::write_half_conversions(function, true);
     }},
    {"half-integers", "halfs",
     [](State& s) {
       for (Function& function : *s.module) transforms::write_half_conversions(function, false);
     }},
    {"thread-work", "facts",
     [](State& s) {
       for (auto& kernel : s.kernels)
         outs() << "; " << kernel.function->getName() << ": "
                << transforms::most_instructions(*kernel.function) << " instructions\n";
     }},
    {"threads-apart", "facts",
     [](State& s) {
       for (auto& kernel : s.kernels)
         outs() << "; " << kernel.function->getName() << ": threads "
                << (transforms::threads_are_apart(*kernel.function) ? "apart" : "together") << "\n";
     }},
    {"regions", "regions", [](State& s) { regions(s, false); }},
    {"blocks", "blocks", [](State& s) { regions(s, true); }},
    {"distinct", "distinct", distinct},
    {"whole-indices", "whole-indices",
     [](State& s) { report_change(s, transforms::put_indices_together); }},
    {"agreeing-phis", "agreeing-phis",
     [](State& s) { report_change(s, transforms::replace_agreeing_phis); }},
    {"vectorise", "vectorise", vectorise},
    {"read-through", "read-through", read_through},
    {"usual-rows", "usual-rows", usual_rows},
    {"launched-shape", "launched-shape", launched_shape},
    {"linear-threads", "linear-threads", linear_threads},
    {"positions", "each-form",
     [](State& s) {
       report_change(s, [](Function& kernel) {
         return transforms::write_with_positions(kernel, {16, 16, 1});
       });
     }},
    {"flatten", "flatten-loops", [](State& s) { report_change(s, transforms::flatten_loops); }},
    {"widen-subscripts", "widen-subscripts",
     [](State& s) { report_change(s, transforms::widen_subscripts); }},
    {"appends", "scalar-loops",
     [](State& s) {
       for (Function* region : s.regions) transforms::gather_appends(*region);
     }},
    {"guard", "guards",
     [](State& s) {
       for (Function* region : s.regions) {
         transforms::bound_threads_by_guard(*region);
         transforms::tell_known_threads(*region);
       }
     }},
    {"launch-invariants", "launch-invariants", launch_invariants},
    {"divided-rows", "divided-rows",
     [](State& s) {
       for (Function* region : s.regions) transforms::divide_into_rows(*region);
     }},
    {"tidy", "tidy", [](State& s) { codegen::tidy_regions(*s.module, s.target(), s.regions); }},
};

/// On the module, or on each kernel. Null: it works on parts of kernels, or is a loop.
Apply apply_stage(const codegen::Stage& stage) {
  if (auto* on_module = std::get_if<codegen::Step<codegen::DeviceCompilation>>(&stage.run))
    return [run = *on_module](State& s) { run(s.compilation); };
  if (auto* on_kernel = std::get_if<codegen::Step<codegen::KernelWork>>(&stage.run))
    return [run = *on_kernel](State& s) {
      for (auto& kernel : s.kernels) {
        codegen::KernelWork work(s.compilation, kernel, "");
        run(work);
      }
    };
  return nullptr;
}

Apply find(StringRef name) {
  for (const TestStep& step : test_steps)
    if (name == step.name) return step.apply;
  const codegen::Stage* stage = codegen::stage_named(name);
  return stage ? apply_stage(*stage) : nullptr;
}

void check_steps() {
  for (const TestStep& step : test_steps)
    if (!codegen::stage_named(step.stage))
      report_fatal_error(Twine(step.name) + ": no stage '" + step.stage + "'");
}

bool has_told(const State& state) {
  for (const codegen::Diagnostic& one : state.told)
    errs() << one.file << ":" << one.line << ":" << one.column << ": error: " << one.text << "\n";
  return !state.told.empty();
}

}  // namespace

int main(int argc, char** argv) {
  cl::ParseCommandLineOptions(argc, argv, "runs Gridspan transformations on LLVM IR\n");
  check_steps();
  SMDiagnostic problem;
  State state;
  state.module = parseIRFile(input, problem, state.compilation.context);
  if (!state.module) {
    problem.print(argv[0], errs());
    return 1;
  }
  state.compilation.find_target();
  state.kernels = transforms::find_kernels(*state.module);
  for (const std::string& name : pass_names) {
    const Apply apply = find(name);
    if (!apply) {
      errs() << "gridspan-lower: no transformation '" << name << "'\n";
      return 1;
    }
    apply(state);
    state.compilation.report_errors();
    if (has_told(state)) return 1;
  }
  if (verifyModule(*state.module, &errs())) return 1;
  state.module->print(outs(), nullptr);
  return 0;
}
