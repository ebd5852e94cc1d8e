// Ends what small_float_type.h began: the next format may follow.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#undef GRIDSPAN_NUMBER
#undef GRIDSPAN_PAIR
#undef GRIDSPAN_NUMBER_RAW
#undef GRIDSPAN_PAIR_RAW
#undef GRIDSPAN_FORMAT
#undef GRIDSPAN_WORD
#undef GRIDSPAN_PAIR_WORD
#undef GRIDSPAN_SPLAT
#undef GRIDSPAN_OTHER_NUMBER
#undef GRIDSPAN_CONVERTS
#undef GRIDSPAN_NUMBER_OPERATORS
#undef GRIDSPAN_PAIR_OPERATORS
