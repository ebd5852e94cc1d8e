; By-value structs are read where the launch keeps them, unless the kernel changes its copy.
; RUN: %gridspan-lower %s -pass=copy-parameters | FileCheck %s

target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"

%Big = type { [100 x i32] }

; CHECK-LABEL: define void @reads
; CHECK-NOT: alloca
define void @reads(ptr byval(%Big) align 4 %s, ptr %out, i64 %i) {
  %at = getelementptr %Big, ptr %s, i64 0, i32 0, i64 %i
  %v = load i32, ptr %at
  store i32 %v, ptr %out
  ret void
}

; CHECK-LABEL: define void @writes
; CHECK: %[[COPY:.*]] = alloca %Big, align [[#]]
; CHECK: call void @llvm.memcpy.p0.p0.i64(ptr align [[#]] %[[COPY]], ptr align 4 %s, i64 400, i1 false)
; CHECK: store i32 1, ptr %[[COPY]]
define void @writes(ptr byval(%Big) align 4 %s) {
  store i32 1, ptr %s
  ret void
}

; CHECK-LABEL: define void @hands_out
; CHECK: alloca %Big
define void @hands_out(ptr byval(%Big) align 4 %s, ptr %out) {
  store ptr %s, ptr %out
  ret void
}

!nvvm.annotations = !{!0, !1, !2}
!0 = !{ptr @reads, !"kernel", i32 1}
!1 = !{ptr @writes, !"kernel", i32 1}
!2 = !{ptr @hands_out, !"kernel", i32 1}
