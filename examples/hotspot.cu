// How a chip warms up: a 5-point stencil over its cells, drawn as a heat map.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cuda_runtime.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <exception>
#include <iterator>
#include <string>
#include <vector>

static const char usage[] =
    "usage: hotspot [ROWS [COLUMNS [STEPS]]] [--png FILE]\n"
    "Simulates a generated four-core chip of ROWS x COLUMNS cells (default 1024 x 1024) for STEPS\n"
    "time steps (default 500). --png writes a heat map of the chip at the end.\n";
constexpr long largest = 1 << 18;

#define CHECK(call) check((call), #call, __LINE__)

static void check(cudaError_t status, const char* call, int line) {
  if (status == cudaSuccess) return;
  fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, line, call, cudaGetErrorString(status));
  exit(1);
}

/// Sizes from the command line, in order, over the defaults; one error line for anything else.
static std::vector<long> sizes_from(int argc, char** argv, std::vector<long> sizes) {
  for (int i = 1; i < argc; ++i) {
    if (!strcmp(argv[i], "--help")) exit(fputs(usage, stdout) < 0);
    char* end = argv[i];
    const long value = strtol(argv[i], &end, 10);
    if (i <= int(sizes.size()) && end != argv[i] && !*end && value > 0 && value <= largest) {
      sizes[i - 1] = value;
      continue;
    }
    fprintf(stderr, "%s: bad argument '%s' (sizes are 1 to %ld; see --help)\n", argv[0], argv[i],
            largest);
    exit(1);
  }
  return sizes;
}

/// On a terminal, after two seconds, shows how far the work has come.
static void progress(long done, long total) {
  static time_t start;
  if (done == 0) start = time(nullptr);
  if ((done < total && done % (total / 50 + 1)) || !isatty(STDERR_FILENO)) return;
  CHECK(cudaDeviceSynchronize());
  if (time(nullptr) - start < 2) return;
  const int filled = int(done * 50 / total);
  fprintf(stderr, "\r[%.*s%*s] %3ld%%", filled,
          "##################################################", 50 - filled, "",
          done * 100 / total);
  if (done == total) fputs("\r\033[K", stderr);
}

/// Milliseconds that one of `count` calls of `work` takes, measured with CUDA events.
template <class Work>
static double milliseconds(long count, Work work) {
  cudaEvent_t begin, end;
  CHECK(cudaEventCreate(&begin));
  CHECK(cudaEventCreate(&end));
  CHECK(cudaEventRecord(begin));
  for (long i = 0; i < count; ++i) {
    progress(i, count);
    work(i);
    CHECK(cudaGetLastError());
  }
  CHECK(cudaEventRecord(end));
  CHECK(cudaEventSynchronize(end));
  progress(count, count);
  float total = 0;
  CHECK(cudaEventElapsedTime(&total, begin, end));
  CHECK(cudaEventDestroy(begin));
  CHECK(cudaEventDestroy(end));
  return total / count;
}

/// Compares element by element with `want(i)`, at most `bound(i)` away; names the first difference.
template <class T, class Want, class Bound>
static bool agrees(const char* what, const std::vector<T>& got, Want want, Bound bound) {
  size_t wrong = 0;
  double worst = 0;
  for (size_t i = 0; i < got.size(); ++i) {
    const double error = std::fabs(double(got[i]) - double(want(i)));
    if (error > worst) worst = error;
    if (error <= bound(i)) continue;  // a NaN is wrong too
    if (wrong++ == 0)
      fprintf(stderr, "%s[%zu] is %.9g, reference %.9g\n", what, i, double(got[i]),
              double(want(i)));
  }
  if (wrong)
    fprintf(stderr, "%s: %zu of %zu elements are wrong\n", what, wrong, got.size());
  else
    printf("%-22s %zu elements agree, largest error %.2g\n", what, got.size(), worst);
  return wrong == 0;
}

// ---- the chip: 16 mm x 16 mm of thinned silicon on a heat sink of constant temperature

constexpr double chip_side = 0.016, thickness = 50e-6;        // m
constexpr double heat_capacity = 1.75e6, conductivity = 100;  // J/(m^3 K), W/(m K)
constexpr double sink_transfer = 2e4, sink_temperature = 45;  // W/(m^2 K), degrees Celsius

