// cuDNN: convolutions and their gradients, and what programs ask about algorithms. There is one: it
// takes memory of the stream's pool, so that no workspace is needed. SPDX-License-Identifier:
// Apache-2.0 WITH LLVM-exception
#include "libraries/dnn/api/context.h"

namespace gridspan::libraries::dnn {
namespace {

/// Of a call: the tensors as forward convolution has them.
Check& check_convolution(Check& check, cudnnTensorStruct* x, cudnnFilterStruct* w,
                         cudnnConvolutionStruct* c, cudnnTensorStruct* y) {
  check.tensor(x, "xDesc").tensor(w, "wDesc").tensor(y, "yDesc");
  check.that(is_live(c) && c->dims > 0, "convDesc");
  if (check.failed()) return check;
  int out[CUDNN_DIM_MAX];
  check.same_type(x, w, "wDesc").same_type(x, y, "yDesc").that(y->dims == x->dims, "yDesc");
  check.that(cudnnGetConvolutionNdForwardOutputDim(c, x, w, x->dims, out) == CUDNN_STATUS_SUCCESS,
             "convDesc");
  for (int i = 0; !check.failed() && i < x->dims; ++i) check.that(out[i] == y->size[i], "yDesc");
  return check;
}

Convolution convolution_of(const cudnnTensorStruct& x, const cudnnFilterStruct& w,
                           const cudnnConvolutionStruct& c, const cudnnTensorStruct& y) {
  Convolution of;
  of.x = layout_of(x);
  of.y = layout_of(y);
  of.w = layout_of(w);
  of.groups = c.groups;
  of.flips = c.mode == CUDNN_CONVOLUTION;
  of.type = x.type;
  for (int i = 0; i < c.dims; ++i) {
    const int axis = 3 - c.dims + i;
    of.window.size[axis] = w.size[i + 2];
    of.window.pad[axis] = c.pad[i];
    of.window.step[axis] = c.step[i];
    of.window.dilation[axis] = c.dilation[i];
  }
  return of;
}

/// The algorithms' list: ours stands for the first.
template <typename Result, typename Algorithm>
cudnnStatus_t give_algorithm(Check& check, Algorithm algorithm, const cudnnConvolutionStruct* c,
                             int requested, int* returned, Result* results) {
  check.that(requested > 0, "requestedAlgoCount").given(returned, "returnedAlgoCount");
  check.given(results, "perfResults");
  if (check.failed()) return check.status();
  *results = {};
  results->algo = algorithm;
  results->status = CUDNN_STATUS_SUCCESS;
  results->determinism = CUDNN_DETERMINISTIC;
  results->mathType = c->math;
  *returned = 1;
  return CUDNN_STATUS_SUCCESS;
}

/// Of a call of cuDNN 7, which asks for one. Ours needs no workspace, so that it keeps every limit.
template <typename Algorithm>
cudnnStatus_t give_one(Check& check, Algorithm algorithm, int preference, Algorithm* given) {
  check.that(preference >= 0 && preference <= 2, "preference").given(given, "algo");
  if (!check.failed()) *given = algorithm;
  return check.status();
}

cudnnStatus_t give_count(Check check, int* count) {
  if (check.given(count, "count").failed()) return check.status();
  *count = 1;
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t give_no_workspace(Check& check, bool is_algorithm, size_t* bytes) {
  check.that(is_algorithm, "algo").given(bytes, "sizeInBytes");
  if (check.failed()) return check.status();
  *bytes = 0;
  return CUDNN_STATUS_SUCCESS;
}

constexpr auto first_forward = CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_GEMM;
// Programs that ask for reproducible results look for these.
constexpr auto first_data = CUDNN_CONVOLUTION_BWD_DATA_ALGO_1;
constexpr auto first_filter = CUDNN_CONVOLUTION_BWD_FILTER_ALGO_1;

}  // namespace
}  // namespace gridspan::libraries::dnn

using namespace gridspan::libraries;       // NOLINT(google-build-using-namespace): the C functions
using namespace gridspan::libraries::dnn;  // NOLINT(google-build-using-namespace)

extern "C" {

cudnnStatus_t cudnnGetConvolutionForwardAlgorithmMaxCount(cudnnHandle_t handle, int* count) {
  return give_count(Check("cudnnGetConvolutionForwardAlgorithmMaxCount", handle), count);
}
cudnnStatus_t cudnnGetConvolutionForwardAlgorithm_v7(
    cudnnHandle_t handle, const cudnnTensorDescriptor_t x, const cudnnFilterDescriptor_t w,
    const cudnnConvolutionDescriptor_t c, const cudnnTensorDescriptor_t y, const int requested,
    int* returned, cudnnConvolutionFwdAlgoPerf_t* results) {
  Check check("cudnnGetConvolutionForwardAlgorithm_v7", handle);
  check_convolution(check, x, w, c, y);
  return give_algorithm(check, first_forward, c, requested, returned, results);
}
cudnnStatus_t cudnnGetConvolutionForwardAlgorithm(
    cudnnHandle_t handle, const cudnnTensorDescriptor_t x, const cudnnFilterDescriptor_t w,
    const cudnnConvolutionDescriptor_t c, const cudnnTensorDescriptor_t y,
    cudnnConvolutionFwdPreference_t preference, size_t, cudnnConvolutionFwdAlgo_t* algo) {
  Check check("cudnnGetConvolutionForwardAlgorithm", handle);
  check_convolution(check, x, w, c, y);
  return give_one(check, first_forward, preference, algo);
}
cudnnStatus_t cudnnFindConvolutionForwardAlgorithm(
    cudnnHandle_t handle, const cudnnTensorDescriptor_t x, const cudnnFilterDescriptor_t w,
    const cudnnConvolutionDescriptor_t c, const cudnnTensorDescriptor_t y, const int requested,
    int* returned, cudnnConvolutionFwdAlgoPerf_t* results) {
  Check check("cudnnFindConvolutionForwardAlgorithm", handle);
  check_convolution(check, x, w, c, y);
  return give_algorithm(check, first_forward, c, requested, returned, results);
}
cudnnStatus_t cudnnFindConvolutionForwardAlgorithmEx(
    cudnnHandle_t handle, const cudnnTensorDescriptor_t x, const void*,
    const cudnnFilterDescriptor_t w, const void*, const cudnnConvolutionDescriptor_t c,
    const cudnnTensorDescriptor_t y, void*, const int requested, int* returned,
    cudnnConvolutionFwdAlgoPerf_t* results, void*, size_t) {
  Check check("cudnnFindConvolutionForwardAlgorithmEx", handle);
  check_convolution(check, x, w, c, y);
  return give_algorithm(check, first_forward, c, requested, returned, results);
}
cudnnStatus_t cudnnGetConvolutionForwardWorkspaceSize(
    cudnnHandle_t handle, const cudnnTensorDescriptor_t x, const cudnnFilterDescriptor_t w,
    const cudnnConvolutionDescriptor_t c, const cudnnTensorDescriptor_t y,
    cudnnConvolutionFwdAlgo_t algo, size_t* bytes) {
  Check check("cudnnGetConvolutionForwardWorkspaceSize", handle);
  check_convolution(check, x, w, c, y);
  return give_no_workspace(check, algo >= 0 && algo < CUDNN_CONVOLUTION_FWD_ALGO_COUNT, bytes);
}

cudnnStatus_t cudnnGetConvolutionBackwardDataAlgorithmMaxCount(cudnnHandle_t handle, int* count) {
  return give_count(Check("cudnnGetConvolutionBackwardDataAlgorithmMaxCount", handle), count);
}
cudnnStatus_t cudnnGetConvolutionBackwardDataAlgorithm_v7(
    cudnnHandle_t handle, const cudnnFilterDescriptor_t w, const cudnnTensorDescriptor_t y,
    const cudnnConvolutionDescriptor_t c, const cudnnTensorDescriptor_t x, const int requested,
    int* returned, cudnnConvolutionBwdDataAlgoPerf_t* results) {
  Check check("cudnnGetConvolutionBackwardDataAlgorithm_v7", handle);
  check_convolution(check, x, w, c, y);
  return give_algorithm(check, first_data, c, requested, returned, results);
}
cudnnStatus_t cudnnGetConvolutionBackwardDataAlgorithm(
    cudnnHandle_t handle, const cudnnFilterDescriptor_t w, const cudnnTensorDescriptor_t y,
    const cudnnConvolutionDescriptor_t c, const cudnnTensorDescriptor_t x,
    cudnnConvolutionBwdDataPreference_t preference, size_t, cudnnConvolutionBwdDataAlgo_t* algo) {
  Check check("cudnnGetConvolutionBackwardDataAlgorithm", handle);
  check_convolution(check, x, w, c, y);
  return give_one(check, first_data, preference, algo);
}
cudnnStatus_t cudnnFindConvolutionBackwardDataAlgorithm(
    cudnnHandle_t handle, const cudnnFilterDescriptor_t w, const cudnnTensorDescriptor_t y,
    const cudnnConvolutionDescriptor_t c, const cudnnTensorDescriptor_t x, const int requested,
    int* returned, cudnnConvolutionBwdDataAlgoPerf_t* results) {
  Check check("cudnnFindConvolutionBackwardDataAlgorithm", handle);
  check_convolution(check, x, w, c, y);
  return give_algorithm(check, first_data, c, requested, returned, results);
}
cudnnStatus_t cudnnFindConvolutionBackwardDataAlgorithmEx(
    cudnnHandle_t handle, const cudnnFilterDescriptor_t w, const void*,
    const cudnnTensorDescriptor_t y, const void*, const cudnnConvolutionDescriptor_t c,
    const cudnnTensorDescriptor_t x, void*, const int requested, int* returned,
    cudnnConvolutionBwdDataAlgoPerf_t* results, void*, size_t) {
  Check check("cudnnFindConvolutionBackwardDataAlgorithmEx", handle);
  check_convolution(check, x, w, c, y);
  return give_algorithm(check, first_data, c, requested, returned, results);
}
cudnnStatus_t cudnnGetConvolutionBackwardDataWorkspaceSize(
    cudnnHandle_t handle, const cudnnFilterDescriptor_t w, const cudnnTensorDescriptor_t y,
    const cudnnConvolutionDescriptor_t c, const cudnnTensorDescriptor_t x,
    cudnnConvolutionBwdDataAlgo_t algo, size_t* bytes) {
  Check check("cudnnGetConvolutionBackwardDataWorkspaceSize", handle);
  check_convolution(check, x, w, c, y);
  return give_no_workspace(check, algo >= 0 && algo < CUDNN_CONVOLUTION_BWD_DATA_ALGO_COUNT, bytes);
}

cudnnStatus_t cudnnGetConvolutionBackwardFilterAlgorithmMaxCount(cudnnHandle_t handle, int* count) {
  return give_count(Check("cudnnGetConvolutionBackwardFilterAlgorithmMaxCount", handle), count);
}
cudnnStatus_t cudnnGetConvolutionBackwardFilterAlgorithm_v7(
    cudnnHandle_t handle, const cudnnTensorDescriptor_t x, const cudnnTensorDescriptor_t y,
    const cudnnConvolutionDescriptor_t c, const cudnnFilterDescriptor_t w, const int requested,
    int* returned, cudnnConvolutionBwdFilterAlgoPerf_t* results) {
  Check check("cudnnGetConvolutionBackwardFilterAlgorithm_v7", handle);
  check_convolution(check, x, w, c, y);
  return give_algorithm(check, first_filter, c, requested, returned, results);
}
cudnnStatus_t cudnnGetConvolutionBackwardFilterAlgorithm(
    cudnnHandle_t handle, const cudnnTensorDescriptor_t x, const cudnnTensorDescriptor_t y,
    const cudnnConvolutionDescriptor_t c, const cudnnFilterDescriptor_t w,
    cudnnConvolutionBwdFilterPreference_t preference, size_t,
    cudnnConvolutionBwdFilterAlgo_t* algo) {
  Check check("cudnnGetConvolutionBackwardFilterAlgorithm", handle);
  check_convolution(check, x, w, c, y);
  return give_one(check, first_filter, preference, algo);
}
cudnnStatus_t cudnnFindConvolutionBackwardFilterAlgorithm(
    cudnnHandle_t handle, const cudnnTensorDescriptor_t x, const cudnnTensorDescriptor_t y,
    const cudnnConvolutionDescriptor_t c, const cudnnFilterDescriptor_t w, const int requested,
    int* returned, cudnnConvolutionBwdFilterAlgoPerf_t* results) {
  Check check("cudnnFindConvolutionBackwardFilterAlgorithm", handle);
  check_convolution(check, x, w, c, y);
  return give_algorithm(check, first_filter, c, requested, returned, results);
}
cudnnStatus_t cudnnFindConvolutionBackwardFilterAlgorithmEx(
    cudnnHandle_t handle, const cudnnTensorDescriptor_t x, const void*,
    const cudnnTensorDescriptor_t y, const void*, const cudnnConvolutionDescriptor_t c,
    const cudnnFilterDescriptor_t w, void*, const int requested, int* returned,
    cudnnConvolutionBwdFilterAlgoPerf_t* results, void*, size_t) {
  Check check("cudnnFindConvolutionBackwardFilterAlgorithmEx", handle);
  check_convolution(check, x, w, c, y);
  return give_algorithm(check, first_filter, c, requested, returned, results);
}
cudnnStatus_t cudnnGetConvolutionBackwardFilterWorkspaceSize(
    cudnnHandle_t handle, const cudnnTensorDescriptor_t x, const cudnnTensorDescriptor_t y,
    const cudnnConvolutionDescriptor_t c, const cudnnFilterDescriptor_t w,
    cudnnConvolutionBwdFilterAlgo_t algo, size_t* bytes) {
  Check check("cudnnGetConvolutionBackwardFilterWorkspaceSize", handle);
  check_convolution(check, x, w, c, y);
  return give_no_workspace(check, algo >= 0 && algo < CUDNN_CONVOLUTION_BWD_FILTER_ALGO_COUNT,
                           bytes);
}

cudnnStatus_t cudnnConvolutionForward(cudnnHandle_t handle, const void* alpha,
                                      const cudnnTensorDescriptor_t x, const void* x_data,
                                      const cudnnFilterDescriptor_t w, const void* w_data,
                                      const cudnnConvolutionDescriptor_t c,
                                      cudnnConvolutionFwdAlgo_t algo, void*, size_t,
                                      const void* beta, const cudnnTensorDescriptor_t y,
                                      void* y_data) {
  Check check("cudnnConvolutionForward", handle);
  check_convolution(check, x, w, c, y).given(alpha, "alpha").given(beta, "beta");
  check.given(x_data, "x").given(w_data, "w").given(y_data, "y");
  check.that(algo >= 0 && algo < CUDNN_CONVOLUTION_FWD_ALGO_COUNT, "algo");
  if (check.failed()) return check.status();
  return status_of(launch_convolution(convolution_of(*x, *w, *c, *y), x_data, w_data, y_data,
                                      blend_of(handle, alpha, beta, x->type)));
}

cudnnStatus_t cudnnConvolutionBackwardData(cudnnHandle_t handle, const void* alpha,
                                           const cudnnFilterDescriptor_t w, const void* w_data,
                                           const cudnnTensorDescriptor_t dy, const void* dy_data,
                                           const cudnnConvolutionDescriptor_t c,
                                           cudnnConvolutionBwdDataAlgo_t algo, void*, size_t,
                                           const void* beta, const cudnnTensorDescriptor_t dx,
                                           void* dx_data) {
  Check check("cudnnConvolutionBackwardData", handle);
  check_convolution(check, dx, w, c, dy).given(alpha, "alpha").given(beta, "beta");
  check.given(w_data, "w").given(dy_data, "dy").given(dx_data, "dx");
  check.that(algo >= 0 && algo < CUDNN_CONVOLUTION_BWD_DATA_ALGO_COUNT, "algo");
  if (check.failed()) return check.status();
  return status_of(launch_data_gradient(convolution_of(*dx, *w, *c, *dy), w_data, dy_data, dx_data,
                                        blend_of(handle, alpha, beta, dx->type)));
}

cudnnStatus_t cudnnConvolutionBackwardFilter(cudnnHandle_t handle, const void* alpha,
                                             const cudnnTensorDescriptor_t x, const void* x_data,
                                             const cudnnTensorDescriptor_t dy, const void* dy_data,
                                             const cudnnConvolutionDescriptor_t c,
                                             cudnnConvolutionBwdFilterAlgo_t algo, void*, size_t,
                                             const void* beta, const cudnnFilterDescriptor_t dw,
                                             void* dw_data) {
  Check check("cudnnConvolutionBackwardFilter", handle);
  check_convolution(check, x, dw, c, dy).given(alpha, "alpha").given(beta, "beta");
  check.given(x_data, "x").given(dy_data, "dy").given(dw_data, "dw");
  check.that(algo >= 0 && algo < CUDNN_CONVOLUTION_BWD_FILTER_ALGO_COUNT, "algo");
  if (check.failed()) return check.status();
  return status_of(launch_filter_gradient(convolution_of(*x, *dw, *c, *dy), x_data, dy_data,
                                          dw_data, blend_of(handle, alpha, beta, x->type)));
}

cudnnStatus_t cudnnConvolutionBackwardBias(cudnnHandle_t handle, const void* alpha,
                                           const cudnnTensorDescriptor_t dy, const void* dy_data,
                                           const void* beta, const cudnnTensorDescriptor_t db,
                                           void* db_data) {
  Check check("cudnnConvolutionBackwardBias", handle);
  check.tensor(dy, "dyDesc").tensor(db, "dbDesc").same_type(dy, db, "dbDesc");
  check.given(alpha, "alpha").given(beta, "beta").given(dy_data, "dy").given(db_data, "db");
  if (check.failed()) return check.status();
  check.that(db->dims == dy->dims && db->dims > 1 && db->size[1] == dy->size[1], "dbDesc");
  for (int i = 0; !check.failed() && i < db->dims; ++i)
    check.that(i == 1 || db->size[i] == 1, "dbDesc");
  if (check.failed()) return check.status();
  return status_of(launch_reduce(dy->type, CUDNN_REDUCE_TENSOR_ADD, true, layout_of(*dy), dy_data,
                                 layout_of(*db), db_data, blend_of(handle, alpha, beta, dy->type)));
}

/// y = activation(alpha1 conv(x) + alpha2 z + bias). z may be y: it is scaled where it is then.
cudnnStatus_t cudnnConvolutionBiasActivationForward(
    cudnnHandle_t handle, const void* alpha1, const cudnnTensorDescriptor_t x, const void* x_data,
    const cudnnFilterDescriptor_t w, const void* w_data, const cudnnConvolutionDescriptor_t c,
    cudnnConvolutionFwdAlgo_t algo, void*, size_t, const void* alpha2,
    const cudnnTensorDescriptor_t z, const void* z_data, const cudnnTensorDescriptor_t b,
    const void* b_data, const cudnnActivationDescriptor_t activation,
    const cudnnTensorDescriptor_t y, void* y_data) {
  Check check("cudnnConvolutionBiasActivationForward", handle);
  check_convolution(check, x, w, c, y).given(alpha1, "alpha1").given(alpha2, "alpha2");
  check.tensor(z, "zDesc")
      .same_size(y, z, "zDesc")
      .tensor(b, "biasDesc")
      .same_type(x, b, "biasDesc");
  check.given(x_data, "x").given(w_data, "w").given(y_data, "y").given(b_data, "bias");
  check.that(is_live(activation) && activation->is_set, "activationDesc");
  check.that(algo >= 0 && algo < CUDNN_CONVOLUTION_FWD_ALGO_COUNT, "algo");
  if (check.failed()) return check.status();
  const double z_factor = number(alpha2, x->type);
  check.that(z_factor == 0 || z_data, "z");
  check.that(b->dims == y->dims && b->size[1] == y->size[1], "biasDesc");
  for (int i = 0; !check.failed() && i < b->dims; ++i)
    check.that(i == 1 || b->size[i] == 1, "biasDesc");
  if (check.failed()) return check.status();
  const Layout to = layout_of(*y);
  cudaError_t error = cudaSuccess;
  double beta = z_factor;
  if (z_factor != 0 && z_data != y_data) {
    error = launch_add(x->type, layout_of(*z), z_data, to, y_data, {z_factor, 0, handle->stream});
    beta = 1;
  }
  if (error == cudaSuccess)
    error = launch_convolution(convolution_of(*x, *w, *c, *y), x_data, w_data, y_data,
                               {number(alpha1, x->type), beta, handle->stream});
  if (error == cudaSuccess)
    error = launch_add(x->type, layout_of(*b), b_data, to, y_data, {1, 1, handle->stream});
  if (error == cudaSuccess && activation->mode != CUDNN_ACTIVATION_IDENTITY)
    error = launch_activation(x->type, activation_of(*activation), to, y_data, to, y_data,
                              {1, 0, handle->stream});
  return status_of(error);
}

}  // extern "C"
