// The option table and what is made of it: parsing and help.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/options.h"

#include "support/device_words.h"
#include "support/parse_number.h"
#include "support/spelling.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <utility>

namespace gridspan::support {

namespace {

/// The value is well-formed text but not in the variable's grammar; the caller adds the rest.
tl::unexpected<Error> outside_grammar() { return fail(std::string()); }

Result<void> parse_device_option(std::string_view value, Options& into) {
  into.no_device = value == "none";
  into.chooses_devices = value == "auto";
  if (into.chooses_devices) into.devices = {DeviceTerm{}};
  if (into.no_device || into.chooses_devices) return {};
  auto terms = parse_devices(value);
  if (!terms) return fail(terms.error());
  into.devices = std::move(*terms);
  return {};
}

Result<void> parse_threads(std::string_view value, Options& into) {
  const auto threads = parse_number(value, 1, 4096);
  if (!threads) return outside_grammar();
  into.threads = *threads;
  return {};
}

Result<void> parse_virtual_gpus(std::string_view value, Options& into) {
  const auto count = parse_number(value, 1, most_virtual_gpus);
  if (!count) return outside_grammar();
  into.virtual_gpus = *count;
  return {};
}

Result<void> parse_log(std::string_view value, Options& into) {
  constexpr std::array<std::string_view, 6> names{"off", "error", "warn", "info", "debug", "trace"};
  const std::size_t colon = value.find(':');
  const std::string_view level = value.substr(0, colon);
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i] == level) {
      into.log.level = static_cast<LogLevel>(i);
      into.log.file = colon == std::string_view::npos ? "" : std::string(value.substr(colon + 1));
      if (colon != std::string_view::npos && into.log.file.empty()) return outside_grammar();
      return {};
    }
  }
  return outside_grammar();
}

template <class T>
struct Choice {
  std::string_view name;
  T value;
};

template <class T, std::size_t N>
Result<void> choose(std::string_view name, const Choice<T> (&choices)[N], T& into) {
  for (const Choice<T>& choice : choices) {
    if (choice.name != name) continue;
    into = choice.value;
    return {};
  }
  return outside_grammar();
}

Result<void> parse_cpu_mode(std::string_view value, Options& into) {
  constexpr Choice<CpuMode> modes[] = {{"regions", CpuMode::regions},
                                       {"interpret", CpuMode::interpret}};
  return choose(value, modes, into.cpu);
}

Result<void> parse_instructions(std::string_view value, Options& into) {
  constexpr Choice<CpuInstructions> sets[] = {{"baseline", CpuInstructions::baseline},
                                              {"v3", CpuInstructions::v3},
                                              {"v4", CpuInstructions::v4},
                                              {"best", CpuInstructions::best}};
  return choose(value, sets, into.instructions);
}

Result<void> parse_math(std::string_view value, Options& into) {
  constexpr Choice<CpuMath> libraries[] = {{"own", CpuMath::own}, {"libm", CpuMath::libm}};
  return choose(value, libraries, into.math);
}

Result<void> parse_specialise(std::string_view value, Options& into) {
  constexpr Choice<Specialise> modes[] = {{"off", Specialise::off},
                                          {"cached", Specialise::cached},
                                          {"on", Specialise::on},
                                          {"now", Specialise::now}};
  return choose(value, modes, into.specialise);
}

Result<void> parse_fuse_permission(std::string_view name, Options& into) {
  struct Named {
    std::string_view name;
    bool Options::* permission;
    bool value;
  };
  constexpr Named known[] = {{"across-waits", &Options::fuse_across_waits, true},
                             {"reassociate", &Options::fuse_reassociates, true},
                             {"without-chains", &Options::fuse_chains, false},
                             {"without-kernels", &Options::fuse_kernels, false},
                             {"without-carried", &Options::fuse_carried, false}};
  for (const Named& one : known) {
    if (one.name != name) continue;
    into.*one.permission = one.value;
    return {};
  }
  return outside_grammar();
}

Result<void> parse_fuse(std::string_view value, Options& into) {
  constexpr Choice<Fuse> modes[] = {{"off", Fuse::off},
                                    {"cached", Fuse::cached},
                                    {"on", Fuse::on},
                                    {"now", Fuse::now},
                                    {"check", Fuse::check}};
  const std::size_t colon = value.find(':');
  if (auto mode = choose(value.substr(0, colon), modes, into.fuse); !mode) return mode;
  if (colon == std::string_view::npos) return {};
  std::string_view permissions = value.substr(colon + 1);
  for (;;) {
    const std::size_t comma = permissions.find(',');
    auto one = parse_fuse_permission(permissions.substr(0, comma), into);
    if (!one || comma == std::string_view::npos) return one;
    permissions.remove_prefix(comma + 1);
  }
}