struct Unit {
  const char* name;
  double left, top, right, bottom;  // in fractions of the chip
  double power;                     // W/mm^2
};
// Later units lie on top of earlier ones. The four cores are copies of `core`, see floor_plan().
const Unit uncore[] = {{"periphery", 0, 0, 1, 1, 0.04},
                       {"memory controller", .02, .03, .08, .97, 0.35},
                       {"input/output", .93, .06, .98, .94, 0.25},
                       {"shared cache", .12, .43, .60, .57, 0.12},
                       {"graphics", .65, .05, .90, .95, 0.18}};
const Unit core[] = {{"core", 0, 0, 1, 1, 0.25},
                     {"level-2 cache", .04, .62, .96, .96, 0.10},
                     {"fetch", .05, .05, .30, .56, 0.70},
                     {"integer unit", .36, .06, .62, .34, 2.40},
                     {"floating-point unit", .68, .06, .95, .56, 1.30},
                     {"load/store", .36, .40, .62, .56, 0.90}};

static std::vector<Unit> floor_plan() {
  std::vector<Unit> plan(std::begin(uncore), std::end(uncore));
  for (int shader = 0; shader < 12; ++shader) {
    const double left = .67 + .115 * (shader % 2), top = .07 + .145 * (shader / 2);
    plan.push_back({"shader", left, top, left + .095, top + .12, 0.55});
  }
  const double load[] = {1.0, 0.65, 0.35, 0.85};  // the cores are not equally busy
  for (int c = 0; c < 4; ++c) {
    const double left = c % 2 ? .37 : .12, top = c / 2 ? .60 : .06, width = .23, height = .34;
    for (const Unit& u : core)
      plan.push_back({u.name, left + width * u.left, top + height * u.top, left + width * u.right,
                      top + height * u.bottom, u.power * load[c]});
  }
  return plan;
}

/// Index of the unit a cell belongs to, for every cell.
static std::vector<int> cell_units(const std::vector<Unit>& plan, int rows, int columns) {
  std::vector<int> unit(size_t(rows) * columns);
  for (size_t i = 0; i < unit.size(); ++i) {
    const double x = (double(i % columns) + .5) / columns, y = (double(i / columns) + .5) / rows;
    for (size_t u = 0; u < plan.size(); ++u)
      if (x >= plan[u].left && x < plan[u].right && y >= plan[u].top && y < plan[u].bottom)
        unit[i] = int(u);
  }
  return unit;
}

/// What one step adds to a cell, per kelvin of difference or per W/mm^2.
struct Weights {
  float across, along, sink, power;  // east-west, north-south, to the heat sink, from its power
  double seconds;
};

static Weights weights_for(int rows, int columns) {
  const double dx = chip_side / columns, dy = chip_side / rows;
  const double capacity = heat_capacity * thickness * dx * dy;  // J/K, of one cell
  const double across = conductivity * thickness * dy / dx,
               along = conductivity * thickness * dx / dy;
  const double sink = sink_transfer * dx * dy;
  const double seconds = 0.45 * capacity / (2 * across + 2 * along + sink);  // stable below 1.0
  const double scale = seconds / capacity;
  return {float(scale * across), float(scale * along), float(scale * sink),
          float(scale * 1e6 * dx * dy), seconds};
}

// ---- the kernel

constexpr int tile_width = 32, tile_height = 8;

/// Beyond the chip's edge the temperature is that of the edge, so that no heat flows there.
__device__ float clamped(const float* field, int y, int x, int rows, int columns) {
  y = min(max(y, 0), rows - 1);
  x = min(max(x, 0), columns - 1);
  return field[size_t(y) * columns + x];
}

/// One time step. Temperatures are kelvins above the heat sink.
__global__ void heat(const float* now, const float* power, float* later, int rows, int columns,
                     Weights w) {
  __shared__ float tile[tile_height + 2][tile_width + 2];
  const int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
  const int x = blockIdx.x * tile_width + threadIdx.x, y = blockIdx.y * tile_height + threadIdx.y;

  tile[ty][tx] = clamped(now, y, x, rows, columns);
  if (tx == 1) tile[ty][0] = clamped(now, y, x - 1, rows, columns);
  if (tx == tile_width) tile[ty][tx + 1] = clamped(now, y, x + 1, rows, columns);
  if (ty == 1) tile[0][tx] = clamped(now, y - 1, x, rows, columns);
  if (ty == tile_height) tile[ty + 1][tx] = clamped(now, y + 1, x, rows, columns);
  __syncthreads();

  if (x >= columns || y >= rows) return;
  const float t = tile[ty][tx];
  const size_t i = size_t(y) * columns + x;
  later[i] = t + w.across * (tile[ty][tx - 1] + tile[ty][tx + 1] - 2 * t) +
             w.along * (tile[ty - 1][tx] + tile[ty + 1][tx] - 2 * t) - w.sink * t +
             w.power * power[i];
}

