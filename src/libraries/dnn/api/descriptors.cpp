// cuDNN: descriptors.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libraries/dnn/api/descriptors.h"

namespace gridspan::libraries::dnn {
namespace {

bool is_type(cudnnDataType_t type) {
  return type >= CUDNN_DATA_FLOAT && type <= CUDNN_DATA_FAST_FLOAT_FOR_FP8;
}

/// Without gaps; with NHWC channels lie closest.
void pack(cudnnTensorStruct& t, cudnnTensorFormat_t format) {
  int next = 1;
  const auto take = [&](int axis) {
    t.stride[axis] = next;
    next *= t.size[axis];
  };
  const bool channels_last = format == CUDNN_TENSOR_NHWC && t.dims > 2;
  if (channels_last) take(1);
  for (int axis = t.dims - 1; axis >= 0; --axis)
    if (!channels_last || axis != 1) take(axis);
}

cudnnStatus_t set_tensor(const char* call, cudnnTensorStruct& t, cudnnDataType_t type, int dims,
                         const int* size, const int* stride, cudnnTensorFormat_t format) {
  Check check(call);
  check.known(is_type(type), type, "dataType").at_least(dims, 1, "nbDims").given(size, "dimA");
  check.that(dims <= CUDNN_DIM_MAX, "nbDims", CUDNN_STATUS_NOT_SUPPORTED);
  check.that(
      format == CUDNN_TENSOR_NCHW || format == CUDNN_TENSOR_NHWC, "format",
      format == CUDNN_TENSOR_NCHW_VECT_C ? CUDNN_STATUS_NOT_SUPPORTED : CUDNN_STATUS_BAD_PARAM);
  long long count = 1;
  for (int i = 0; !check.failed() && i < dims; ++i) {
    check.at_least(size[i], 1, "dimA").size(stride ? stride[i] : 0, "strideA");
    count *= size[i];
    check.that(count <= INT32_MAX, "dimA", CUDNN_STATUS_NOT_SUPPORTED);
  }
  if (check.failed()) return check.status();
  t.type = type;
  t.dims = dims;
  std::copy_n(size, dims, t.size);
  if (stride)
    std::copy_n(stride, dims, t.stride);
  else
    pack(t, format);
  return CUDNN_STATUS_SUCCESS;
}

/// Of outputs of windows along one axis.
int windows(int size, int pad, int window, int step, int dilation) {
  const int rest = size + 2 * pad - ((window - 1) * dilation + 1);
  return rest < 0 ? 0 : rest / step + 1;
}

bool output_of(const cudnnConvolutionStruct& c, const cudnnTensorStruct& x,
               const cudnnFilterStruct& w, int* out) {
  if (x.dims != c.dims + 2 || w.dims != x.dims) return false;
  if (x.size[1] != w.size[1] * c.groups || w.size[0] % c.groups) return false;
  out[0] = x.size[0];
  out[1] = w.size[0];
  for (int i = 0; i < c.dims; ++i) {
    out[i + 2] = windows(x.size[i + 2], c.pad[i], w.size[i + 2], c.step[i], c.dilation[i]);
    if (out[i + 2] <= 0) return false;
  }
  return true;
}

bool output_of(const cudnnPoolingStruct& p, const cudnnTensorStruct& x, int* out) {
  if (x.dims != p.dims + 2) return false;
  out[0] = x.size[0];
  out[1] = x.size[1];
  for (int i = 0; i < p.dims; ++i) {
    out[i + 2] = windows(x.size[i + 2], p.pad[i], p.size[i], p.step[i], 1);
    if (out[i + 2] <= 0) return false;
  }
  return true;
}

/// The sizes of what a convolution or a pooling gives.
cudnnStatus_t give_output(const cudnnConvolutionStruct* c, const cudnnTensorStruct* x,
                          const cudnnFilterStruct* w, int dims, int size[],
                          const char* call = __builtin_FUNCTION()) {
  int out[CUDNN_DIM_MAX];
  Check check(call);
  check.live(c, "convDesc").live(x, "inputTensorDesc").live(w, "filterDesc");
  if (check.given(size, "tensorOuputDimA").failed()) return check.status();
  check.same(dims, c->dims + 2, "nbDims", "the convolution has axes")
      .that(output_of(*c, *x, *w, out), "inputTensorDesc", CUDNN_STATUS_BAD_PARAM,
            "does not fit the filter and the convolution");
  if (check.failed()) return check.status();
  std::copy_n(out, dims, size);
  return CUDNN_STATUS_SUCCESS;
}
cudnnStatus_t give_output(const cudnnPoolingStruct* p, const cudnnTensorStruct* x, int dims,
                          int size[], const char* call = __builtin_FUNCTION()) {
  int out[CUDNN_DIM_MAX];
  Check check(call);
  check.live(p, "poolingDesc").live(x, "inputTensorDesc").given(size, "outputTensorDimA");
  if (check.failed()) return check.status();
  check.same(dims, p->dims + 2, "nbDims", "the pooling has axes")
      .that(output_of(*p, *x, out), "inputTensorDesc", CUDNN_STATUS_BAD_PARAM,
            "does not fit the pooling");
  if (check.failed()) return check.status();
  std::copy_n(out, dims, size);
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t set_convolution(cudnnConvolutionDescriptor_t c, int dims, const int pad[],
                              const int step[], const int dilation[], cudnnConvolutionMode_t mode,
                              cudnnDataType_t compute, const char* call = __builtin_FUNCTION()) {
  Check check(call);
  check.live(c, "convDesc").that(dims > 0 && pad && step && dilation, "arrayLength");
  check.that(dims <= 3, "arrayLength", CUDNN_STATUS_NOT_SUPPORTED);
  check.known(mode == CUDNN_CONVOLUTION || mode == CUDNN_CROSS_CORRELATION, mode, "mode");
  check.known(is_type(compute), compute, "computeType");
  for (int i = 0; !check.failed() && i < dims; ++i)
    check.size(pad[i], "padA")
        .at_least(step[i], 1, "filterStrideA")
        .at_least(dilation[i], 1, "dilationA");
  if (check.failed()) return check.status();
  c->dims = dims;
  std::copy_n(pad, dims, c->pad);
  std::copy_n(step, dims, c->step);
  std::copy_n(dilation, dims, c->dilation);
  c->mode = mode;
  c->compute = compute;
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t set_pooling(cudnnPoolingDescriptor_t p, const cudnnPoolingMode_t mode,
                          const cudnnNanPropagation_t nan, int dims, const int size[],
                          const int pad[], const int step[],
                          const char* call = __builtin_FUNCTION()) {
  Check check(call);
  check.live(p, "poolingDesc");
  check.known(mode >= CUDNN_POOLING_MAX && mode <= CUDNN_POOLING_MAX_DETERMINISTIC, mode, "mode");
  check.known(nan == CUDNN_NOT_PROPAGATE_NAN || nan == CUDNN_PROPAGATE_NAN, nan,
              "maxpoolingNanOpt");
  check.that(dims > 0 && size && pad && step, "nbDims");
  check.that(dims <= 3, "nbDims", CUDNN_STATUS_NOT_SUPPORTED);
  for (int i = 0; !check.failed() && i < dims; ++i)
    check.that(size[i] > 0, "windowDimA")
        .that(pad[i] >= 0 && pad[i] < size[i], "paddingA")
        .that(step[i] > 0, "strideA");
  if (check.failed()) return check.status();
  p->dims = dims;
  p->mode = mode;
  p->nan = nan;
  std::copy_n(size, dims, p->size);
  std::copy_n(pad, dims, p->pad);
  std::copy_n(step, dims, p->step);
  return CUDNN_STATUS_SUCCESS;
}

}  // namespace
}  // namespace gridspan::libraries::dnn

using namespace gridspan::libraries;       // NOLINT(google-build-using-namespace): the C functions
using namespace gridspan::libraries::dnn;  // NOLINT(google-build-using-namespace)

extern "C" {

cudnnStatus_t cudnnCreateTensorDescriptor(cudnnTensorDescriptor_t* descriptor) {
  return create_descriptor(descriptor);
}
cudnnStatus_t cudnnDestroyTensorDescriptor(cudnnTensorDescriptor_t descriptor) {
  return destroy_descriptor(descriptor);
}
cudnnStatus_t cudnnCreateFilterDescriptor(cudnnFilterDescriptor_t* descriptor) {
  return create_descriptor(descriptor);
}
cudnnStatus_t cudnnDestroyFilterDescriptor(cudnnFilterDescriptor_t descriptor) {
  return destroy_descriptor(descriptor);
}
cudnnStatus_t cudnnCreateConvolutionDescriptor(cudnnConvolutionDescriptor_t* descriptor) {
  return create_descriptor(descriptor);
}
cudnnStatus_t cudnnDestroyConvolutionDescriptor(cudnnConvolutionDescriptor_t descriptor) {
  return destroy_descriptor(descriptor);
}
cudnnStatus_t cudnnCreatePoolingDescriptor(cudnnPoolingDescriptor_t* descriptor) {
  return create_descriptor(descriptor);
}
cudnnStatus_t cudnnDestroyPoolingDescriptor(cudnnPoolingDescriptor_t descriptor) {
  return destroy_descriptor(descriptor);
}
cudnnStatus_t cudnnCreateActivationDescriptor(cudnnActivationDescriptor_t* descriptor) {
  return create_descriptor(descriptor);
}
cudnnStatus_t cudnnDestroyActivationDescriptor(cudnnActivationDescriptor_t descriptor) {
  return destroy_descriptor(descriptor);
}
cudnnStatus_t cudnnCreateLRNDescriptor(cudnnLRNDescriptor_t* descriptor) {
  return create_descriptor(descriptor);
}
cudnnStatus_t cudnnDestroyLRNDescriptor(cudnnLRNDescriptor_t descriptor) {
  return destroy_descriptor(descriptor);
}
cudnnStatus_t cudnnCreateOpTensorDescriptor(cudnnOpTensorDescriptor_t* descriptor) {
  return create_descriptor(descriptor);
}
cudnnStatus_t cudnnDestroyOpTensorDescriptor(cudnnOpTensorDescriptor_t descriptor) {
  return destroy_descriptor(descriptor);
}
cudnnStatus_t cudnnCreateReduceTensorDescriptor(cudnnReduceTensorDescriptor_t* descriptor) {
  return create_descriptor(descriptor);
}
cudnnStatus_t cudnnDestroyReduceTensorDescriptor(cudnnReduceTensorDescriptor_t descriptor) {
  return destroy_descriptor(descriptor);
}

cudnnStatus_t cudnnSetTensor4dDescriptor(cudnnTensorDescriptor_t t, cudnnTensorFormat_t format,
                                         cudnnDataType_t type, int n, int c, int h, int w) {
  if (const Check check = check_descriptor(t); check.failed()) return check.status();
  const int size[] = {n, c, h, w};
  return set_tensor("cudnnSetTensor4dDescriptor", *t, type, 4, size, nullptr, format);
}
cudnnStatus_t cudnnSetTensor4dDescriptorEx(cudnnTensorDescriptor_t t, cudnnDataType_t type, int n,
                                           int c, int h, int w, int nStride, int cStride,
                                           int hStride, int wStride) {
  if (const Check check = check_descriptor(t); check.failed()) return check.status();
  const int size[] = {n, c, h, w}, stride[] = {nStride, cStride, hStride, wStride};
  return set_tensor("cudnnSetTensor4dDescriptorEx", *t, type, 4, size, stride, CUDNN_TENSOR_NCHW);
}
cudnnStatus_t cudnnGetTensor4dDescriptor(const cudnnTensorDescriptor_t t, cudnnDataType_t* type,
                                         int* n, int* c, int* h, int* w, int* nStride, int* cStride,
                                         int* hStride, int* wStride) {
  if (const Check check = Check(__func__).axes(t, 4, name_of(t)); check.failed())
    return check.status();
  give(type, t->type);
  int* const sizes[] = {n, c, h, w};
  int* const strides[] = {nStride, cStride, hStride, wStride};
  for (int i = 0; i < 4; ++i) {
    give(sizes[i], t->size[i]);
    give(strides[i], t->stride[i]);
  }
  return CUDNN_STATUS_SUCCESS;
}
cudnnStatus_t cudnnSetTensorNdDescriptor(cudnnTensorDescriptor_t t, cudnnDataType_t type, int dims,
                                         const int size[], const int stride[]) {
  if (const Check check = check_descriptor(t).given(stride, "strideA"); check.failed())
    return check.status();
  return set_tensor("cudnnSetTensorNdDescriptor", *t, type, dims, size, stride, CUDNN_TENSOR_NCHW);
}
cudnnStatus_t cudnnSetTensorNdDescriptorEx(cudnnTensorDescriptor_t t, cudnnTensorFormat_t format,
                                           cudnnDataType_t type, int dims, const int size[]) {
  if (const Check check = check_descriptor(t); check.failed()) return check.status();
  return set_tensor("cudnnSetTensorNdDescriptorEx", *t, type, dims, size, nullptr, format);
}
cudnnStatus_t cudnnGetTensorNdDescriptor(const cudnnTensorDescriptor_t t, int most,
                                         cudnnDataType_t* type, int* dims, int size[],
                                         int stride[]) {
  const Check check = check_descriptor(t).size(most, "nbDimsRequested");
  if (check.failed()) return check.status();
  give(type, t->type);
  give(dims, t->dims);
  give_all(size, t->size, std::min(most, t->dims));
  give_all(stride, t->stride, std::min(most, t->dims));
  return CUDNN_STATUS_SUCCESS;
}
cudnnStatus_t cudnnGetTensorSizeInBytes(const cudnnTensorDescriptor_t t, size_t* size) {
  const Check check = Check(__func__).set(t, name_of(t)).given(size, "size");
  if (check.failed()) return check.status();
  size_t last = 0;
  for (int i = 0; i < t->dims; ++i)
    last += static_cast<size_t>(t->size[i] - 1) * static_cast<size_t>(t->stride[i]);
  *size = (last + 1) * bytes_of(t->type);
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnSetFilterNdDescriptor(cudnnFilterDescriptor_t w, cudnnDataType_t type,
                                         cudnnTensorFormat_t format, int dims, const int size[]) {
  if (const Check check = check_descriptor(w); check.failed()) return check.status();
  const cudnnStatus_t status =
      set_tensor("cudnnSetFilterNdDescriptor", *w, type, dims, size, nullptr, format);
  if (status == CUDNN_STATUS_SUCCESS) w->format = format;
  return status;
}
cudnnStatus_t cudnnSetFilter4dDescriptor(cudnnFilterDescriptor_t w, cudnnDataType_t type,
                                         cudnnTensorFormat_t format, int k, int c, int h, int v) {
  const int size[] = {k, c, h, v};
  return cudnnSetFilterNdDescriptor(w, type, format, 4, size);
}
cudnnStatus_t cudnnGetFilterNdDescriptor(const cudnnFilterDescriptor_t w, int most,
                                         cudnnDataType_t* type, cudnnTensorFormat_t* format,
                                         int* dims, int size[]) {
  const Check check = check_descriptor(w).size(most, "nbDimsRequested");
  if (check.failed()) return check.status();
  give(type, w->type);
  give(format, w->format);
  give(dims, w->dims);
  give_all(size, w->size, std::min(most, w->dims));
  return CUDNN_STATUS_SUCCESS;
}
cudnnStatus_t cudnnGetFilter4dDescriptor(const cudnnFilterDescriptor_t w, cudnnDataType_t* type,
                                         cudnnTensorFormat_t* format, int* k, int* c, int* h,
                                         int* v) {
  if (const Check check = Check(__func__).axes(w, 4, name_of(w)); check.failed())
    return check.status();
  give(type, w->type);
  give(format, w->format);
  int* const sizes[] = {k, c, h, v};
  for (int i = 0; i < 4; ++i) give(sizes[i], w->size[i]);
  return CUDNN_STATUS_SUCCESS;
}
cudnnStatus_t cudnnGetFilterSizeInBytes(const cudnnFilterDescriptor_t w, size_t* size) {
  const Check check = Check(__func__).set(w, name_of(w)).given(size, "size");
  if (check.failed()) return check.status();
  *size = bytes_of(w->type);
  for (int i = 0; i < w->dims; ++i) *size *= static_cast<size_t>(w->size[i]);
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnSetConvolutionNdDescriptor(cudnnConvolutionDescriptor_t c, int dims,
                                              const int pad[], const int step[],
                                              const int dilation[], cudnnConvolutionMode_t mode,
                                              cudnnDataType_t compute) {
  return set_convolution(c, dims, pad, step, dilation, mode, compute);
}
cudnnStatus_t cudnnSetConvolution2dDescriptor(cudnnConvolutionDescriptor_t c, int pad_h, int pad_w,
                                              int u, int v, int dilation_h, int dilation_w,
                                              cudnnConvolutionMode_t mode,
                                              cudnnDataType_t compute) {
  const int pad[] = {pad_h, pad_w}, step[] = {u, v}, dilation[] = {dilation_h, dilation_w};
  return set_convolution(c, 2, pad, step, dilation, mode, compute);
}
cudnnStatus_t cudnnGetConvolution2dDescriptor(const cudnnConvolutionDescriptor_t c, int* pad_h,
                                              int* pad_w, int* u, int* v, int* dilation_h,
                                              int* dilation_w, cudnnConvolutionMode_t* mode,
                                              cudnnDataType_t* compute) {
  if (const Check check = Check(__func__).axes(c, 2, name_of(c)); check.failed())
    return check.status();
  give(pad_h, c->pad[0]);
  give(pad_w, c->pad[1]);
  give(u, c->step[0]);
  give(v, c->step[1]);
  give(dilation_h, c->dilation[0]);
  give(dilation_w, c->dilation[1]);
  give(mode, c->mode);
  give(compute, c->compute);
  return CUDNN_STATUS_SUCCESS;
}
cudnnStatus_t cudnnGetConvolutionNdDescriptor(const cudnnConvolutionDescriptor_t c, int most,
                                              int* dims, int pad[], int step[], int dilation[],
                                              cudnnConvolutionMode_t* mode,
                                              cudnnDataType_t* compute) {
  const Check check = check_descriptor(c).size(most, "arrayLengthRequested");
  if (check.failed()) return check.status();
  const int count = std::min(most, c->dims);
  give(dims, c->dims);
  give_all(pad, c->pad, count);
  give_all(step, c->step, count);
  give_all(dilation, c->dilation, count);
  give(mode, c->mode);
  give(compute, c->compute);
  return CUDNN_STATUS_SUCCESS;
}
cudnnStatus_t cudnnSetConvolutionMathType(cudnnConvolutionDescriptor_t c, cudnnMathType_t value) {
  const bool is_known = value >= CUDNN_DEFAULT_MATH && value <= CUDNN_FMA_MATH;
  const Check check = check_descriptor(c).known(is_known, value, "mathType");
  if (check.failed()) return check.status();
  c->math = value;
  return CUDNN_STATUS_SUCCESS;
}
cudnnStatus_t cudnnGetConvolutionMathType(cudnnConvolutionDescriptor_t c, cudnnMathType_t* value) {
  if (const Check check = check_descriptor(c).given(value, "mathType"); check.failed())
    return check.status();
  *value = c->math;
  return CUDNN_STATUS_SUCCESS;
}
cudnnStatus_t cudnnSetConvolutionGroupCount(cudnnConvolutionDescriptor_t c, int value) {
  const Check check = check_descriptor(c).at_least(value, 1, "groupCount");
  if (check.failed()) return check.status();
  c->groups = value;
  return CUDNN_STATUS_SUCCESS;
}
cudnnStatus_t cudnnGetConvolutionGroupCount(cudnnConvolutionDescriptor_t c, int* value) {
  if (const Check check = check_descriptor(c).given(value, "groupCount"); check.failed())
    return check.status();
  *value = c->groups;
  return CUDNN_STATUS_SUCCESS;
}
cudnnStatus_t cudnnSetConvolutionReorderType(cudnnConvolutionDescriptor_t c,
                                             cudnnReorderType_t value) {
  const bool is_known = value == CUDNN_DEFAULT_REORDER || value == CUDNN_NO_REORDER;
  const Check check = check_descriptor(c).known(is_known, value, "reorderType");
  if (check.failed()) return check.status();
  c->reorder = value;
  return CUDNN_STATUS_SUCCESS;
}
cudnnStatus_t cudnnGetConvolutionReorderType(cudnnConvolutionDescriptor_t c,
                                             cudnnReorderType_t* value) {
  if (const Check check = check_descriptor(c).given(value, "reorderType"); check.failed())
    return check.status();
  *value = c->reorder;
  return CUDNN_STATUS_SUCCESS;
}
cudnnStatus_t cudnnGetConvolutionNdForwardOutputDim(const cudnnConvolutionDescriptor_t c,
                                                    const cudnnTensorDescriptor_t x,
                                                    const cudnnFilterDescriptor_t w, int dims,
                                                    int size[]) {
  return give_output(c, x, w, dims, size);
}
cudnnStatus_t cudnnGetConvolution2dForwardOutputDim(const cudnnConvolutionDescriptor_t c,
                                                    const cudnnTensorDescriptor_t x,
                                                    const cudnnFilterDescriptor_t w, int* n, int* k,
                                                    int* h, int* v) {
  int out[4];
  const cudnnStatus_t status = give_output(c, x, w, 4, out);
  int* const to[] = {n, k, h, v};
  for (int i = 0; status == CUDNN_STATUS_SUCCESS && i < 4; ++i) give(to[i], out[i]);
  return status;
}

cudnnStatus_t cudnnSetPoolingNdDescriptor(cudnnPoolingDescriptor_t p, const cudnnPoolingMode_t mode,
                                          const cudnnNanPropagation_t nan, int dims,
                                          const int size[], const int pad[], const int step[]) {
  return set_pooling(p, mode, nan, dims, size, pad, step);
}
cudnnStatus_t cudnnSetPooling2dDescriptor(cudnnPoolingDescriptor_t p, cudnnPoolingMode_t mode,
                                          cudnnNanPropagation_t nan, int height, int width,
                                          int pad_h, int pad_w, int step_h, int step_w) {
  const int size[] = {height, width}, pad[] = {pad_h, pad_w}, step[] = {step_h, step_w};
  return set_pooling(p, mode, nan, 2, size, pad, step);
}
cudnnStatus_t cudnnGetPoolingNdDescriptor(const cudnnPoolingDescriptor_t p, int most,
                                          cudnnPoolingMode_t* mode, cudnnNanPropagation_t* nan,
                                          int* dims, int size[], int pad[], int step[]) {
  const Check check = check_descriptor(p).size(most, "nbDimsRequested");
  if (check.failed()) return check.status();
  const int count = std::min(most, p->dims);
  give(mode, p->mode);
  give(nan, p->nan);
  give(dims, p->dims);
  give_all(size, p->size, count);
  give_all(pad, p->pad, count);
  give_all(step, p->step, count);
  return CUDNN_STATUS_SUCCESS;
}
cudnnStatus_t cudnnGetPooling2dDescriptor(const cudnnPoolingDescriptor_t p,
                                          cudnnPoolingMode_t* mode, cudnnNanPropagation_t* nan,
                                          int* height, int* width, int* pad_h, int* pad_w,
                                          int* step_h, int* step_w) {
  if (const Check check = Check(__func__).axes(p, 2, name_of(p)); check.failed())
    return check.status();
  give(mode, p->mode);
  give(nan, p->nan);
  give(height, p->size[0]);
  give(width, p->size[1]);
  give(pad_h, p->pad[0]);
  give(pad_w, p->pad[1]);
  give(step_h, p->step[0]);
  give(step_w, p->step[1]);
  return CUDNN_STATUS_SUCCESS;
}
cudnnStatus_t cudnnGetPoolingNdForwardOutputDim(const cudnnPoolingDescriptor_t p,
                                                const cudnnTensorDescriptor_t x, int dims,
                                                int size[]) {
  return give_output(p, x, dims, size);
}
cudnnStatus_t cudnnGetPooling2dForwardOutputDim(const cudnnPoolingDescriptor_t p,
                                                const cudnnTensorDescriptor_t x, int* n, int* c,
                                                int* h, int* w) {
  int out[4];
  const cudnnStatus_t status = give_output(p, x, 4, out);
  int* const to[] = {n, c, h, w};
  for (int i = 0; status == CUDNN_STATUS_SUCCESS && i < 4; ++i) give(to[i], out[i]);
  return status;
}

cudnnStatus_t cudnnSetActivationDescriptor(cudnnActivationDescriptor_t a,
                                           cudnnActivationMode_t mode, cudnnNanPropagation_t nan,
                                           double limit) {
  const Check check =
      check_descriptor(a)
          .known(mode >= CUDNN_ACTIVATION_SIGMOID && mode <= CUDNN_ACTIVATION_SWISH, mode, "mode")
          .known(nan == CUDNN_NOT_PROPAGATE_NAN || nan == CUDNN_PROPAGATE_NAN, nan, "reluNanOpt");
  if (check.failed()) return check.status();
  *a = {true, mode, nan, limit, a->swish_beta};
  return CUDNN_STATUS_SUCCESS;
}
cudnnStatus_t cudnnGetActivationDescriptor(const cudnnActivationDescriptor_t a,
                                           cudnnActivationMode_t* mode, cudnnNanPropagation_t* nan,
                                           double* limit) {
  if (const Check check = check_descriptor(a); check.failed()) return check.status();
  give(mode, a->mode);
  give(nan, a->nan);
  give(limit, a->limit);
  return CUDNN_STATUS_SUCCESS;
}
cudnnStatus_t cudnnSetActivationDescriptorSwishBeta(cudnnActivationDescriptor_t a, double beta) {
  if (const Check check = check_descriptor(a); check.failed()) return check.status();
  a->swish_beta = beta;
  return CUDNN_STATUS_SUCCESS;
}
cudnnStatus_t cudnnGetActivationDescriptorSwishBeta(cudnnActivationDescriptor_t a, double* beta) {
  if (const Check check = check_descriptor(a).given(beta, "swish_beta"); check.failed())
    return check.status();
  *beta = a->swish_beta;
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnSetLRNDescriptor(cudnnLRNDescriptor_t d, unsigned count, double alpha,
                                    double beta, double k) {
  constexpr const char* not_within = "is not within its limits";
  Check check = check_descriptor(d);
  check
      .known(count >= CUDNN_LRN_MIN_N && count <= CUDNN_LRN_MAX_N, count, "lrnN",
             CUDNN_STATUS_BAD_PARAM, "not within its limits")
      .that(!(k < CUDNN_LRN_MIN_K), "lrnK", CUDNN_STATUS_BAD_PARAM, not_within)
      .that(!(beta < CUDNN_LRN_MIN_BETA), "lrnBeta", CUDNN_STATUS_BAD_PARAM, not_within);
  if (check.failed()) return check.status();
  *d = {count, alpha, beta, k};
  return CUDNN_STATUS_SUCCESS;
}
cudnnStatus_t cudnnGetLRNDescriptor(cudnnLRNDescriptor_t d, unsigned* count, double* alpha,
                                    double* beta, double* k) {
  if (const Check check = check_descriptor(d); check.failed()) return check.status();
  give(count, d->count);
  give(alpha, d->alpha);
  give(beta, d->beta);
  give(k, d->k);
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnSetOpTensorDescriptor(cudnnOpTensorDescriptor_t d, cudnnOpTensorOp_t op,
                                         cudnnDataType_t compute, cudnnNanPropagation_t nan) {
  const Check check =
      check_descriptor(d)
          .known(op >= CUDNN_OP_TENSOR_ADD && op <= CUDNN_OP_TENSOR_NOT, op, "opTensorOp")
          .known(is_type(compute), compute, "opTensorCompType");
  if (check.failed()) return check.status();
  *d = {true, op, compute, nan};
  return CUDNN_STATUS_SUCCESS;
}
cudnnStatus_t cudnnGetOpTensorDescriptor(const cudnnOpTensorDescriptor_t d, cudnnOpTensorOp_t* op,
                                         cudnnDataType_t* compute, cudnnNanPropagation_t* nan) {
  if (const Check check = check_descriptor(d); check.failed()) return check.status();
  give(op, d->op);
  give(compute, d->compute);
  give(nan, d->nan);
  return CUDNN_STATUS_SUCCESS;
}
cudnnStatus_t cudnnSetReduceTensorDescriptor(cudnnReduceTensorDescriptor_t d,
                                             cudnnReduceTensorOp_t op, cudnnDataType_t compute,
                                             cudnnNanPropagation_t nan,
                                             cudnnReduceTensorIndices_t indices,
                                             cudnnIndicesType_t index_type) {
  const bool is_op = op >= CUDNN_REDUCE_TENSOR_ADD && op <= CUDNN_REDUCE_TENSOR_MUL_NO_ZEROS;
  const Check check = check_descriptor(d)
                          .known(is_op, op, "reduceTensorOp")
                          .known(is_type(compute), compute, "reduceTensorCompType");
  if (check.failed()) return check.status();
  *d = {true, op, compute, nan, indices, index_type};
  return CUDNN_STATUS_SUCCESS;
}
cudnnStatus_t cudnnGetReduceTensorDescriptor(const cudnnReduceTensorDescriptor_t d,
                                             cudnnReduceTensorOp_t* op, cudnnDataType_t* compute,
                                             cudnnNanPropagation_t* nan,
                                             cudnnReduceTensorIndices_t* indices,
                                             cudnnIndicesType_t* index_type) {
  if (const Check check = check_descriptor(d); check.failed()) return check.status();
  give(op, d->op);
  give(compute, d->compute);
  give(nan, d->nan);
  give(indices, d->indices);
  give(index_type, d->index_type);
  return CUDNN_STATUS_SUCCESS;
}
cudnnStatus_t cudnnDeriveBNTensorDescriptor(cudnnTensorDescriptor_t derived,
                                            const cudnnTensorDescriptor_t x,
                                            cudnnBatchNormMode_t mode) {
  const bool is_mode =
      mode >= CUDNN_BATCHNORM_PER_ACTIVATION && mode <= CUDNN_BATCHNORM_SPATIAL_PERSISTENT;
  Check check(__func__);
  if (check.live(derived, "derivedBnDesc").live(x, "xDesc").failed()) return check.status();
  check.that(x->dims >= 2, "xDesc", CUDNN_STATUS_BAD_PARAM, "has less than two axes")
      .known(is_mode, mode, "mode");
  if (check.failed()) return check.status();
  int size[CUDNN_DIM_MAX];
  for (int i = 0; i < x->dims; ++i)
    size[i] = i == 1 || (i > 1 && mode == CUDNN_BATCHNORM_PER_ACTIVATION) ? x->size[i] : 1;
  const auto type = x->type == CUDNN_DATA_DOUBLE ? CUDNN_DATA_DOUBLE : CUDNN_DATA_FLOAT;
  return set_tensor("cudnnDeriveBNTensorDescriptor", *derived, type, x->dims, size, nullptr,
                    CUDNN_TENSOR_NCHW);
}

}  // extern "C"
