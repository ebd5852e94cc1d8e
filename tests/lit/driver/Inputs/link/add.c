/* C: a name that is no C++ identifier shows which compiler read it. */
int add(int a, int b) {
  int new = a + b;
  return new;
}
