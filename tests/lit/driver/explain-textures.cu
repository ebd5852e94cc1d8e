// What is read through a texture and touched through a surface is no array of the model: such
// kernels stay on one device, and the report names the place.
//
// RUN: %gridspan explain %s | FileCheck %s

texture<float> reference;

__global__ void fetches(float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  // CHECK-LABEL: fetches(float* out)
  // CHECK-NEXT: runs on one device
  // CHECK-NEXT: why: fetches from a texture
  // CHECK: explain-textures.cu:[[#@LINE+1]]:12: remark: fetches from a texture
  out[i] = tex1Dfetch(reference, i);
}

__global__ void samples(float* out, cudaTextureObject_t object) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  // CHECK-LABEL: samples(float* out, unsigned long long object)
  // CHECK-NEXT: runs on one device
  // CHECK-NEXT: why: fetches from a texture
  // CHECK: explain-textures.cu:[[#@LINE+1]]:12: remark: fetches from a texture
  out[i] = tex2D<float>(object, i, 0.5f);
}

__global__ void writes(cudaSurfaceObject_t object) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  // CHECK-LABEL: writes(unsigned long long object)
  // CHECK-NEXT: runs on one device
  // CHECK-NEXT: why: reads or writes a surface
  // CHECK: explain-textures.cu:[[#@LINE+1]]:3: remark: reads or writes a surface
  surf1Dwrite(1.0f, object, 4 * i, cudaBoundaryModeZero);
}
