// Eigenvalues and right eigenvectors of a general matrix, on the host.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <complex>
#include <vector>

namespace gridspan::libraries::solver {

struct Eigensystem {
  /// Those of a real matrix come in pairs, the one with the positive imaginary part first.
  std::vector<std::complex<double>> values;
  /// Column after column, of length 1, the largest element real; empty if not asked for.
  std::vector<std::complex<double>> vectors;
  /// Values from this number on were found, if not 0: LAPACK's info.
  int failed = 0;
};

/// `a`: n by n, column after column. Work: about 25 n^3 operations, of one thread.
Eigensystem eigensystem(const std::vector<double>& a, int n, bool wants_vectors);
Eigensystem eigensystem(const std::vector<std::complex<double>>& a, int n, bool wants_vectors);

}  // namespace gridspan::libraries::solver
