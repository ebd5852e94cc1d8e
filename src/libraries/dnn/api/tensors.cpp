// cuDNN: sums, copies, products and reductions of tensors.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libraries/dnn/api/context.h"

namespace gridspan::libraries::dnn {
namespace {

/// Each axis of `a` has the size of c's, or 1.
Check& check_repeats(Check& check, const cudnnTensorStruct* a, const cudnnTensorStruct* c,
                     const char* argument) {
  check.tensor(a, argument).tensor(c, "cDesc").same_type(a, c, argument);
  check.that(check.failed() || a->dims == c->dims, argument);
  for (int i = 0; !check.failed() && i < c->dims; ++i)
    check.that(a->size[i] == 1 || a->size[i] == c->size[i], argument);
  return check;
}

bool has_indices(const cudnnReduceTensorStruct& d) {
  return d.indices != CUDNN_REDUCE_TENSOR_NO_INDICES && d.op >= CUDNN_REDUCE_TENSOR_MIN &&
         d.op <= CUDNN_REDUCE_TENSOR_AMAX;
}
/// One of 32 bits for each element of the result.
size_t index_bytes(const cudnnReduceTensorStruct& d, const cudnnTensorStruct& c) {
  return has_indices(d) ? static_cast<size_t>(layout_of(c).count()) * sizeof(unsigned) : 0;
}

}  // namespace
}  // namespace gridspan::libraries::dnn

using namespace gridspan::libraries;       // NOLINT(google-build-using-namespace): the C functions
using namespace gridspan::libraries::dnn;  // NOLINT(google-build-using-namespace)

