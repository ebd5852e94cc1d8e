// Compiles the source file that it is given, with nvrtc, and prints the kernel's name.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <nvrtc.h>

#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>

int main(int, char** arguments) {
  std::ifstream file(arguments[1]);
  std::string source{std::istreambuf_iterator<char>(file), {}};
  source.resize(source.find("int main"));
  nvrtcProgram program;
  const char *header = "#define FACTOR 2\n", *header_name = "factor.h";
  const char* options[] = {"--gpu-architecture=compute_80"};
  source.insert(0, "#include \"factor.h\"\n");
  if (nvrtcCreateProgram(&program, source.c_str(), "product.cu", 1, &header, &header_name) !=
          NVRTC_SUCCESS ||
      nvrtcAddNameExpression(program, "product<16, float>") != NVRTC_SUCCESS)
    return 1;
  const nvrtcResult result = nvrtcCompileProgram(program, 1, options);
  std::size_t size = 0;
  nvrtcGetProgramLogSize(program, &size);
  std::string log(size, '\0');
  nvrtcGetProgramLog(program, log.data());
  const char* name = nullptr;
  if (result != NVRTC_SUCCESS ||
      nvrtcGetLoweredName(program, "product<16, float>", &name) != NVRTC_SUCCESS)
    return std::fputs(log.c_str(), stderr), 2;
  nvrtcGetPTXSize(program, &size);
  std::string module(size, '\0');
  nvrtcGetPTX(program, module.data());
  std::printf("%s\n", name);
  std::ofstream(arguments[2]) << module;
}