/// The same steps in double, another way: heat flows between neighbours, what one loses the other
/// gains.
static std::vector<double> reference(const std::vector<float>& power, int rows, int columns,
                                     long steps, const Weights& w) {
  std::vector<double> now(power.size(), 0), later(power.size());
  for (long step = 0; step < steps; ++step) {
    progress(step, steps);
    later = now;
    for (int y = 0; y < rows; ++y) {
      const double* here = &now[size_t(y) * columns];
      double* out = &later[size_t(y) * columns];
      const float* watts = &power[size_t(y) * columns];
      for (int x = 0; x < columns; ++x) out[x] += w.power * double(watts[x]) - w.sink * here[x];
      for (int x = 0; x + 1 < columns; ++x) {
        const double flow = w.across * (here[x] - here[x + 1]);
        out[x] -= flow;
        out[x + 1] += flow;
      }
      for (int x = 0; x < columns && y + 1 < rows; ++x) {
        const double flow = w.along * (here[x] - here[x + columns]);
        out[x] -= flow;
        out[x + columns] += flow;
      }
    }
    now.swap(later);
  }
  progress(steps, steps);
  return now;
}

// ---- the picture: a PNG with a palette, stored without compression

class PngWriter {
 public:
  explicit PngWriter(const char* path) : file_(fopen(path, "wb")) {
    for (uint32_t n = 0; n < 256; ++n) {
      crc_table_[n] = n;
      for (int bit = 0; bit < 8; ++bit)
        crc_table_[n] = crc_table_[n] >> 1 ^ (crc_table_[n] & 1 ? 0xedb88320u : 0);
    }
  }

  /// `pixels` are indices into a palette of 256 colours, `width` of them a row.
  bool write(const std::vector<uint8_t>& pixels, uint32_t width, const std::string& palette) {
    if (!file_) return false;
    const uint32_t height = uint32_t(pixels.size() / width);
    fputs("\x89PNG\r\n\x1a\n", file_);
    chunk("IHDR", big_endian(width) + big_endian(height) + std::string("\x08\x03\0\0\0", 5));
    chunk("PLTE", palette);
    std::string rows;
    for (uint32_t y = 0; y < height; ++y) {
      rows += '\0';  // no filter
      rows.append(pixels.begin() + size_t(y) * width, pixels.begin() + size_t(y + 1) * width);
    }
    chunk("IDAT", stored(rows));
    chunk("IEND", "");
    const bool written = !ferror(file_);
    return fclose(file_) == 0 && written;
  }

 private:
  static std::string big_endian(uint32_t v) {
    return {char(v >> 24), char(v >> 16), char(v >> 8), char(v)};
  }

  /// A zlib stream of stored blocks.
  static std::string stored(const std::string& data) {
    std::string out = "\x78\x01";
    uint32_t a = 1, b = 0;  // Adler-32
    for (const char c : data) {
      a = (a + uint8_t(c)) % 65521;
      b = (b + a) % 65521;
    }
    for (size_t at = 0; at < data.size(); at += 65535) {
      const uint32_t size = uint32_t(std::min<size_t>(data.size() - at, 65535));
      out += char(at + size == data.size());
      for (const uint32_t half : {size, ~size}) out += {char(half), char(half >> 8)};
      out.append(data, at, size);
    }
    return out + big_endian(b << 16 | a);
  }

  void chunk(const char* type, const std::string& data) {
    const std::string body = type + data;
    uint32_t crc = ~0u;
    for (const char c : body) crc = crc >> 8 ^ crc_table_[(crc ^ uint8_t(c)) & 255];
    const std::string bytes = big_endian(uint32_t(data.size())) + body + big_endian(~crc);
    fwrite(bytes.data(), 1, bytes.size(), file_);
  }

  FILE* file_;
  uint32_t crc_table_[256];
};

/// From black over violet, red and orange to pale yellow.
static std::string heat_palette() {
  const int stops[6][3] = {{8, 8, 32},    {72, 16, 108},  {158, 38, 100},
                           {224, 84, 52}, {252, 168, 40}, {252, 250, 200}};
  std::string palette;
  for (int i = 0; i < 256; ++i) {
    const int stop = i * 5 / 256, along = i * 5 % 256;
    for (int c = 0; c < 3; ++c)
      palette += char(stops[stop][c] + (stops[stop + 1][c] - stops[stop][c]) * along / 256);
  }
  return palette;
}