extern "C" {

cudnnStatus_t cudnnAddTensor(cudnnHandle_t handle, const void* alpha,
                             const cudnnTensorDescriptor_t a, const void* a_data, const void* beta,
                             const cudnnTensorDescriptor_t c, void* c_data) {
  Check check("cudnnAddTensor", handle);
  check_repeats(check, a, c, "aDesc");
  check.given(alpha, "alpha").given(beta, "beta").given(a_data, "A").given(c_data, "C");
  if (check.failed()) return check.status();
  return status_of(launch_add(c->type, layout_of(*a), a_data, layout_of(*c), c_data,
                              blend_of(handle, alpha, beta, c->type)));
}

cudnnStatus_t cudnnTransformTensor(cudnnHandle_t handle, const void* alpha,
                                   const cudnnTensorDescriptor_t a, const void* a_data,
                                   const void* beta, const cudnnTensorDescriptor_t c,
                                   void* c_data) {
  Check check("cudnnTransformTensor", handle);
  check.tensor(a, "xDesc").tensor(c, "yDesc");
  check.given(alpha, "alpha").given(beta, "beta").given(a_data, "A").given(c_data, "C");
  if (check.failed()) return check.status();
  check.that(a->dims == c->dims, "yDesc");
  for (int i = 0; !check.failed() && i < c->dims; ++i)
    check.that(a->size[i] == c->size[i], "yDesc");
  if (check.failed()) return check.status();
  return status_of(launch_convert(a->type, layout_of(*a), a_data, c->type, layout_of(*c), c_data,
                                  blend_of(handle, alpha, beta, c->type)));
}

cudnnStatus_t cudnnSetTensor(cudnnHandle_t handle, const cudnnTensorDescriptor_t y, void* y_data,
                             const void* value) {
  Check check("cudnnSetTensor", handle);
  check.tensor(y, "yDesc").given(y_data, "y").given(value, "valuePtr");
  if (check.failed()) return check.status();
  // The value is of the tensor's own type.
  double to_set = 0;
  if (y->type == CUDNN_DATA_HALF)
    to_set = static_cast<float>(*static_cast<const __half*>(value));
  else if (y->type == CUDNN_DATA_BFLOAT16)
    to_set = static_cast<float>(*static_cast<const __nv_bfloat16*>(value));
  else
    to_set = number(value, y->type);
  return status_of(launch_set(y->type, layout_of(*y), y_data, to_set, handle->stream));
}

cudnnStatus_t cudnnScaleTensor(cudnnHandle_t handle, const cudnnTensorDescriptor_t y, void* y_data,
                               const void* alpha) {
  Check check("cudnnScaleTensor", handle);
  check.tensor(y, "yDesc").given(y_data, "y").given(alpha, "alpha");
  if (check.failed()) return check.status();
  return status_of(
      launch_scale(y->type, layout_of(*y), y_data, number(alpha, y->type), handle->stream));
}

cudnnStatus_t cudnnOpTensor(cudnnHandle_t handle, const cudnnOpTensorDescriptor_t d,
                            const void* alpha, const cudnnTensorDescriptor_t a, const void* a_data,
                            const void* alpha2, const cudnnTensorDescriptor_t b, const void* b_data,
                            const void* beta, const cudnnTensorDescriptor_t c, void* c_data) {
  Check check("cudnnOpTensor", handle);
  check.that(is_live(d) && d->is_set, "opTensorDesc");
  check_repeats(check, a, c, "aDesc");
  check.given(alpha, "alpha").given(beta, "beta").given(a_data, "A").given(c_data, "C");
  if (check.failed()) return check.status();
  const bool is_unary = d->op == CUDNN_OP_TENSOR_SQRT || d->op == CUDNN_OP_TENSOR_NOT;
  if (!is_unary) check_repeats(check, b, c, "bDesc").given(alpha2, "alpha2").given(b_data, "B");
  if (check.failed()) return check.status();
  return status_of(launch_combine(c->type, d->op, d->nan == CUDNN_PROPAGATE_NAN, layout_of(*a),
                                  a_data, is_unary ? Layout() : layout_of(*b), b_data,
                                  is_unary ? 0 : number(alpha2, c->type), layout_of(*c), c_data,
                                  blend_of(handle, alpha, beta, c->type)));
}

cudnnStatus_t cudnnGetReductionIndicesSize(cudnnHandle_t handle,
                                           const cudnnReduceTensorDescriptor_t d,
                                           const cudnnTensorDescriptor_t a,
                                           const cudnnTensorDescriptor_t c, size_t* bytes) {
  Check check("cudnnGetReductionIndicesSize", handle);
  check.that(is_live(d) && d->is_set, "reduceTensorDesc").given(bytes, "sizeInBytes");
  check_repeats(check, c, a, "cDesc");
  if (check.failed()) return check.status();
  *bytes = index_bytes(*d, *c);
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnGetReductionWorkspaceSize(cudnnHandle_t handle,
                                             const cudnnReduceTensorDescriptor_t d,
                                             const cudnnTensorDescriptor_t a,
                                             const cudnnTensorDescriptor_t c, size_t* bytes) {
  Check check("cudnnGetReductionWorkspaceSize", handle);
  check.that(is_live(d) && d->is_set, "reduceTensorDesc").given(bytes, "sizeInBytes");
  check_repeats(check, c, a, "cDesc");
  if (check.failed()) return check.status();
  *bytes = 0;
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnReduceTensor(cudnnHandle_t handle, const cudnnReduceTensorDescriptor_t d,
                                void* indices, size_t indices_size, void*, size_t,
                                const void* alpha, const cudnnTensorDescriptor_t a,
                                const void* a_data, const void* beta,
                                const cudnnTensorDescriptor_t c, void* c_data) {
  Check check("cudnnReduceTensor", handle);
  check.that(is_live(d) && d->is_set, "reduceTensorDesc");
  check_repeats(check, c, a, "cDesc");
  check.given(alpha, "alpha").given(beta, "beta").given(a_data, "A").given(c_data, "C");
  if (check.failed()) return check.status();
  const bool asks_for_indices = has_indices(*d);
  if (asks_for_indices)
    check.supported(d->index_type == CUDNN_32BIT_INDICES, "reduceTensorDesc")
        .given(indices, "indices")
        .that(indices_size >= index_bytes(*d, *c), "indicesSizeInBytes", CUDNN_STATUS_BAD_PARAM,
              "is smaller than was asked for");
  if (check.failed()) return check.status();
  return status_of(launch_reduce(c->type, d->op, d->nan == CUDNN_PROPAGATE_NAN, layout_of(*a),
                                 a_data, layout_of(*c), c_data,
                                 blend_of(handle, alpha, beta, c->type),
                                 asks_for_indices ? static_cast<unsigned*>(indices) : nullptr));
}

}  // extern "C"
