// The API: checks, then reads what a compilation left.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma GCC visibility push(default)
#include "nvrtc.h"
#pragma GCC visibility pop

#include "nvrtc/compilation.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <mutex>
#include <new>
#include <string>
#include <string_view>

using gridspan::nvrtc::Outcome;

namespace {

/// What nvcc and the run time say, too.
constexpr int cuda_major = 12, cuda_minor = 5;

/// Runs a call's body; nothing is thrown into C.
template <class Body>
nvrtcResult guarded(Body body) {
  try {
    return body();
  } catch (const std::bad_alloc&) {
    return NVRTC_ERROR_OUT_OF_MEMORY;
  } catch (...) {
    return NVRTC_ERROR_INTERNAL_ERROR;
  }
}

/// The end of a text counts as one of its characters.
nvrtcResult give_size(nvrtcProgram program, std::size_t* size, const std::string& text) {
  if (!program) return NVRTC_ERROR_INVALID_PROGRAM;
  if (!size) return NVRTC_ERROR_INVALID_INPUT;
  *size = text.size() + 1;
  return NVRTC_SUCCESS;
}

nvrtcResult give_text(nvrtcProgram program, char* to, const std::string& text) {
  if (!program) return NVRTC_ERROR_INVALID_PROGRAM;
  if (!to) return NVRTC_ERROR_INVALID_INPUT;
  std::memcpy(to, text.c_str(), text.size() + 1);
  return NVRTC_SUCCESS;
}

nvrtcResult check_module(nvrtcProgram program, const void* result) {
  if (!program) return NVRTC_ERROR_INVALID_PROGRAM;
  return result && !program->module.empty() ? NVRTC_SUCCESS : NVRTC_ERROR_INVALID_PROGRAM;
}

nvrtcResult no_size(nvrtcProgram program, std::size_t* size) {
  if (!program) return NVRTC_ERROR_INVALID_PROGRAM;
  if (!size) return NVRTC_ERROR_INVALID_INPUT;
  *size = 0;
  return NVRTC_SUCCESS;
}

nvrtcResult no_code(nvrtcProgram program) {
  return program ? NVRTC_ERROR_INVALID_INPUT : NVRTC_ERROR_INVALID_PROGRAM;
}

/// Known since the first call; asking costs a process.
const std::vector<int>& known_architectures() {
  static std::once_flag once;
  static auto& known = *new std::vector<int>;
  std::call_once(once, [] {
    if (auto found = gridspan::nvrtc::architectures()) known = *found;
  });
  return known;
}

/// Name expressions are compared without the spaces around them.
std::string_view trimmed(std::string_view text) {
  constexpr std::string_view space = " \t\r\n";
  const std::size_t begin = text.find_first_not_of(space);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(space) - begin + 1);
}

}  // namespace

const char* nvrtcGetErrorString(nvrtcResult result) {
  static constexpr const char* names[] = {"NVRTC_SUCCESS",
                                          "NVRTC_ERROR_OUT_OF_MEMORY",
                                          "NVRTC_ERROR_PROGRAM_CREATION_FAILURE",
                                          "NVRTC_ERROR_INVALID_INPUT",
                                          "NVRTC_ERROR_INVALID_PROGRAM",
                                          "NVRTC_ERROR_INVALID_OPTION",
                                          "NVRTC_ERROR_COMPILATION",
                                          "NVRTC_ERROR_BUILTIN_OPERATION_FAILURE",
                                          "NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION",
                                          "NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION",
                                          "NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID",
                                          "NVRTC_ERROR_INTERNAL_ERROR",
                                          "NVRTC_ERROR_TIME_FILE_WRITE_FAILED"};
  const auto number = static_cast<std::size_t>(result);
  return number < std::size(names) ? names[number] : "NVRTC_ERROR unknown";
}

nvrtcResult nvrtcVersion(int* major, int* minor) {
  if (!major || !minor) return NVRTC_ERROR_INVALID_INPUT;
  *major = cuda_major;
  *minor = cuda_minor;
  return NVRTC_SUCCESS;
}

nvrtcResult nvrtcGetNumSupportedArchs(int* count) {
  return guarded([&] {
    if (!count) return NVRTC_ERROR_INVALID_INPUT;
    *count = static_cast<int>(known_architectures().size());
    return *count > 0 ? NVRTC_SUCCESS : NVRTC_ERROR_BUILTIN_OPERATION_FAILURE;
  });
}

nvrtcResult nvrtcGetSupportedArchs(int* architectures) {
  return guarded([&] {
    if (!architectures) return NVRTC_ERROR_INVALID_INPUT;
    std::ranges::copy(known_architectures(), architectures);
    return NVRTC_SUCCESS;
  });
}

