// nvrtcGetTypeName: from C++'s own name of a type.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "nvrtc.h"

#if defined(__cplusplus)
#include <cxxabi.h>

#include <cstdlib>
#include <new>
#include <string>
#include <typeinfo>

namespace gridspan_nvrtc {

/// typeid looks through references and top-level const: a wrapper keeps them.
template <typename T>
struct Wrapper {};

inline nvrtcResult type_name(const char* mangled, std::string* result) {
  int status = 0;
  char* name = abi::__cxa_demangle(mangled, nullptr, nullptr, &status);
  if (!name) return status == -1 ? NVRTC_ERROR_OUT_OF_MEMORY : NVRTC_ERROR_INTERNAL_ERROR;
  const std::string wrapped = name;  // gridspan_nvrtc::Wrapper<NAME>
  std::free(name);
  const std::size_t begin = wrapped.find('<') + 1;
  *result = wrapped.substr(begin, wrapped.rfind('>') - begin);
  while (!result->empty() && result->back() == ' ') result->pop_back();
  return NVRTC_SUCCESS;
}

}  // namespace gridspan_nvrtc

template <typename T>
nvrtcResult nvrtcGetTypeName(std::string* result) {
  if (!result) return NVRTC_ERROR_INVALID_INPUT;
  return gridspan_nvrtc::type_name(typeid(gridspan_nvrtc::Wrapper<T>).name(), result);
}

/// Without the references and const that typeid takes away.
inline nvrtcResult nvrtcGetTypeName(const std::type_info& type, std::string* result) {
  if (!result) return NVRTC_ERROR_INVALID_INPUT;
  return gridspan_nvrtc::type_name((std::string("N3std6vectorI") + type.name() + "EE").c_str(),
                                   result);
}
#endif
