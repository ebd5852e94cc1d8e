// CUDA arrays, textures and surfaces: part of the C API (inside extern "C").
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

struct cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w,
                                                   enum cudaChannelFormatKind kind);
cudaError_t cudaGetChannelDesc(struct cudaChannelFormatDesc* format, cudaArray_const_t array);

cudaError_t cudaMallocArray(cudaArray_t* array, const struct cudaChannelFormatDesc* format,
                            size_t width, size_t height GRIDSPAN_DEFAULT(0),
                            unsigned int flags GRIDSPAN_DEFAULT(0));
cudaError_t cudaMalloc3DArray(cudaArray_t* array, const struct cudaChannelFormatDesc* format,
                              struct cudaExtent extent, unsigned int flags GRIDSPAN_DEFAULT(0));
cudaError_t cudaMallocMipmappedArray(cudaMipmappedArray_t* array,
                                     const struct cudaChannelFormatDesc* format,
                                     struct cudaExtent extent, unsigned int levels,
                                     unsigned int flags GRIDSPAN_DEFAULT(0));
cudaError_t cudaGetMipmappedArrayLevel(cudaArray_t* level, cudaMipmappedArray_const_t array,
                                       unsigned int index);
cudaError_t cudaFreeArray(cudaArray_t array);
cudaError_t cudaFreeMipmappedArray(cudaMipmappedArray_t array);
cudaError_t cudaArrayGetInfo(struct cudaChannelFormatDesc* format, struct cudaExtent* extent,
                             unsigned int* flags, cudaArray_t array);

cudaError_t cudaMemcpyToArray(cudaArray_t destination, size_t x, size_t y, const void* source,
                              size_t count, enum cudaMemcpyKind kind);
cudaError_t cudaMemcpyFromArray(void* destination, cudaArray_const_t source, size_t x, size_t y,
                                size_t count, enum cudaMemcpyKind kind);
cudaError_t cudaMemcpyToArrayAsync(cudaArray_t destination, size_t x, size_t y, const void* source,
                                   size_t count, enum cudaMemcpyKind kind,
                                   cudaStream_t stream GRIDSPAN_DEFAULT(0));
cudaError_t cudaMemcpyFromArrayAsync(void* destination, cudaArray_const_t source, size_t x,
                                     size_t y, size_t count, enum cudaMemcpyKind kind,
                                     cudaStream_t stream GRIDSPAN_DEFAULT(0));
cudaError_t cudaMemcpy2DToArray(cudaArray_t destination, size_t x, size_t y, const void* source,
                                size_t pitch, size_t width, size_t height,
                                enum cudaMemcpyKind kind);
cudaError_t cudaMemcpy2DFromArray(void* destination, size_t pitch, cudaArray_const_t source,
                                  size_t x, size_t y, size_t width, size_t height,
                                  enum cudaMemcpyKind kind);
cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t destination, size_t x, size_t y,
                                     const void* source, size_t pitch, size_t width, size_t height,
                                     enum cudaMemcpyKind kind,
                                     cudaStream_t stream GRIDSPAN_DEFAULT(0));
cudaError_t cudaMemcpy2DFromArrayAsync(void* destination, size_t pitch, cudaArray_const_t source,
                                       size_t x, size_t y, size_t width, size_t height,
                                       enum cudaMemcpyKind kind,
                                       cudaStream_t stream GRIDSPAN_DEFAULT(0));
cudaError_t cudaMemcpyArrayToArray(
    cudaArray_t destination, size_t destination_x, size_t destination_y, cudaArray_const_t source,
    size_t source_x, size_t source_y, size_t count,
    enum cudaMemcpyKind kind GRIDSPAN_DEFAULT(cudaMemcpyDeviceToDevice));
cudaError_t cudaMemcpy2DArrayToArray(
    cudaArray_t destination, size_t destination_x, size_t destination_y, cudaArray_const_t source,
    size_t source_x, size_t source_y, size_t width, size_t height,
    enum cudaMemcpyKind kind GRIDSPAN_DEFAULT(cudaMemcpyDeviceToDevice));

cudaError_t cudaCreateTextureObject(cudaTextureObject_t* texture,
                                    const struct cudaResourceDesc* resource,
                                    const struct cudaTextureDesc* description,
                                    const struct cudaResourceViewDesc* view);
cudaError_t cudaDestroyTextureObject(cudaTextureObject_t texture);
cudaError_t cudaGetTextureObjectResourceDesc(struct cudaResourceDesc* resource,
                                             cudaTextureObject_t texture);
cudaError_t cudaGetTextureObjectTextureDesc(struct cudaTextureDesc* description,
                                            cudaTextureObject_t texture);
cudaError_t cudaGetTextureObjectResourceViewDesc(struct cudaResourceViewDesc* view,
                                                 cudaTextureObject_t texture);
cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t* surface,
                                    const struct cudaResourceDesc* resource);
cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t surface);
cudaError_t cudaGetSurfaceObjectResourceDesc(struct cudaResourceDesc* resource,
                                             cudaSurfaceObject_t surface);

// Legacy references: variables of type texture<...> and surface<...>.
cudaError_t cudaGetTextureReference(const struct textureReference** reference, const void* symbol);
cudaError_t cudaBindTexture(size_t* offset, const struct textureReference* reference,
                            const void* pointer, const struct cudaChannelFormatDesc* format,
                            size_t size GRIDSPAN_DEFAULT(0xffffffffu));
cudaError_t cudaBindTexture2D(size_t* offset, const struct textureReference* reference,
                              const void* pointer, const struct cudaChannelFormatDesc* format,
                              size_t width, size_t height, size_t pitch);
cudaError_t cudaBindTextureToArray(const struct textureReference* reference,
                                   cudaArray_const_t array,
                                   const struct cudaChannelFormatDesc* format);
cudaError_t cudaUnbindTexture(const struct textureReference* reference);
cudaError_t cudaGetTextureAlignmentOffset(size_t* offset, const struct textureReference* reference);
cudaError_t cudaGetSurfaceReference(const struct surfaceReference** reference, const void* symbol);
cudaError_t cudaBindSurfaceToArray(const struct surfaceReference* reference,
                                   cudaArray_const_t array,
                                   const struct cudaChannelFormatDesc* format);
