// What is an installed SDK's among other files.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/host_search.h"
#include "driver/vendor_headers.h"
#include "driver/vendor_libraries.h"

#include <gtest/gtest.h>
#include <unistd.h>
#include <filesystem>
#include <fstream>

namespace gridspan::driver {
namespace {

namespace fs = std::filesystem;

/// A folder of its own for each test, and each process.
class VendorFiles : public testing::Test {
 protected:
  VendorFiles() {
    fs::remove_all(root);
    fs::create_directories(root);
  }
  ~VendorFiles() override { fs::remove_all(root); }

  std::string file(const std::string& name) {
    fs::create_directories((root / name).parent_path());
    std::ofstream(root / name) << "x\n";
    return root / name;
  }

  const fs::path root =
      fs::temp_directory_path() /
      ("gridspan-" + std::string(testing::UnitTest::GetInstance()->current_test_info()->name()) +
       "-" + std::to_string(getpid()));
};

TEST_F(VendorFiles, HeadersAmongOthersAreLinksIntoAnSdkAndItsNames) {
  for (const char* name : {"sdk/cuda_runtime.h", "sdk/crt/host_runtime.h", "sdk/special.h",
                           "sdk/thrust/sort.h", "mixed/own.h", "mixed/curand_own_name.h",
                           "mixed/cublas_v2.h", "mixed/thrust_of_mine.h", "elsewhere/linked.h"})
    file(name);
  const fs::path mixed = root / "mixed";
  for (const char* name : {"cuda_runtime.h", "crt", "special.h", "thrust"})
    fs::create_symlink(root / "sdk" / name, mixed / name);
  fs::create_symlink(root / "elsewhere/linked.h", mixed / "linked.h");
  const std::vector<std::string> expected = {mixed / "crt",
                                             mixed / "cublas_v2.h",
                                             mixed / "cuda_runtime.h",
                                             mixed / "curand_own_name.h",
                                             mixed / "special.h",
                                             mixed / "thrust"};
  EXPECT_EQ(vendor_headers_among_others({root / "elsewhere", mixed}), expected);
  EXPECT_TRUE(vendor_headers_among_others({root / "elsewhere", root / "nothing"}).empty());
}

TEST_F(VendorFiles, LibrariesThatWeLackAreFoundAsALinkerWould) {
  const std::string nvjpeg = file("sdk/lib64/libnvjpeg.so");
  file("sdk/lib64/libcudart.so");
  file("sdk/lib64/libz.so");
  const std::string cupti = file("python/nvidia/cupti/lib/libcupti.so.12");
  const std::string own = file("own/libnvjpeg.so");
  file("gridspan/libnppc.so"), file("gridspan/libcudart.so"), file("gridspan/libgridspan.so");
  const std::string sdk = "-L" + (root / "sdk/lib64").string();
  const std::string mine = "-L" + (root / "own").string();
  const std::string of_sdk =
      " is of an installed CUDA SDK, which knows nothing of Gridspan's run time; Gridspan does not "
      "have this library";
  EXPECT_EQ(library_that_lacks({"a.o", "-lnvjpeg", sdk}), nvjpeg + of_sdk);
  EXPECT_EQ(library_that_lacks({"a.o", "-L", root / "sdk/lib64", "-lz", "-lnvjpeg"}),
            nvjpeg + of_sdk);
  EXPECT_EQ(library_that_lacks({"a.o", nvjpeg}), nvjpeg + of_sdk);
  EXPECT_EQ(library_that_lacks({cupti}), cupti + of_sdk);
  // What is not NVIDIA's, or comes first.
  EXPECT_EQ(library_that_lacks({mine, sdk, "-lnvjpeg"}), std::nullopt);
  EXPECT_EQ(library_that_lacks({own}), std::nullopt);
  EXPECT_EQ(library_that_lacks({sdk, "-lz", "-lcudart"}), std::nullopt);
  EXPECT_EQ(library_that_lacks({"-L" + (root / "gridspan").string(), "-lnppc"}), std::nullopt);
  // Nor does the linker find what is nowhere.
  EXPECT_EQ(library_that_lacks({sdk, "-lnppc", "libnvjpeg.o"}),
            "-lnppc: Gridspan does not have this library of CUDA's");
  file("sdk/lib64/libcublas.so");
  EXPECT_EQ(library_that_lacks({sdk, "-lcublas"}), std::nullopt);
}

TEST(VendorLibraries, OursStandForThoseOfTheirNames) {
  EXPECT_EQ(library_of_ours("cublas"), "gridspan_blas");
  EXPECT_EQ(library_of_ours("cublasLt_static"), "gridspan_blas");
  EXPECT_EQ(library_of_ours("cusolver"), "gridspan_solver");
  EXPECT_EQ(library_of_ours("nvrtc"), "gridspan_nvrtc");
  for (const char* name : {"cudart", "culibos", "cublasMp", "cublas_", "blas", "z", ""})
    EXPECT_EQ(library_of_ours(name), "") << name;
  EXPECT_EQ(library_file_of_ours("/usr/local/cuda/lib64/libcufft.so.11"), "gridspan_fft");
  EXPECT_EQ(library_file_of_ours("libcurand_static.a"), "gridspan_rand");
  EXPECT_EQ(library_file_of_ours("/a/cublas.so"), "");
  EXPECT_EQ(library_file_of_ours("/a/libcublas.o"), "");
  for (const char* name : {"cudart_static", "culibos", "cusolver_lapack_static", "nvidia-ml"})
    EXPECT_TRUE(is_vendor_library(name)) << name;
  EXPECT_FALSE(is_vendor_library("cublas"));
  EXPECT_TRUE(is_vendor_library_file("/usr/local/cuda/lib64/libcudart.so.12"));
}

TEST(HostSearch, TheCompilersOwnListOfHeadersIsTakenOver) {
  const std::string list =
      "#include \"...\" search starts here:\n#include <...> search starts here:\n"
      " /usr/include/c++/12\n /usr/include\nEnd of search list.\n";
  EXPECT_EQ(header_list_in("clang version 19\n" + list + "# 1 \"x\"\n"), list);
  EXPECT_EQ(header_list_in("g++: error\n"), "");
}

TEST(HostSearch, FoldersAndLibrariesOfTheLastCommand) {
  EXPECT_EQ(library_words_in("version\n \"/usr/bin/clang\" \"-cc1\" \"-lwrong\"\n"
                             " \"/usr/bin/ld\" \"-o\" \"a.out\" \"crt1.o\" \"-L/lib/x y\" "
                             "\"-Lrelative\" \"/tmp/1.o\" \"-lstdc++\" \"-lc\"\n"),
            " \"-L/lib/x y\" \"-lstdc++\" \"-lc\"");
  EXPECT_EQ(library_words_in(" /usr/lib/cc1plus -lwrong\nCOLLECT_GCC=g++\n /usr/lib/collect2 "
                             "-plugin-opt=-lgcc -L/usr/lib -lm\nCOLLECT_GCC_OPTIONS='-o' 'x'\n"),
            " \"-L/usr/lib\" \"-lm\"");
}

using List = std::vector<std::string>;

TEST(HostSearch, WhatAGccThatIsWrappedAdds) {
  const HostCompilerWords words = added_words_in(
      "COLLECT_GCC=g++\n"
      " /usr/lib/cc1plus -quiet -I /opt/mpi/include -imultiarch x86_64-linux-gnu -isystem /opt/x "
      "-dumpdir a- -D_GNU_SOURCE -D \"NAME=\\\"a b\\\"\" -U NDEBUG -include first.h\n"
      "COLLECT_GCC_OPTIONS='-I' '/wrong'\n"
      " as -I /wrong --64 -o /tmp/1.o\n"
      " /usr/lib/collect2 -plugin-opt=-lwrong -rpath /opt/mpi/lib -rpath-link /wrong "
      "-L/opt/mpi/lib "
      "-lmpi -lstdc++ -lm -lgcc_s -lgcc -lc\n");
  EXPECT_EQ(words.headers, (List{"-I/opt/mpi/include", "-isystem", "/opt/x", "-D_GNU_SOURCE",
                                 "-DNAME=\"a b\"", "-UNDEBUG", "-include", "first.h"}));
  EXPECT_EQ(words.libraries, (List{"-Wl,-rpath,/opt/mpi/lib", "-L/opt/mpi/lib", "-lmpi"}));
}

TEST(HostSearch, WhatAClangThatIsWrappedAdds) {
  const HostCompilerWords words = added_words_in(
      "clang version 19\n"
      " \"/usr/bin/clang\" \"-cc1\" \"-include-pch\" \"x\" \"-I\" \"/opt/a b\" \"-D\" \"ONE\" "
      "\"-internal-isystem\" \"/usr/include\"\n"
      " \"/usr/bin/ld\" \"-rpath=/opt/lib\" \"-lto_library\" \"-L/opt/a b\" \"-lmpi\" \"-lc\"\n");
  EXPECT_EQ(words.headers, (List{"-I/opt/a b", "-DONE"}));
  EXPECT_EQ(words.libraries, (List{"-Wl,-rpath,/opt/lib", "-L/opt/a b", "-lmpi"}));
}

TEST(HostSearch, ACompilerThatShowsNoCommandsAddsNothing) {
  for (const char* answer : {"", "icx: error: unknown option -###\n", " only one command -I/x\n"}) {
    EXPECT_EQ(added_words_in(answer).headers, List{});
    EXPECT_EQ(added_words_in(answer).libraries, List{});
  }
}

}  // namespace
}  // namespace gridspan::driver