nvrtcResult nvrtcCreateProgram(nvrtcProgram* program, const char* source, const char* name,
                               int header_count, const char* const* headers,
                               const char* const* include_names) {
  return guarded([&] {
    const bool named = header_count <= 0 || (headers && include_names);
    if (!program || !source || header_count < 0 || !named) return NVRTC_ERROR_INVALID_INPUT;
    auto made = std::make_unique<_nvrtcProgram>();
    made->source = source;
    made->name = name && *name ? name : "default_program";
    for (int i = 0; i < header_count; ++i) {
      if (!headers[i] || !include_names[i]) return NVRTC_ERROR_INVALID_INPUT;
      made->headers.push_back({include_names[i], headers[i]});
    }
    *program = made.release();
    return NVRTC_SUCCESS;
  });
}

nvrtcResult nvrtcDestroyProgram(nvrtcProgram* program) {
  if (!program || !*program) return NVRTC_ERROR_INVALID_PROGRAM;
  delete *program;
  *program = nullptr;
  return NVRTC_SUCCESS;
}

nvrtcResult nvrtcAddNameExpression(nvrtcProgram program, const char* const expression) {
  return guarded([&] {
    if (!program) return NVRTC_ERROR_INVALID_PROGRAM;
    if (!expression) return NVRTC_ERROR_INVALID_INPUT;
    if (program->was_compiled) return NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION;
    program->expressions.push_back({std::string(trimmed(expression))});
    return NVRTC_SUCCESS;
  });
}

nvrtcResult nvrtcCompileProgram(nvrtcProgram program, int count, const char* const* options) {
  return guarded([&] {
    if (!program) return NVRTC_ERROR_INVALID_PROGRAM;
    if (count < 0 || (count > 0 && !options)) return NVRTC_ERROR_INVALID_INPUT;
    const Outcome outcome = gridspan::nvrtc::compile(*program, count, options);
    program->was_compiled = outcome == Outcome::compiled;
    switch (outcome) {
      case Outcome::compiled:
        return NVRTC_SUCCESS;
      case Outcome::unknown_option:
        return NVRTC_ERROR_INVALID_OPTION;
      case Outcome::errors:
        return NVRTC_ERROR_COMPILATION;
      case Outcome::no_compiler:
        break;
    }
    return NVRTC_ERROR_BUILTIN_OPERATION_FAILURE;
  });
}

nvrtcResult nvrtcGetProgramLogSize(nvrtcProgram program, size_t* size) {
  return give_size(program, size, program ? program->log : std::string());
}

nvrtcResult nvrtcGetProgramLog(nvrtcProgram program, char* log) {
  return give_text(program, log, program ? program->log : std::string());
}

nvrtcResult nvrtcGetLoweredName(nvrtcProgram program, const char* const expression,
                                const char** lowered) {
  if (!program) return NVRTC_ERROR_INVALID_PROGRAM;
  if (!expression || !lowered) return NVRTC_ERROR_INVALID_INPUT;
  if (!program->was_compiled) return NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION;
  for (const _nvrtcProgram::NameExpression& known : program->expressions) {
    if (known.text != trimmed(expression) || known.lowered.empty()) continue;
    *lowered = known.lowered.c_str();
    return NVRTC_SUCCESS;
  }
  return NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID;
}

nvrtcResult nvrtcGetPTXSize(nvrtcProgram program, size_t* size) {
  if (const nvrtcResult wrong = check_module(program, size)) return wrong;
  return give_size(program, size, program->text);
}

nvrtcResult nvrtcGetPTX(nvrtcProgram program, char* text) {
  if (const nvrtcResult wrong = check_module(program, text)) return wrong;
  return give_text(program, text, program->text);
}

nvrtcResult nvrtcGetCUBINSize(nvrtcProgram program, size_t* size) {
  if (const nvrtcResult wrong = check_module(program, size)) return wrong;
  *size = program->module.size();
  return NVRTC_SUCCESS;
}

nvrtcResult nvrtcGetCUBIN(nvrtcProgram program, char* bytes) {
  if (const nvrtcResult wrong = check_module(program, bytes)) return wrong;
  std::ranges::copy(program->module, bytes);
  return NVRTC_SUCCESS;
}

nvrtcResult nvrtcGetLTOIRSize(nvrtcProgram program, size_t* size) { return no_size(program, size); }
nvrtcResult nvrtcGetLTOIR(nvrtcProgram program, char*) { return no_code(program); }
nvrtcResult nvrtcGetOptiXIRSize(nvrtcProgram program, size_t* size) {
  return no_size(program, size);
}
nvrtcResult nvrtcGetOptiXIR(nvrtcProgram program, char*) { return no_code(program); }
nvrtcResult nvrtcGetNVVMSize(nvrtcProgram program, size_t* size) { return no_size(program, size); }
nvrtcResult nvrtcGetNVVM(nvrtcProgram program, char*) { return no_code(program); }
