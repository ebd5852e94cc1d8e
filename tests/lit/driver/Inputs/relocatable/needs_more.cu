// Nobody has this function: a library may hold such a file as long as no program needs it.
__device__ int defined_nowhere(int x);
__global__ void needs_more(int* out) { *out = defined_nowhere(*out); }
void launch_needs_more(int* out) { needs_more<<<1, 1>>>(out); }
