// Copies and fills against naive loops, and every wrong pointer, kind, range and pitch.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fixture.h"

using namespace gridspan::tests;

namespace {

class Copy : public CudaTest {};

/// Pitched memory as a plain array of bytes with a naive copy: the reference.
struct Box {
  std::size_t width, height, depth;
};
struct Layout {
  std::size_t pitch, rows;  // rows of a slice
  std::size_t at(std::size_t x, std::size_t y, std::size_t z) const {
    return (z * rows + y) * pitch + x;
  }
  std::size_t bytes(std::size_t slices) const { return pitch * rows * slices; }
};

/// to[to_origin + i] = from[from_origin + i] for every element of the box, one at a time.
void copy_naively(std::vector<char>& to, const Layout& to_layout, const cudaPos& to_origin,
                  const std::vector<char>& from, const Layout& from_layout,
                  const cudaPos& from_origin, const Box& box) {
  for (std::size_t z = 0; z < box.depth; ++z) {
    for (std::size_t y = 0; y < box.height; ++y) {
      for (std::size_t x = 0; x < box.width; ++x) {
        to[to_layout.at(to_origin.x + x, to_origin.y + y, to_origin.z + z)] =
            from[from_layout.at(from_origin.x + x, from_origin.y + y, from_origin.z + z)];
      }
    }
  }
}

struct RandomCase {
  Box box;
  cudaPos to_origin, from_origin;
  Layout to, from;
  std::size_t to_slices, from_slices;
};

RandomCase random_case(std::mt19937& random) {
  const auto upto = [&](std::size_t most) { return random() % (most + 1); };
  RandomCase result;
  result.box = {1 + upto(90), 1 + upto(12), 1 + upto(6)};
  result.to_origin = {upto(7), upto(3), upto(2)};
  result.from_origin = {upto(9), upto(2), upto(3)};
  // Sometimes without a gap, so that rows and slices merge.
  const auto slack = [&](std::size_t most) { return random() % 3 ? upto(most) : 0; };
  const auto lay_out = [&](const cudaPos& origin) {
    return Layout{origin.x + result.box.width + slack(33), origin.y + result.box.height + slack(4)};
  };
  result.to = lay_out(result.to_origin);
  result.from = lay_out(result.from_origin);
  result.to_slices = result.to_origin.z + result.box.depth + upto(2);
  result.from_slices = result.from_origin.z + result.box.depth + upto(2);
  return result;
}

void upload(const DeviceMemory& to, const std::vector<char>& from) {
  ASSERT_CUDA(cudaMemcpy(to.get(), from.data(), from.size(), cudaMemcpyHostToDevice));
}
std::vector<char> download(const DeviceMemory& from, std::size_t size) {
  std::vector<char> bytes(size, 'p');
  EXPECT_CUDA(cudaMemcpy(bytes.data(), from.get(), size, cudaMemcpyDeviceToHost));
  return bytes;
}

TEST_F(Copy, RandomBoxesIn3DAgreeWithTheReference) {
  std::mt19937 random(7);
  for (int round = 0; round < 300; ++round) {
    SCOPED_TRACE(testing::Message() << "round " << round);
    const RandomCase c = random_case(random);
    const auto from = random_bytes(c.from.bytes(c.from_slices), random());
    auto to = random_bytes(c.to.bytes(c.to_slices), random());
    auto want = to;
    copy_naively(want, c.to, c.to_origin, from, c.from, c.from_origin, c.box);
    DeviceMemory device_from(from.size()), device_to(to.size());
    upload(device_from, from);
    upload(device_to, to);
    // Each side on the host or on the device.
    const auto kind = static_cast<cudaMemcpyKind>(random() % 4);
    const bool to_device = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
    const bool from_device = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
    cudaMemcpy3DParms parameters{};
    parameters.srcPos = c.from_origin;
    parameters.dstPos = c.to_origin;
    parameters.srcPtr = {from_device ? device_from.get() : const_cast<char*>(from.data()),
                         c.from.pitch, c.from.pitch, c.from.rows};
    parameters.dstPtr = {to_device ? device_to.get() : to.data(), c.to.pitch, c.to.pitch,
                         c.to.rows};
    parameters.extent = {c.box.width, c.box.height, c.box.depth};
    parameters.kind = random() % 2 ? kind : cudaMemcpyDefault;
    if (random() % 2) {
      ASSERT_CUDA(cudaMemcpy3D(&parameters));
    } else {
      ASSERT_CUDA(cudaMemcpy3DAsync(&parameters, nullptr));
      ASSERT_CUDA(cudaDeviceSynchronize());
    }
    ASSERT_EQ(to_device ? download(device_to, to.size()) : to, want);
  }
}

TEST_F(Copy, RandomBoxesIn2DAgreeWithTheReference) {
  std::mt19937 random(8);
  for (int round = 0; round < 300; ++round) {
    SCOPED_TRACE(testing::Message() << "round " << round);
    RandomCase c = random_case(random);
    c.to_origin = c.from_origin = {0, 0, 0};
    c.box.depth = 1;
    const auto from = random_bytes(c.from.bytes(1), random());
    const auto to = random_bytes(c.to.bytes(1), random());
    auto want = to;
    copy_naively(want, c.to, c.to_origin, from, c.from, c.from_origin, c.box);
    DeviceMemory device(to.size());
    upload(device, to);
    if (random() % 2) {
      ASSERT_CUDA(cudaMemcpy2D(device.get(), c.to.pitch, from.data(), c.from.pitch, c.box.width,
                               c.box.height, cudaMemcpyHostToDevice));
    } else {
      ASSERT_CUDA(cudaMemcpy2DAsync(device.get(), c.to.pitch, from.data(), c.from.pitch,
                                    c.box.width, c.box.height, cudaMemcpyHostToDevice, nullptr));
    }
    ASSERT_EQ(download(device, to.size()), want);
    auto back = to;
    ASSERT_CUDA(cudaMemcpy2D(back.data(), c.to.pitch, device.get(), c.to.pitch, c.box.width,
                             c.box.height, cudaMemcpyDeviceToHost));
    ASSERT_EQ(back, want);
  }
}

TEST_F(Copy, RandomFillsAgreeWithTheReference) {
  std::mt19937 random(9);
  for (int round = 0; round < 200; ++round) {
    const RandomCase c = random_case(random);
    const int value = static_cast<int>(random() % 1000) - 500;  // only the low byte counts
    auto want = random_bytes(c.to.bytes(c.box.depth), random());
    DeviceMemory device(want.size());
    upload(device, want);
    const cudaPitchedPtr memory{device.get(), c.to.pitch, c.to.pitch, c.to.rows};
    if (random() % 2) {
      ASSERT_CUDA(cudaMemset3D(memory, value, {c.box.width, c.box.height, c.box.depth}));
    } else {
      ASSERT_CUDA(
          cudaMemset3DAsync(memory, value, {c.box.width, c.box.height, c.box.depth}, nullptr));
    }
    for (std::size_t z = 0; z < c.box.depth; ++z) {
      for (std::size_t y = 0; y < c.box.height; ++y) {
        for (std::size_t x = 0; x < c.box.width; ++x) {
          want[c.to.at(x, y, z)] = static_cast<char>(value);
        }
      }
    }
    ASSERT_EQ(download(device, want.size()), want) << "round " << round;
  }
}

TEST_F(Copy, EmptyCopiesTouchNothing) {
  EXPECT_CUDA(cudaMemcpy(nullptr, nullptr, 0, cudaMemcpyHostToDevice));
  EXPECT_CUDA(cudaMemset(nullptr, 0, 0));
  EXPECT_CUDA(cudaMemcpy2D(nullptr, 0, nullptr, 0, 0, 5, cudaMemcpyDefault));
  cudaMemcpy3DParms parameters{};
  parameters.kind = cudaMemcpyDefault;
  EXPECT_CUDA(cudaMemcpy3D(&parameters));
  expect_error(cudaMemcpy(nullptr, nullptr, 0, static_cast<cudaMemcpyKind>(9)),
               cudaErrorInvalidMemcpyDirection);
}

TEST_F(Copy, WrongKindsAreRefused) {
  DeviceMemory device(100);
  char host[100] = {};
  for (const int kind : {-1, 5, 1000}) {
    expect_error(cudaMemcpy(device.get(), host, 100, static_cast<cudaMemcpyKind>(kind)),
                 cudaErrorInvalidMemcpyDirection);
  }
}

TEST_F(Copy, PointersThatDoNotFitTheKindAreRefused) {
  DeviceMemory device(100);
  char host[100] = {};
  expect_error(cudaMemcpy(host, device.get(), 100, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  expect_error(cudaMemcpy(device.get(), host, 100, cudaMemcpyDeviceToHost), cudaErrorInvalidValue);
  expect_error(cudaMemcpy(host, host + 50, 50, cudaMemcpyDeviceToDevice), cudaErrorInvalidValue);
  expect_error(cudaMemcpyAsync(host, host + 50, 50, cudaMemcpyDeviceToHost, nullptr),
               cudaErrorInvalidValue);
}

TEST_F(Copy, NullPointersAreRefused) {
  DeviceMemory device(100);
  expect_error(cudaMemcpy(nullptr, device.get(), 1, cudaMemcpyDeviceToHost), cudaErrorInvalidValue);
  expect_error(cudaMemcpy(device.get(), nullptr, 1, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  expect_error(cudaMemcpy(nullptr, nullptr, 1, cudaMemcpyDefault), cudaErrorInvalidValue);
  expect_error(cudaMemset(nullptr, 0, 1), cudaErrorInvalidValue);
  expect_error(cudaMemcpy3D(nullptr), cudaErrorInvalidValue);
}

TEST_F(Copy, RangesBeyondTheAllocationAreRefused) {
  DeviceMemory device(1024);
  std::vector<char> host(4096);
  expect_error(cudaMemcpy(device.get(), host.data(), 1025, cudaMemcpyHostToDevice),
               cudaErrorInvalidValue);
  expect_error(cudaMemcpy(host.data(), device.get() + 1000, 25, cudaMemcpyDeviceToHost),
               cudaErrorInvalidValue);
  EXPECT_CUDA(cudaMemcpy(host.data(), device.get() + 1000, 24, cudaMemcpyDeviceToHost));
  expect_error(cudaMemset(device.get() + 1, 0, 1024), cudaErrorInvalidValue);
  expect_error(cudaMemset(device.get(), 0, ~std::size_t{0}), cudaErrorInvalidValue);
  expect_error(cudaMemcpy2D(device.get(), 512, host.data(), 512, 512, 3, cudaMemcpyHostToDevice),
               cudaErrorInvalidValue);
  EXPECT_CUDA(cudaMemcpy2D(device.get(), 512, host.data(), 512, 512, 2, cudaMemcpyHostToDevice));
  expect_error(cudaMemcpy2D(device.get(), ~std::size_t{0} / 2, host.data(), 512, 512, 4,
                            cudaMemcpyHostToDevice),
               cudaErrorInvalidValue);
}

TEST_F(Copy, WrongPitchesAreRefused) {
  DeviceMemory device(1024);
  char host[1024] = {};
  expect_error(cudaMemcpy2D(device.get(), 9, host, 10, 10, 2, cudaMemcpyHostToDevice),
               cudaErrorInvalidPitchValue);
  expect_error(cudaMemcpy2D(device.get(), 10, host, 9, 10, 2, cudaMemcpyHostToDevice),
               cudaErrorInvalidPitchValue);
  expect_error(cudaMemset2D(device.get(), 9, 0, 10, 2), cudaErrorInvalidPitchValue);
  cudaMemcpy3DParms parameters{};
  parameters.srcPtr = {host, 20, 20, 3};
  parameters.dstPtr = {device.get(), 20, 20, 5};
  parameters.extent = {10, 4, 2};
  parameters.kind = cudaMemcpyHostToDevice;
  expect_error(cudaMemcpy3D(&parameters), cudaErrorInvalidValue);  // 4 rows, slices of 3
  parameters.srcPtr.ysize = 4;
  EXPECT_CUDA(cudaMemcpy3D(&parameters));
  parameters.srcPos.x = 11;
  expect_error(cudaMemcpy3D(&parameters), cudaErrorInvalidPitchValue);
}

TEST_F(Copy, UnknownArraysAreRefused) {
  cudaMemcpy3DParms parameters{};
  parameters.dstArray = reinterpret_cast<cudaArray_t>(this);
  parameters.extent = {1, 1, 1};
  expect_error(cudaMemcpy3D(&parameters), cudaErrorInvalidResourceHandle);
}

TEST_F(Copy, PeerCopiesKnowOnlyDeviceZero) {
  DeviceMemory a(64), b(64);
  upload(a, random_bytes(64, 3));
  EXPECT_CUDA(cudaMemcpyPeer(b.get(), 0, a.get(), 0, 64));
  EXPECT_EQ(download(b, 64), random_bytes(64, 3));
  expect_error(cudaMemcpyPeer(b.get(), 1, a.get(), 0, 64), cudaErrorInvalidDevice);
  expect_error(cudaMemcpyPeerAsync(b.get(), 0, a.get(), -1, 64, nullptr), cudaErrorInvalidDevice);
}

}  // namespace
