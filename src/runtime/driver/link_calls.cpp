// cuLink…: images in, one image out.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/api/stream_table.h"
#include "runtime/driver/linker.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <memory>

using namespace gridspan::runtime;
using driver::Needs;

namespace {

/// Never destroyed: destructors of the program may still call us.
HandleTable<CUlinkState_st>& links() {
  static auto& table = *new HandleTable<CUlinkState_st>;
  return table;
}

CUresult find(CUlinkState state, std::shared_ptr<CUlinkState_st>& link) {
  if (const CUresult result = driver::check(Needs::context)) return result;
  link = links().find(state);
  return link ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

CUresult tell(const char* call, const CUlinkState_st& link, CUresult result,
              const std::string& why) {
  if (result == CUDA_SUCCESS) return result;
  driver::write_log(link.errors, why);
  return driver::refuse(call, result, "%s", why.c_str());
}

CUresult add(const char* call, CUlinkState_st& link, std::string bytes, const char* name) {
  std::string why;
  const CUresult result = driver::add_input(link, std::move(bytes), name, why);
  return tell(call, link, result, why);
}

}  // namespace

CUresult cuLinkCreate(unsigned int count, CUjit_option* options, void** values,
                      CUlinkState* state) {
  if (const CUresult result = driver::check(Needs::context)) return result;
  if (!state || (count > 0 && (!options || !values))) return CUDA_ERROR_INVALID_VALUE;
  auto link = std::make_shared<CUlinkState_st>();
  driver::read_options(*link, count, options, values);
  driver::write_log(link->errors, "");
  driver::write_log(link->information, "");
  *state = links().add(std::move(link));
  return CUDA_SUCCESS;
}

CUresult cuLinkAddData(CUlinkState state, CUjitInputType, void* data, size_t size, const char* name,
                       unsigned int, CUjit_option*, void**) {
  std::shared_ptr<CUlinkState_st> link;
  if (const CUresult result = find(state, link)) return result;
  if (!data || size == 0) return CUDA_ERROR_INVALID_VALUE;
  return add(__func__, *link, {static_cast<const char*>(data), size},
             name && *name ? name : "data");
}

CUresult cuLinkAddFile(CUlinkState state, CUjitInputType, const char* path, unsigned int,
                       CUjit_option*, void**) {
  std::shared_ptr<CUlinkState_st> link;
  if (const CUresult result = find(state, link)) return result;
  if (!path) return CUDA_ERROR_INVALID_VALUE;
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    return tell(__func__, *link, CUDA_ERROR_FILE_NOT_FOUND,
                std::string(path) + ": " + std::strerror(errno));
  }
  return add(__func__, *link, {std::istreambuf_iterator<char>(file), {}}, path);
}

CUresult cuLinkComplete(CUlinkState state, void** image, size_t* size) {
  std::shared_ptr<CUlinkState_st> link;
  if (const CUresult result = find(state, link)) return result;
  if (!image) return CUDA_ERROR_INVALID_VALUE;
  std::string why;
  if (const CUresult result = driver::complete(*link, why)) {
    return tell(__func__, *link, result, why);
  }
  *image = link->image.data();
  if (size) *size = link->image.size();
  return CUDA_SUCCESS;
}

CUresult cuLinkDestroy(CUlinkState state) {
  std::shared_ptr<CUlinkState_st> link;
  if (const CUresult result = find(state, link)) return result;
  links().remove(state);
  return CUDA_SUCCESS;
}
