#ifndef __CUDACC_RDC__
#error "-rdc=true defines it"
#endif
#ifndef VALUE
#define VALUE 2
#endif
__device__ int offset = VALUE;