/// Draws the field, at most 2048 pixels a side; a pixel shows the mean of the cells it stands for.
static bool draw(const char* path, const std::vector<float>& rise, int rows, int columns, float low,
                 float high) {
  const int cells = (std::max(rows, columns) + 2047) / 2048;
  const int width = (columns + cells - 1) / cells, height = (rows + cells - 1) / cells;
  std::vector<uint8_t> pixels(size_t(width) * height);
  for (int py = 0; py < height; ++py)
    for (int px = 0; px < width; ++px) {
      double sum = 0;
      int count = 0;
      for (int y = py * cells; y < std::min(rows, (py + 1) * cells); ++y)
        for (int x = px * cells; x < std::min(columns, (px + 1) * cells); ++x, ++count)
          sum += rise[size_t(y) * columns + x];
      const double level = high > low ? (sum / count - low) / (high - low) : 0;
      pixels[size_t(py) * width + px] = uint8_t(255 * std::min(1.0, std::max(0.0, level)));
    }
  return PngWriter(path).write(pixels, uint32_t(width), heat_palette());
}

int main(int argc, char** argv) try {
  const char* png = nullptr;
  std::vector<char*> others;
  for (int i = 0; i < argc; ++i)
    if (i + 1 < argc && !strcmp(argv[i], "--png"))
      png = argv[++i];
    else
      others.push_back(argv[i]);
  const auto sizes = sizes_from(int(others.size()), others.data(), {1024, 1024, 500});
  const int rows = int(sizes[0]), columns = int(sizes[1]);
  const long steps = sizes[2];
  const size_t n = size_t(rows) * columns, bytes = n * sizeof(float);

  const auto plan = floor_plan();
  const auto units = cell_units(plan, rows, columns);
  const Weights w = weights_for(rows, columns);
  std::vector<float> power(n), rise(n, NAN);
  for (size_t i = 0; i < n; ++i) power[i] = float(plan[units[i]].power);

  float *now, *later, *device_power;
  CHECK(cudaMalloc(&now, bytes));
  CHECK(cudaMalloc(&later, bytes));
  CHECK(cudaMalloc(&device_power, bytes));
  CHECK(cudaMemset(now, 0, bytes));  // as cold as the heat sink
  CHECK(cudaMemset(later, 0xff, bytes));
  CHECK(cudaMemcpy(device_power, power.data(), bytes, cudaMemcpyHostToDevice));
  const dim3 block(tile_width, tile_height);
  const dim3 grid((columns + tile_width - 1) / tile_width, (rows + tile_height - 1) / tile_height);
  const double time = milliseconds(steps, [&](long) {
    heat<<<grid, block>>>(now, device_power, later, rows, columns, w);
    std::swap(now, later);
  });
  CHECK(cudaMemcpy(rise.data(), now, bytes, cudaMemcpyDeviceToHost));
  for (float* array : {now, later, device_power}) CHECK(cudaFree(array));
  printf("%-22s %.3f ms a step  %.2f GB/s  %.2f GFLOP/s\n", "heat", time, 3e-6 * bytes / time,
         12e-6 * n / time);

  const auto want = reference(power, rows, columns, steps, w);
  const auto hottest = std::max_element(want.begin(), want.end());
  // A step rounds about eight times, at most at the scale of the hottest cell.
  const double bound = 6e-8 * 8 * double(steps) * *hottest;
  if (!agrees(
          "temperatures", rise, [&](size_t i) { return want[i]; }, [&](size_t) { return bound; }))
    return 1;

  const size_t hot = size_t(hottest - want.begin());
  const float low = *std::min_element(rise.begin(), rise.end()), high = rise[hot];
  printf("after %.3f ms: %.2f to %.2f C, hottest at row %zu, column %zu (%s)\n",
         1e3 * w.seconds * double(steps), sink_temperature + low, sink_temperature + high,
         hot / columns, hot % columns, plan[units[hot]].name);
  if (png && !draw(png, rise, rows, columns, low, high)) {
    fprintf(stderr, "%s: cannot write '%s': %s\n", argv[0], png, strerror(errno));
    return 1;
  }
  if (png) printf("heat map in %s\n", png);
  puts("PASS");
} catch (const std::exception& error) {
  fprintf(stderr, "%s: %s\n", argv[0], error.what());
  return 1;
}
