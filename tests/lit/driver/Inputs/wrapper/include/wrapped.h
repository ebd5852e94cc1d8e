// Found by the compiler of this folder only.
#pragma once
inline constexpr int wrapped_factor = 3;
int wrapped_offset();
