; A kernel with a barrier in a loop after an early return becomes one region per continuation.
; RUN: %gridspan-lower %s -pass=regions | FileCheck %s

; CHECK: ; loop: 2 regions, 4 frame bytes, successors many many
; CHECK: ; straight: 1 regions, 0 frame bytes, successors exit
; CHECK: ; array: 2 regions, 32 frame bytes, successors 1 exit

; No sync point is left, nor a marker.
; CHECK-NOT: call {{.*}}llvm.nvvm
; CHECK-NOT: call {{.*}}@gridspan.

define void @loop(ptr %data, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %out = icmp sge i32 %t, %n
  br i1 %out, label %end, label %body

body:
  %i = phi i32 [ 0, %entry ], [ %next, %body ]
  %at = getelementptr i32, ptr %data, i32 %t
  %old = load i32, ptr %at
  %new = add i32 %old, %i
  store i32 %new, ptr %at
  call void @llvm.nvvm.barrier0()
  %next = add i32 %i, 1
  %more = icmp slt i32 %next, 10
  br i1 %more, label %body, label %end

end:
  ret void
}

; The loop counter goes through the frame; the address is computed again in each region.
; CHECK-LABEL: define internal void @loop.region.0(ptr %0, i32 %1, i32 %2)
; CHECK-LABEL: define internal void @loop.region.1(ptr %0, i32 %1, i32 %2)
; CHECK: thread:
; CHECK: %[[X:threadIdx.x]] = add nuw nsw i32 %x, %i
; CHECK: %[[SLOT:.*]] = getelementptr inbounds i8, ptr %{{.*}}, i64 %{{.*}}
; CHECK: load i32, ptr %[[SLOT]]
; CHECK: getelementptr i32, ptr %{{.*}}, i32 %threadIdx.x
; One way out records the continuation, the other the exit.
; CHECK-DAG: store i16 1,
; CHECK-DAG: store i16 -1,

define void @straight(ptr %data) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %at = getelementptr i32, ptr %data, i32 %t
  store i32 %t, ptr %at
  ret void
}
; A region with one way out writes no continuation; its thread loop is parallel.
; CHECK-LABEL: define internal void @straight.region.0
; CHECK: br i1 %{{.*}}, label %thread, label %next_row, !llvm.loop ![[LOOP:[0-9]+]]
; CHECK-NOT: store i16
; CHECK: store i32 %threadIdx.x, ptr %{{.*}}, align 4, !llvm.access.group ![[GROUP:[0-9]+]]

; A local array used on both sides of a barrier lives in the frame, each element beside other threads'.
define void @array(ptr %data, i32 %k) {
  %local = alloca [8 x i32], align 4
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %a = getelementptr [8 x i32], ptr %local, i32 0, i32 %k
  store i32 %t, ptr %a
  call void @llvm.nvvm.barrier0()
  %b = getelementptr [8 x i32], ptr %local, i32 0, i32 2
  %v = load i32, ptr %b
  %at = getelementptr i32, ptr %data, i32 %t
  store i32 %v, ptr %at
  ret void
}
; CHECK-LABEL: define internal void @array.region.1
; CHECK-NOT: alloca
; CHECK: mul nuw nsw i64 %{{.*}}, 4
; CHECK: mul i64 8, %{{.*}}

; CHECK: ![[LOOP]] = distinct !{![[LOOP]], ![[PARALLEL:[0-9]+]], !{{[0-9]+}}}
; CHECK: ![[PARALLEL]] = !{!"llvm.loop.parallel_accesses", ![[GROUP]]}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier0()

!nvvm.annotations = !{!0, !1, !2}
!0 = !{ptr @loop, !"kernel", i32 1}
!1 = !{ptr @straight, !"kernel", i32 1}
!2 = !{ptr @array, !"kernel", i32 1}
