#if defined(__CUDA_ARCH__)
static_assert(__CUDA_ARCH__ == EXPECTED, "not the architecture asked for");
#endif
