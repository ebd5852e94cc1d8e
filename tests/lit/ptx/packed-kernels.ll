; A kernel of which arrays are packed boxes: where it accesses memory, the address it computed is
; divided into row and column, and moved.
; RUN: %gridspan-lower %s -pass=packed-kernels | FileCheck %s
; RUN: %gridspan-ptx --packed %s | FileCheck %s --check-prefix=PTX

target triple = "nvptx64-nvidia-cuda"
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"

; CHECK-DAG: ; stored: a: its address is used as a value
; CHECK-DAG: ; number: a: its address is used as a value
; CHECK-DAG: ; either: a: a pointer may also be another array's
; CHECK-DAG: ; wide: a: it is accessed in other units than its elements
; CHECK-DAG: ; unaligned: a: it is accessed in other units than its elements
; CHECK-DAG: ; passed: a: its address is used as a value
; CHECK-DAG: ; structs: its arrays are no arguments of their own
; CHECK-DAG: ; many: too many parameters
; CHECK-NOT: define {{.*}}$packed

; Records are read once, at entry; there is one for each pointer, not for %n.
; CHECK-LABEL: define void @"column$packed"(
; CHECK-SAME: ptr %a, i64 %n, ptr %b, ptr {{.*}}byval({ [3 x i32], i32, [3 x i32], i32 }) align 16 %part,
; CHECK-SAME: ptr noundef byval({ [2 x { i64, i64, i64, i64, i64 }] }) align 8 %places)
; CHECK: entry:
; CHECK-COUNT-10: load i64, {{.*}}!invariant.load
; CHECK: loop:
; CHECK: %from = getelementptr float, ptr %a, i64 %at
; CHECK: %[[ADDRESS:.*]] = ptrtoint ptr %from to i64
; CHECK: %offset = sub i64 %[[ADDRESS]], %
; CHECK: mul nuw i128
; CHECK: lshr i128 %{{.*}}, 64
; CHECK: %row = lshr i64
; CHECK: mul i64 %row, %
; CHECK: %packed = getelementptr i8, ptr %from, i64
; CHECK: load float, ptr %packed
; CHECK: store float %{{.*}}, ptr %packed
; CHECK: ret void

; PTX-LABEL: .visible .entry column$packed(
; PTX: .param .align 8 .b8 column$packed_param_4[80]
; PTX-NOT: __umod
; PTX: mul.hi.u64
; PTX: ld.global.f32
; PTX: mul.hi.u64
; PTX: st.global.f32
; PTX: ret;
define void @column(ptr %a, i64 %n, ptr %b) {
entry:
  %thread = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %column = zext i32 %thread to i64
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %down = mul i64 %i, %n
  %at = add i64 %down, %column
  %from = getelementptr float, ptr %a, i64 %at
  %to = getelementptr float, ptr %b, i64 %at
  %value = load float, ptr %from, align 4
  %more = fadd float %value, 1.0
  store float %more, ptr %to, align 4
  %next = add i64 %i, 1
  %again = icmp slt i64 %next, %n
  br i1 %again, label %loop, label %end
end:
  ret void
}

; Pointers that are chosen, advanced or compared are moved where they are used; so are updates.
; CHECK-LABEL: define void @"walk$packed"(
; CHECK: loop:
; CHECK-NEXT: %p = phi ptr [ %a, %entry ], [ %q, %loop ]
; CHECK-NEXT: ptrtoint ptr %p
; CHECK: atomicrmw add ptr %packed, i32 1
; CHECK: cmpxchg ptr %packed, i32 1, i32 2
; CHECK: %q = getelementptr i8, ptr %p, i64 %step
; CHECK: icmp eq ptr %q, %end
define void @walk(ptr %a, i64 %step, i64 %bytes) {
entry:
  %end = getelementptr i8, ptr %a, i64 %bytes
  br label %loop
loop:
  %p = phi ptr [ %a, %entry ], [ %q, %loop ]
  %old = atomicrmw add ptr %p, i32 1 seq_cst, align 4
  %both = cmpxchg ptr %p, i32 1, i32 2 seq_cst seq_cst, align 4
  %q = getelementptr i8, ptr %p, i64 %step
  %done = icmp eq ptr %q, %end
  br i1 %done, label %out, label %loop
out:
  ret void
}

define void @stored(ptr %a, ptr %b) {
  store ptr %a, ptr %b
  ret void
}
define void @number(ptr %a) {
  %n = ptrtoint ptr %a to i64
  %m = and i64 %n, 255
  %p = getelementptr i8, ptr %a, i64 %m
  store i8 1, ptr %p
  ret void
}
define void @either(ptr %a, ptr %b, i1 %which) {
  %p = select i1 %which, ptr %a, ptr %b
  store i32 1, ptr %p, align 4
  ret void
}
define void @wide(ptr %a) {
  store i64 1, ptr %a, align 8
  ret void
}
define void @unaligned(ptr %a) {
  store i32 1, ptr %a, align 2
  ret void
}
define void @passed(ptr %a) {
  call void @llvm.memset.p0.i64(ptr %a, i8 0, i64 64, i1 false)
  ret void
}
define void @structs(ptr byval({ ptr, i64 }) %s) {
  %p = load ptr, ptr %s
  store i32 1, ptr %p, align 4
  ret void
}
define void @many(ptr %a, ptr byval([4000 x i8]) %s) {
  store i32 1, ptr %a, align 4
  ret void
}

declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

!nvvm.annotations = !{!0, !1, !2, !3, !4, !5, !6, !7, !8, !9}
!0 = !{ptr @column, !"kernel", i32 1}
!1 = !{ptr @walk, !"kernel", i32 1}
!2 = !{ptr @stored, !"kernel", i32 1}
!3 = !{ptr @number, !"kernel", i32 1}
!4 = !{ptr @either, !"kernel", i32 1}
!5 = !{ptr @wide, !"kernel", i32 1}
!6 = !{ptr @unaligned, !"kernel", i32 1}
!7 = !{ptr @passed, !"kernel", i32 1}
!8 = !{ptr @structs, !"kernel", i32 1}
!9 = !{ptr @many, !"kernel", i32 1}
