// Pictures as SVG. Colours come from the page's style, so that they follow light and dark.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "tools/picture.h"

namespace gridspan::tools {

/// The grid of blocks, coloured by part.
std::string grid_svg(const Sample& sample);

/// One plane of an array. Elements of several parts are hatched.
std::string plane_svg(const Plane& plane, const Picture& picture);

/// Hatchings, to be put once into the page.
std::string svg_patterns();

/// A small square for the legend; `fill` is a part, or several.
std::string swatch_svg(Parts parts, bool is_conflict);

/// Text with <, > and & written as entities.
std::string escaped(std::string_view text);

}  // namespace gridspan::tools
