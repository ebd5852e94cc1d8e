; Who calls through a pointer looks for the mark before the function; who may be called so has it.
; RUN: %gridspan-lower %s -pass=pass-thread | FileCheck %s

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

@table = internal constant [1 x ptr] [ptr @in_table]

; CHECK-LABEL: define void @kernel
; CHECK: %[[PLACE:.*]] = getelementptr i8, ptr %f, i64 -8
; CHECK: %mark = load i64, ptr %[[PLACE]], align 1
; CHECK: %[[BAD:.*]] = icmp ne i64 %mark, [[MARK:[0-9]+]]
; CHECK: br i1 %[[BAD]], label %[[OTHER:.*]], label %[[CALL:.*]], !prof
; CHECK: [[OTHER]]:
; CHECK: call void @gridspan_device_bad_call(ptr %{{.*}}, ptr %f, ptr @{{.*}})
; CHECK: unreachable
; CHECK: [[CALL]]:
; CHECK: call i32 %f(ptr %{{.*}}, i32 3)
; CHECK-NOT: load i64
; CHECK: call i32 @direct(i32 4)
; CHECK: ret void
define void @kernel(ptr %f, ptr %out) {
  %r = call i32 %f(i32 3)
  %s = call i32 @direct(i32 4)
  %t = add i32 %r, %s
  store i32 %t, ptr %out, align 4
  ret void
}

; CHECK: define internal i32 @direct(i32 %x) {
define internal i32 @direct(i32 %x) {
  ret i32 %x
}

; CHECK: define internal i32 @in_table(ptr %thread, i32 %x) {{.*}}prefix [2 x i64] [i64 0, i64 [[MARK]]]
define internal i32 @in_table(i32 %x) {
  ret i32 %x
}

!nvvm.annotations = !{!0}
!0 = !{ptr @kernel, !"kernel", i32 1}
