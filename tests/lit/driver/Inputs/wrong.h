inline int number() {
  return "text";
}
