// The report as HTML: a table of kernels, then a card for each.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/html_page.h"

#include "tools/html_kernel.h"
#include "tools/html_style.h"
#include "tools/phrases.h"
#include "tools/remarks.h"
#include "tools/sequence_report.h"
#include "tools/svg.h"

namespace gridspan::tools {
namespace {

std::string head(const std::string& title) {
  return "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
         "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>" +
         escaped(title) + "</title>\n<style>" + html_style + "</style>\n</head>\n<body>\n" +
         svg_patterns() + "<main>\n";
}

std::string contents_row(const ExplainedKernel& kernel, int number) {
  std::string place = place_text(place_of(kernel));
  return "<tr><td><a href=\"#k" + std::to_string(number) + "\"><code>" +
         escaped(signature(kernel)) + "</code></a></td><td class=\"soft\">" + escaped(place) +
         "</td><td>" + badge(kernel) + "</td></tr>\n";
}

}  // namespace

std::string html_page(const std::vector<ExplainedModule>& modules, const std::string& title) {
  std::string rows, cards;
  SourceLines sources;
  int number = 0, split = 0;
  for (const ExplainedModule& module : modules)
    for (const ExplainedKernel& kernel : module.kernels) {
      rows += contents_row(kernel, number);
      cards += kernel_card(kernel, number, sources);
      split += kernel.model && can_be_split(*kernel.model);
      ++number;
    }
  std::string page = head("gridspan explain: " + title);
  page += "<h1>" + escaped(title) + " <small>gridspan explain</small></h1>\n<p class=\"soft\">" +
          counted(static_cast<unsigned>(number), "kernel", "kernels") + ", " +
          std::to_string(split) + " can be split among devices</p>\n";
  if (number > 1) page += "<table class=\"toc\">\n" + rows + "</table>\n";
  return page + cards + sequence_html(modules) + "</main>\n</body>\n</html>\n";
}

}  // namespace gridspan::tools
