// gridspan explain: from a file to a report.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/explain.h"

#include "tools/compile.h"
#include "tools/explain_summary.h"
#include "tools/explained.h"
#include "tools/explained_json.h"
#include "tools/html_page.h"
#include "tools/kernel_report.h"
#include "tools/remarks.h"
#include "tools/sequence_report.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>

namespace gridspan::tools {
namespace {

bool is_wanted(const ExplainedKernel& kernel, const std::vector<std::string>& parts) {
  return parts.empty() || std::any_of(parts.begin(), parts.end(), [&](const std::string& part) {
           return kernel.name.find(part) != std::string::npos ||
                  kernel.readable.find(part) != std::string::npos;
         });
}

/// Leaves the kernels asked for, modules that have some, and sequences with such a kernel.
void keep_wanted(std::vector<ExplainedModule>& modules, const std::vector<std::string>& parts) {
  for (ExplainedModule& module : modules) {
    std::erase_if(module.kernels,
                  [&](const ExplainedKernel& kernel) { return !is_wanted(kernel, parts); });
    if (parts.empty()) continue;
    std::erase_if(module.sequences, [&](const support::LaunchSequence& sequence) {
      return std::ranges::none_of(sequence.steps, [&](const support::LaunchStep& step) {
        return std::ranges::any_of(module.kernels, [&](const ExplainedKernel& kernel) {
          return kernel.name == step.kernel;
        });
      });
    });
  }
  std::erase_if(modules, [](const ExplainedModule& module) { return module.kernels.empty(); });
}

std::string text_report(const std::vector<ExplainedModule>& modules, const std::string& file,
                        const ReportStyle& style) {
  SourceLines sources;
  std::string text;
  for (const ExplainedModule& module : modules) {
    bool is_member = module.object != file && module.object.find('(') != std::string::npos;
    text += (text.empty() ? "" : "\n") + module.source;
    text += (is_member ? " in " + module.object : "") + "\n";
    bool is_first = true;
    for (const ExplainedKernel& kernel : module.kernels) {
      if (!is_first && kernel.model) text += "\n";
      text += kernel_report(kernel, style, sources);
      is_first = false;
    }
    text += sequence_report(module, modules, Paint(style.colours));
  }
  return text;
}

support::Result<bool> write_file(const std::string& path, const std::string& content) {
  std::ofstream stream(path, std::ios::binary);
  stream << content;
  stream.close();
  if (!stream) return support::fail(path + ": " + std::strerror(errno));
  return true;
}

std::vector<std::string> unsplit_kernels(const std::vector<ExplainedModule>& modules) {
  std::vector<std::string> names;
  for (const ExplainedModule& module : modules)
    for (const ExplainedKernel& kernel : module.kernels)
      if (!kernel.model || !can_be_split(*kernel.model)) names.push_back(kernel.readable);
  return names;
}

}  // namespace

support::Result<Explanation> explain(const ExplainRequest& request) {
  TemporaryObject object;
  auto file = object_of(request.file, request.compile_options, object);
  if (!file) return support::fail(file.error());
  model::IslContext isl;
  auto modules = read_explained(isl.get(), *file);
  if (!modules) return support::fail(modules.error());
  keep_wanted(*modules, request.kernels);
  if (modules->empty() && !request.kernels.empty())
    return support::fail(request.file + ": no kernel's name contains the words of --kernel");

  Explanation result;
  result.unsplit = unsplit_kernels(*modules);
  if (request.json) {
    result.text = explained_json(*modules, request.file);
  } else if (modules->empty()) {
    result.text = request.file + ": no kernels\n";
  } else {
    result.text =
        explain_summary(*modules) + text_report(*modules, *file, {request.isl, request.colours});
  }
  if (request.html.empty()) return result;
  auto written = write_file(request.html, html_page(*modules, request.file));
  if (!written) return support::fail(written.error());
  return result;
}

}  // namespace gridspan::tools
