#!/usr/bin/env bash
# check_install.sh CMAKE BUILD EXAMPLE.cu WORK: installs, moves the tree, and uses it from elsewhere.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
set -euo pipefail
cmake=$1 build=$2 example=$3 work=$4/tree

rm -rf "$work"
mkdir -p "$work/elsewhere"
"$cmake" --install "$build" --prefix "$work/first" >/dev/null
mv "$work/first" "$work/moved here"  # a blank in the path, too
cd "$work/elsewhere"
tree="$work/moved here"

# Nothing of the build folder may be needed: its path must not be in what gridcc runs.
"$tree/bin/gridcc" -### -O2 "$example" -o vector_add 2>&1 | tee steps
if grep -qF "$build/bin" steps || grep -qF "$build/lib" steps || grep -qF "$build/include" steps; then
  echo "FAILED: the installed gridcc uses the build folder"
  exit 1
fi
"$tree/bin/gridcc" -O2 "$example" -o vector_add
./vector_add 10007 2
"$tree/bin/gridcc" -O2 -cudart static "$example" -o vector_add_static
./vector_add_static 10007 2
if ldd vector_add_static | grep -q libgridspan; then
  echo "FAILED: -cudart static still needs libgridspan.so"
  exit 1
fi
"$tree/bin/gridspan" devices

# Found through PATH and through a symbolic link, as a package would install it.
ln -s "$tree/bin/gridcc" gridcc
PATH=$PWD:$PATH gridcc -c "$example" -o vector_add.o
PATH="$tree/bin:$PATH" gridcc vector_add.o -o again
./again 97
echo "the installed tree works"