Result<void> parse_verify(std::string_view value, Options& into) {
  const std::size_t colon = value.find(':');
  const std::string_view choice = value.substr(0, colon);
  if (choice != "0" && choice != "1") return outside_grammar();
  into.verify = choice == "1";
  if (colon == std::string_view::npos) return {};
  const auto seed = parse_number(value.substr(colon + 1), 0, 1'000'000'000);
  if (!seed) return outside_grammar();
  into.verify_seed = *seed;
  return {};
}

Result<void> set_check(std::string_view name, Checks& into) {
  struct Named {
    std::string_view name;
    bool Checks::* check;
  };
  constexpr Named known[] = {{"memory", &Checks::memory},
                             {"init", &Checks::init},
                             {"race", &Checks::race},
                             {"sync", &Checks::sync},
                             {"leaks", &Checks::leaks}};
  for (const Named& one : known) {
    if (one.name != name) continue;
    into.*one.check = true;
    return {};
  }
  std::array<std::string_view, std::size(known)> names;
  std::ranges::transform(known, names.begin(), &Named::name);
  std::string line = "there is no check '" + std::string(name) + "'";
  const std::string_view meant = nearest(name, names);
  if (!meant.empty()) line += ", did you mean '" + std::string(meant) + "'?";
  return fail(line);
}

Result<void> parse_checks(std::string_view value, Options& into) {
  into.checks = Checks{};
  if (value == "none") return {};
  if (value == "all") {
    into.checks = Checks{.memory = true, .init = true, .race = true, .sync = true, .leaks = true};
    return {};
  }
  for (;;) {
    const std::size_t comma = value.find(',');
    if (auto set = set_check(value.substr(0, comma), *into.checks); !set) return set;
    if (comma == std::string_view::npos) return {};
    value.remove_prefix(comma + 1);
  }
}

Result<void> parse_isolate(std::string_view value, Options& into) {
  constexpr Choice<bool> choices[] = {{"0", false}, {"1", true}};
  return choose(value, choices, into.isolate);
}

Result<void> parse_failure(std::string_view value, Options& into) {
  using Kind = InjectedFailure::Kind;
  constexpr Choice<Kind> kinds[] = {{"reserve", Kind::reserve},
                                    {"copy", Kind::copy},
                                    {"part", Kind::part},
                                    {"thread", Kind::thread}};
  const std::size_t first = value.find(':'), second = value.rfind(':');
  if (first == std::string_view::npos || first == second) return outside_grammar();
  const auto device = parse_number(value.substr(0, first), 0, 63);
  const auto after = parse_number(value.substr(second + 1), 0, 1'000'000'000);
  if (!device || !after) return outside_grammar();
  into.failure.device = *device;
  into.failure.after = *after;
  return choose(value.substr(first + 1, second - first - 1), kinds, into.failure.kind);
}

Result<void> parse_bytes(std::string_view value, std::uint64_t& into) {
  constexpr Choice<unsigned> units[] = {{"K", 10}, {"M", 20}, {"G", 30}};
  if (value.empty()) return outside_grammar();
  unsigned shift = 0;
  auto unit = choose(value.substr(value.size() - 1), units, shift);
  const auto count = parse_number(value.substr(0, value.size() - 1), 1, 1'000'000'000);
  if (!unit || !count) return outside_grammar();
  into = std::uint64_t{*count} << shift;
  return {};
}

Result<void> parse_copy_memory(std::string_view value, Options& into) {
  return parse_bytes(value, into.copy_memory);
}

Result<void> parse_oversubscribe(std::string_view value, Options& into) {
  const std::size_t colon = value.find(':');
  constexpr Choice<bool> modes[] = {{"spill", true}, {"strict", false}};
  if (auto mode = choose(value.substr(0, colon), modes, into.oversubscribe.spills); !mode)
    return mode;
  if (colon == std::string_view::npos) return {};
  return parse_bytes(value.substr(colon + 1), into.oversubscribe.most_on_gpu);
}

Result<void> parse_policy(std::string_view value, Options& into) {
  constexpr Choice<PlanPolicy> policies[] = {{"usual", PlanPolicy::usual},
                                             {"fixed", PlanPolicy::fixed},
                                             {"always", PlanPolicy::always},
                                             {"mekong", PlanPolicy::mekong}};
  constexpr std::string_view random = "random:";
  if (value.substr(0, random.size()) != random) return choose(value, policies, into.policy);
  const auto seed = parse_number(value.substr(random.size()), 0, 1'000'000'000);
  if (!seed) return outside_grammar();
  into.policy = PlanPolicy::random;
  into.policy_seed = *seed;
  return {};
}

Result<void> parse_measure(std::string_view value, Options& into) {
  constexpr Choice<Measure> modes[] = {
      {"once", Measure::once}, {"again", Measure::again}, {"off", Measure::off}};
  return choose(value, modes, into.measure);
}

Result<void> parse_ablation(std::string_view value, Options& into) {
  constexpr Choice<Ablation> ablations[] = {{"none", Ablation::none},
                                            {"transfers", Ablation::transfers},
                                            {"patterns", Ablation::patterns}};
  return choose(value, ablations, into.ablation);
}

Result<void> parse_kernel_times(std::string_view value, Options& into) {
  into.kernel_times = value;
  return {};
}

Result<void> parse_record(std::string_view value, Options& into) {
  into.record = value;
  return {};
}

Result<void> parse_record_data(std::string_view value, Options& into) {
  if (value != "0" && value != "1") return outside_grammar();
  into.record_data = value == "1";
  return {};
}

Result<void> parse_replay(std::string_view value, Options& into) {
  const std::size_t colon = value.find(':');
  const std::string_view mode = value.substr(0, colon);
  if (mode != "plan" && mode != "run" && mode != "fuse") return outside_grammar();
  if (colon == std::string_view::npos || colon + 1 == value.size()) return outside_grammar();
  into.replay.mode = mode == "run"    ? Replay::Mode::run
                     : mode == "fuse" ? Replay::Mode::fuse
                                      : Replay::Mode::plan;
  into.replay.file = value.substr(colon + 1);
  return {};
}

constexpr std::array<Option, 22> table{{
    {"devices", "GRIDSPAN_DEVICES", device_usage, "auto", device_help, parse_device_option},
    {"threads", "GRIDSPAN_THREADS", "N, from 1 to 4096",
     "every hardware thread the process may use",
     "How many threads run thread blocks. With several devices: how many cpu:N and numa divide\n"
     "among them. cpu:NxT asks for its own number.",
     parse_threads},
    {"virtual_gpus", "GRIDSPAN_VIRTUAL_GPUS", "N, from 1 to 16", "1",
     "How many CUDA devices the program sees. They are names for the program's sake: work on\n"
     "any of them is done by all devices that GRIDSPAN_DEVICES names.",
     parse_virtual_gpus},
    {"log", "GRIDSPAN_LOG", "off | error | warn | info | debug | trace, then optionally :FILE",
     "error, on standard error",
     "Messages while the program runs. warn adds each CUDA call that fails, and why; info\n"
     "adds devices and fallbacks; debug adds launches and copies; trace adds every call.",
     parse_log},
    {"cpu", "GRIDSPAN_CPU", "regions | interpret", "regions",
     "How a CPU runs kernels: regions is fast; interpret runs each CUDA thread by itself, slowly,\n"
     "and checks each access: see GRIDSPAN_CHECK.",
     parse_cpu_mode},
    {"check", "GRIDSPAN_CHECK", "all | none | memory, init, race, sync, leaks, joined by ','",
     "memory, sync, and init and race in shared memory",
     "The faults that GRIDSPAN_CPU=interpret finds: accesses of memory that a kernel may not\n"
     "touch (memory), reads of memory that was never written (init), accesses of threads without\n"
     "order between them (race), misused barriers and warp operations (sync). Leaks, memory that\n"
     "is not freed at exit, are found in every mode.",
     parse_checks},
    {"cpu_isa", "GRIDSPAN_CPU_ISA", "baseline | v3 | v4 | best", "best",
     "The best instruction set kernels may use on an x86-64 CPU: v3 has AVX2 and FMA, v4 AVX-512.\n"
     "A CPU that lacks it uses the next one below. v4 also gathers with AVX-512 where the CPU "
     "does\n"
     "that slowly (AMD's), as best does not. Where a*b+c is one operation (v3, v4), results\n"
     "may differ in the last bit from those of baseline.",
     parse_instructions},
    {"cpu_math", "GRIDSPAN_CPU_MATH", "own | libm", "own",
     "The math functions (exp, sin ...) of kernels that run as vectors of threads: Gridspan's "
     "own,\n"
     "or the C library's, thread by thread. Results may differ in the last bits.",
     parse_math},
    {"specialise", "GRIDSPAN_SPECIALISE", "off | cached | on | now", "off",
     "Kernels compiled once more for the block shape and scalars they are launched with. on does\n"
     "so in parallel with the program once a kernel's launches took half a second, and keeps\n"
     "them in ~/.cache/gridspan; cached uses those that are there; now compiles each at its first\n"
     "launch, for tests.",
     parse_specialise},
    {"fuse", "GRIDSPAN_FUSE", "off | cached | on | now | check, then optionally :PERMISSION,...",
     "cached",
     "Launches that follow one another without a wait between them may run on one CPU device as a\n"
     "chain (some blocks of the first, then the blocks of the next ones that use the same data,\n"
     "while that is in the cache), or, there and on one GPU, as one kernel, which gridcc makes of\n"
     "theirs. Results are the same bit for bit. cached and on do so where it was measured to be\n"
     "faster: cached uses kernels that gridcc made when it compiled the program, or left in\n"
     "~/.cache/gridspan; on also has kernels made beside the program's work, and left there. now\n"
     "does so wherever it is legal, for tests; check does\n"
     "that after a run in order and compares: a difference is an error of Gridspan's and makes\n"
     "the program's exit status 3.\n"
     "PERMISSIONs: across-waits: calls that wait for kernels return at once if the host can see\n"
     "nothing of these: what a program measures between them is then not the kernels' time, and\n"
     "faults are told later; reassociate allows sums in another order (nothing makes use of it\n"
     "yet); without-chains, without-kernels and without-carried leave out chains, kernels made of\n"
     "several, or those of them that the program carries.",
     parse_fuse},
    {"measure", "GRIDSPAN_MEASURE", "once | again | off", "once",
     "With GPUs among several devices: how fast devices and the links between them are. These\n"
     "rates set each device's share and the source of each copy. once measures it when the\n"
     "program starts, and leaves it in ~/.cache/gridspan for all later ones; again measures anew;\n"
     "off guesses.",
     parse_measure},
    {"verify", "GRIDSPAN_VERIFY", "0 | 1, then optionally :SEED", "0",
     "1 checks at every launch the compiler's claims about the memory that each kernel reads and\n"
     "writes: slowly, by recording every access. A difference is an error of Gridspan's and makes\n"
     "the program's exit status 3. SEED varies which parts of a grid are compared.",
     parse_verify},
    {"isolate", "GRIDSPAN_ISOLATE", "0 | 1", "0",
     "For tests of Gridspan: with several devices, parts of launches run one at a time, and each\n"
     "access to another device's memory is a fault.",
     parse_isolate},
    {"fault", "GRIDSPAN_FAULT", "DEVICE:reserve|copy|part|thread:N", "no device fails",
     "For tests of Gridspan: with several devices, DEVICE (the first is 0) fails after N "
     "successes:\n"
     "it has no room for more memory (reserve), does not copy, runs no kernels (part), or its\n"
     "thread gives up.",
     parse_failure},
    {"copy_memory", "GRIDSPAN_COPY_MEMORY", "NK | NM | NG", "all that the device has",
     "With several devices: the most memory that each but the first takes for its copies of the\n"
     "program's data. Data that does not fit is evicted, and launches are done in several rounds.\n"
     "With one GPU: what rounds take where the program has more data than the GPU.",
     parse_copy_memory},
    {"oversubscribe", "GRIDSPAN_OVERSUBSCRIBE", "spill | strict, then optionally :NK, :NM or :NG",
     "spill",
     "More data than a GPU has memory. With spill, memory that the program allocates beyond it is\n"
     "the host's, page-locked, which kernels read and write over the bus, or, if they touch the\n"
     "same bytes many times, in rounds on copies; with strict such an allocation fails, as on a\n"
     "GPU without Gridspan. With a number GPUs give the program no more than so much memory of\n"
     "theirs: for experiments.",
     parse_oversubscribe},
    {"policy", "GRIDSPAN_POLICY", "usual | fixed | random:SEED | always | mekong", "usual",
     "With several GPUs: usual runs launches on one of them until it was measured, or is sure,\n"
     "that all together take less time; fixed divides launches by what they touch alone, so that\n"
     "each run divides them alike. For tests and comparisons: random changes between one and all\n"
     "at random; always plans launches and keeps track of memory also with one device, and splits\n"
     "every launch that can be split, at any cost; mekong plans as Mekong does (one owner for\n"
     "each byte, linear distribution).",
     parse_policy},
    {"ablation", "GRIDSPAN_ABLATE", "none | transfers | patterns", "none",
     "For measurements on several devices: leaves out copies between devices (transfers), or also\n"
     "finding the bytes to copy (patterns). The program's results are wrong then.",
     parse_ablation},
    {"kernel_times", "GRIDSPAN_KERNEL_TIMES", "FILE", "not written",
     "Writes to FILE, at exit, how long each launch of each kernel took, as JSON: how gridcc "
     "--tune\n"
     "compares settings. %p in FILE is the process's number.",
     parse_kernel_times},
    {"record", "GRIDSPAN_RECORD", "FILE", "no recording",
     "Writes every API call, and how each launch was carried out, to FILE: see gridspan record.\n"
     "%p in FILE is the process's number.",
     parse_record},
    {"record_data", "GRIDSPAN_RECORD_DATA", "0 | 1", "0",
     "1 also records the contents of memory that the device gets from the host, so that\n"
     "gridspan replay --run can run the kernels again.",
     parse_record_data},
    {"replay", "GRIDSPAN_REPLAY", "plan:FILE | run:FILE | fuse:FILE", "no replay",
     "Set by gridspan replay: instead of its own work, the program carries out the recording\n"
     "FILE.",
     parse_replay},
}};

constexpr std::string_view prefix = "GRIDSPAN_";

/// Of others: gridcc, nvrtc and the library of collectives read these; the run time has nothing to
/// say of them.
constexpr std::array<std::string_view, 5> others_variables{
    "GRIDSPAN_CLANG", "GRIDSPAN_GRIDCC", "GRIDSPAN_HEADER_CACHE", "GRIDSPAN_DEVICE_CACHE",
    "GRIDSPAN_NCCL_TIMEOUT"};

std::string remark_on(std::string_view name) {
  std::array<std::string_view, table.size()> known;
  for (std::size_t i = 0; i < table.size(); ++i) known[i] = table[i].variable;
  const std::string_view meant = nearest(name, known);
  std::string line = "unknown variable " + std::string(name) + " is ignored; ";
  if (!meant.empty()) return line + "did you mean " + std::string(meant) + "?";
  line += "known are";
  for (const std::string_view variable : known) line.append(" ").append(variable);
  return line;
}

Result<void> parse_variable(std::string_view name, std::string_view value, Options& into,
                            std::vector<std::string>* remarks) {
  for (const Option& option : table) {
    if (option.variable != name) continue;
    if (value.empty()) return {};  // set but empty means unset, as shells do it
    auto parsed = option.parse(value, into);
    if (parsed) return {};
    std::string line = std::string(name) + "='" + std::string(value) + "': ";
    if (!parsed.error().message.empty()) line += parsed.error().message + "; ";
    return fail(line + "expected " + std::string(option.grammar));
  }
  const bool is_ours = std::ranges::find(others_variables, name) != others_variables.end();
  if (remarks && !is_ours) remarks->push_back(remark_on(name));
  return {};
}

}  // namespace

std::span<const Option> option_table() { return table; }

Result<Options> parse_options(std::span<const std::string_view> environment,
                              std::vector<std::string>* remarks) {
  Options options;
  for (const std::string_view entry : environment) {
    if (!entry.starts_with(prefix)) continue;
    const std::size_t equals = entry.find('=');
    if (equals == std::string_view::npos) continue;
    auto parsed =
        parse_variable(entry.substr(0, equals), entry.substr(equals + 1), options, remarks);
    if (!parsed) return fail(parsed.error());
  }
  return options;
}

Result<Options> options_from_environment(std::vector<std::string>* remarks) {
  std::vector<std::string_view> variables;
  for (char** entry = environ; entry && *entry; ++entry) variables.emplace_back(*entry);
  return parse_options(variables, remarks);
}

std::string options_help() {
  std::string text;
  for (const Option& option : table) {
    text.append("  ").append(option.variable).append("=").append(option.grammar).append("\n");
    std::string_view help = option.help;
    while (!help.empty()) {
      const std::size_t end = help.find('\n');
      text.append("      ").append(help.substr(0, end)).append("\n");
      help = end == std::string_view::npos ? std::string_view{} : help.substr(end + 1);
    }
    text.append("      Default: ").append(option.fallback).append("\n");
  }
  return text;
}

}  // namespace gridspan::support
