# A kernel of `most` multiplications and exclusive ors, each of which needs the one before it.
BEGIN {
  print "define void @large(ptr %a) {"
  print "  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()"
  print "  %w = zext i32 %t to i64"
  print "  %p = getelementptr i32, ptr %a, i64 %w"
  print "  %v0 = load i32, ptr %p"
  for (i = 1; i <= most; ++i) printf "  %%v%d = %s i32 %%v%d, %d\n", i, i % 2 ? "mul" : "xor", i - 1, i % 7 + 3
  printf "  store i32 %%v%d, ptr %%p\n", most
  print "  ret void"
  print "}"
  print "declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()"
  print "!nvvm.annotations = !{!0}"
  print "!0 = !{ptr @large, !\"kernel\", i32 1}"
}
