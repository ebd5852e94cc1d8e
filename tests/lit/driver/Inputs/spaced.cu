// Launches as nvcc lets them be spelled, beside everything that only looks like one.
#include "spaced.cuh"

#include <iostream>
#include <vector>

// k << <1, 1>> >(p) in a comment /* k << <1, 1>> >(p) */
template <class T>
struct Box {
  static constexpr int one = 1;
};
struct Stream {
  const char* text = "";
};
template <class T>
Stream operator<< (Stream s, Box<T>) { return s; }
template Stream operator<< <int>(Stream, Box<int>);
template <class T>
Stream operator>> (Stream s, Box<T>);
template <>
Stream operator>> <int>(Stream s, Box<int>) { s.text = "operator<< <int>"; return s; }

const char* plain = "k << <1, 1>> >(p)";
const char* raw = R"x(k << <1, 1>> >(p)" > >>)x";
const char quote = '"';
const int million = 1'000'000;

int main() {
  std::vector<std::vector<std::vector<int>> > nested(1);
  int* p;
  cudaMallocManaged(&p, sizeof(int));
#ifdef BREAK
  count << < 1, 1 >> > (p), nowhere;
#endif
  *p = 0;
  count << < 1, 1 >> > (p);
  count <<   <
    Box<Box<Box<int>> >::one, (8 >> 3)
  >>  > (p);
#define LAUNCH(kernel) kernel << <1, million >> 19, 0, 0>> >(p)
  LAUNCH(count<int>); launch_from_header(p);
  count<<<1, 1>>>(p); cudaDeviceSynchronize();
  std::cout << "launches that ran: " << *p - 0 * (quote << 3 >> 1) << '\n';
  std::cout << (Stream() >> Box<int>()).text << ' ' << plain << ' ' << raw << ' ' << __FILE__ ":" << __LINE__ << '\n';
}
