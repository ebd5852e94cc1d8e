// When a form is looked for, asked for and used.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specialise/specialiser.h"

#include "specialise/keys.h"
#include "specialise/make_product.h"
#include "specialise/product.h"
#include "support/readable_name.h"

#include <algorithm>

namespace gridspan::specialise {

using abi::SpecialiseMode;
using abi::SpecialiserSays;
using support::LaunchCondition;
using support::Result;

namespace {

/// Launches must have taken so long before a form for them is made: as long as making it takes.
constexpr std::uint64_t worth_making = 500'000'000;  // nanoseconds
/// Shapes of blocks whose launches are observed, and forms made of each.
constexpr std::size_t most_groups = 4;
constexpr unsigned most_builds = 3;

/// What has to be led block by block, or launches others, stays as it is.
const char* why_never(const abi::Kernel& kernel) {
  if ((kernel.flags & abi::kernel_needs_fibers) != 0 ||
      (kernel.region_count == 0 && kernel.form_count == 0))
    return "it runs on fibers";
  if ((kernel.flags & (abi::kernel_launches | abi::kernel_waits_for_children)) != 0)
    return "it launches kernels";
  if ((kernel.flags & abi::kernel_has_grid_sync) != 0) return "its blocks wait for each other";
  if (!kernel.module || !kernel.module->container) return "the program carries no bitcode of it";
  return nullptr;
}

}  // namespace

void Specialiser::say(SpecialiserSays level, const abi::Kernel& kernel,
                      const LaunchCondition& condition, const std::string& what) const {
  const std::string where = condition.is_empty() ? "" : " for " + to_text(condition);
  setup_.say(level,
             ("specialise: " + support::readable_name(kernel.name) + where + ": " + what).c_str());
}

const std::string& Specialiser::key_of(const abi::Module& module) {
  std::string& key = keys_[&module];
  if (key.empty())
    key = module_key(module, wider_than(module, setup_.instructions), compiler_.gridcc());
  return key;
}

/// Null if there never will be a form of the kernel.
Observed* Specialiser::observe(const abi::Kernel& kernel) {
  const auto [entry, is_new] = kernels_.try_emplace(&kernel, nullptr);
  if (!is_new) return entry->second.get();
  if (const char* reason = why_never(kernel)) {
    say(SpecialiserSays::detail, kernel, {}, refusal_mark.data() + std::string(reason));
    return nullptr;
  }
  auto observed = std::make_unique<Observed>();
  observed->number = next_number_++;
  observed->module_key = key_of(*kernel.module);
  observed->kernel_key = name_key(kernel.name);
  for (const LaunchCondition& condition : cache_.find(observed->module_key, observed->kernel_key))
    observed->add_form({condition});
  entry->second = std::move(observed);
  return entry->second.get();
}

/// False: there is no such form after all.
bool Specialiser::load_form(const abi::Kernel& kernel, const Observed& observed, Form& form) {
  auto entry = cache_.open(observed.module_key, observed.kernel_key, form.condition);
  if (!entry) {
    say(SpecialiserSays::information, kernel, form.condition, entry.error().message);
    return false;
  }
  if (!entry->refusal.empty()) {
    form.refusal = entry->refusal;
    say(SpecialiserSays::information, kernel, form.condition, refusal_mark.data() + entry->refusal);
    return true;
  }
  auto code = load_product(entry->path, kernel, setup_.run_time);
  if (!code) {
    say(SpecialiserSays::information, kernel, form.condition, code.error().message);
    return false;
  }
  form.code = *code;
  ++loaded_;
  say(SpecialiserSays::information, kernel, form.condition, "loaded");
  return true;
}

Form* Specialiser::find_form(const abi::Kernel& kernel, Observed& observed,
                             const abi::LaunchContext& launch) {
  for (std::size_t i = 0; i < observed.forms.size();) {
    Form& form = observed.forms[i];
    if (!holds(form.condition, kernel, launch)) {
      ++i;
      continue;
    }
    if (form.code || !form.refusal.empty() || load_form(kernel, observed, form)) return &form;
    observed.forms.erase(observed.forms.begin() + static_cast<std::ptrdiff_t>(i));
  }
  return nullptr;
}

LaunchGroup* Specialiser::group_of(const abi::Kernel& kernel, Observed& observed,
                                   const abi::LaunchContext& launch) {
  if (LaunchGroup* group = observed.find_group(launch.block)) return group;
  if (observed.groups.size() == most_groups) return nullptr;
  return &observed.groups.emplace_back(kernel, launch);
}

Specialiser::Request Specialiser::request(const abi::Kernel& kernel, const Observed& observed,
                                          const LaunchGroup& group) {
  const abi::Module& module = *kernel.module;
  return {&kernel,
          observed.number,
          observed.module_key,
          observed.kernel_key,
          {std::string(static_cast<const char*>(module.container), module.container_size),
           kernel.name,
           group.common(),
           {},
           module.instruction_set,
           wider_than(module, setup_.instructions)}};
}

Form* Specialiser::make_now(const abi::Kernel& kernel, Observed& observed,
                            const abi::LaunchContext& launch) {
  LaunchGroup* group = group_of(kernel, observed, launch);
  if (!group || group->builds() == most_builds) return nullptr;
  group->add(kernel, launch, 0);
  group->count_build();
  const Request wanted = request(kernel, observed, *group);
  finish(wanted, make(wanted, false));
  return find_form(kernel, observed, launch);
}

const abi::Kernel* Specialiser::choose(const abi::Kernel& kernel,
                                       const abi::LaunchContext& launch) {
  const std::scoped_lock lock(mutex_);
  Observed* observed = observe(kernel);
  if (!observed) return &kernel;
  Form* form = find_form(kernel, *observed, launch);
  const bool at_once = setup_.mode == SpecialiseMode::now;
  if (!form && at_once && !stopped_) form = make_now(kernel, *observed, launch);
  if (!form || !form->code) return &kernel;
  if (at_once) form->trial.skip();
  if (form->trial.verdict() == Trial::Verdict::open && !form->trial.is_forms_turn()) return &kernel;
  ++launches_;
  return form->code;
}

void Specialiser::try_form(const abi::Kernel& kernel, Form& form, const abi::LaunchContext& launch,
                           bool with_form, std::uint64_t nanoseconds) {
  const abi::Dim& count = launch.block_count;
  const double blocks = double{1} * count.x * count.y * count.z;
  if (!form.trial.add(with_form, nanoseconds, blocks)) return;
  const bool is_good = form.trial.verdict() == Trial::Verdict::faster;
  say(SpecialiserSays::information, kernel, form.condition,
      is_good ? "as fast as the ordinary kernel, or faster" : "slower than the ordinary kernel");
  if (is_good) return;
  form.code = nullptr;
  form.refusal = "slower";
}

void Specialiser::ran(const abi::Kernel& kernel, const abi::LaunchContext& launch,
                      const abi::Kernel& used, std::uint64_t nanoseconds) {
  if (setup_.mode == SpecialiseMode::now) return;
  const std::scoped_lock lock(mutex_);
  Observed* observed = observe(kernel);
  if (!observed) return;
  if (Form* form = find_form(kernel, *observed, launch)) {
    if (form->code) try_form(kernel, *form, launch, &used == form->code, nanoseconds);
    return;
  }
  if (setup_.mode != SpecialiseMode::on) return;
  LaunchGroup* group = group_of(kernel, *observed, launch);
  if (!group || group->builds() == most_builds) return;
  group->add(kernel, launch, nanoseconds);
  if (group->nanoseconds() < worth_making || group->is_asked_for() || stopped_) return;
  group->count_build();
  // What was refused for some numbers is so for others.
  if (std::ranges::any_of(observed->forms, [](const Form& one) { return !one.refusal.empty(); }))
    return;
  say(SpecialiserSays::information, kernel, group->common(),
      "launches took half a second; it is being made");
  begin(request(kernel, *observed, *group));
}

Result<void> Specialiser::make(const Request& request, bool aside) {
  return make_product(request.build, {request.module_key, request.kernel_key}, compiler_, cache_,
                      aside);
}

/// Expects the lock.
void Specialiser::finish(const Request& request, const Result<void>& made) {
  const auto found = kernels_.find(request.kernel);
  if (found == kernels_.end() || !found->second || found->second->number != request.number) return;
  if (!made) {
    say(SpecialiserSays::warning, *request.kernel, request.build.condition, made.error().message);
    return;
  }
  ++made_;
  found->second->add_form({request.build.condition});
}

void Specialiser::begin(Request request) {
  worker_.post([this, wanted = std::move(request)] {
    const Result<void> made = make(wanted, true);
    const std::scoped_lock lock(mutex_);
    if (!stopped_) finish(wanted, made);
  });
}

void Specialiser::forget(const abi::Module& module) {
  const std::scoped_lock lock(mutex_);
  for (std::uint32_t i = 0; i < module.kernel_count; ++i) kernels_.erase(&module.kernels[i]);
  keys_.erase(&module);
}

void Specialiser::stop() {
  const std::scoped_lock lock(mutex_);
  stopped_ = true;
  compiler_.stop();
  worker_.stop();
  if (launches_ + made_ == 0) return;
  const std::string line = "specialise: " + std::to_string(launches_) +
                           " launches ran specialised kernels; " + std::to_string(made_) +
                           " made, " + std::to_string(loaded_) + " loaded";
  setup_.say(SpecialiserSays::information, line.c_str());
}

}  // namespace gridspan::specialise
