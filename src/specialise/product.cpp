// dlopen, and what must hold then.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specialise/product.h"

#include "abi/specialise.h"

#include <dlfcn.h>

#include <cstring>

namespace gridspan::specialise {

using support::fail;

static bool is_form_of(const abi::Kernel& form, const abi::Kernel& kernel) {
  if (std::strcmp(form.name, kernel.name) != 0) return false;
  if (form.parameter_count != kernel.parameter_count) return false;
  if (form.region_count == 0 && form.form_count == 0) return false;
  for (std::uint32_t i = 0; i < kernel.parameter_count; ++i) {
    const abi::Parameter &one = form.parameters[i], &other = kernel.parameters[i];
    if (one.size != other.size || one.offset != other.offset) return false;
  }
  return (form.flags & abi::kernel_needs_fibers) == 0;
}

/// Its one kernel.
static support::Result<const abi::Kernel*> load(const std::string& path, const void* run_time) {
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library) return fail(dlerror());
  // A program linked with libgridspan.a has just loaded a second run time.
  if (dlsym(library, "gridspan_register_module") != run_time)
    return fail("the program must use the shared libgridspan.so");
  const auto* made = static_cast<const abi::Specialised*>(dlsym(library, "gridspan_specialised"));
  if (!made || made->version != abi::version || made->module->kernel_count != 1)
    return fail("it is of another version");
  return &made->module->kernels[0];
}

support::Result<const abi::Kernel*> load_product(const std::string& path, const abi::Kernel& kernel,
                                                 const void* run_time) {
  auto form = load(path, run_time);
  if (form && !is_form_of(**form, kernel)) return fail("it is of another kernel");
  return form;
}

support::Result<const abi::Kernel*> load_fused(const std::string& path, const std::string& name,
                                               std::uint32_t parameters, const void* run_time) {
  auto kernel = load(path, run_time);
  if (kernel && ((*kernel)->name != name || (*kernel)->parameter_count != parameters))
    return fail("it is of other kernels");
  return kernel;
}

}  // namespace gridspan::specialise
