; A branch that lanes take differently becomes two masked pieces, each left out if nobody wants it;
; a branch they take together stays one.
; RUN: %gridspan-lower %s -pass=regions -pass=vectorise | FileCheck %s

; CHECK: ; sides.region.0: vectors
define void @sides(ptr %p, i32 %choice) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %w = zext i32 %t to i64
  %at = getelementptr i32, ptr %p, i64 %w
  %v = load i32, ptr %at
  %negative = icmp slt i32 %v, 0
  br i1 %negative, label %low, label %high
low:
  %q = getelementptr i32, ptr %at, i64 1024
  store i32 %v, ptr %q
  br label %meet
high:
  %d = sdiv i32 100, %v
  %r = getelementptr i32, ptr %at, i64 2048
  store i32 %d, ptr %r
  br label %meet
meet:
  %x = phi i32 [ 1, %low ], [ %d, %high ]
  %zero = icmp eq i32 %choice, 0
  br i1 %zero, label %store, label %end
store:
  store i32 %x, ptr %at
  br label %end
end:
  ret void
}
; CHECK-LABEL: define internal void @sides.region.0
; CHECK: icmp slt <16 x i32>
; CHECK: icmp ne i16
; CHECK: high.lanes:
; Lanes that are not here do not trap.
; CHECK: %[[SAFE:.*]] = select <16 x i1> %{{.*}}, <16 x i32> %{{.*}}, <16 x i32> {{.*}}i32 1
; CHECK: {{[su]}}div <16 x i32> {{.*}}, %[[SAFE]]
; CHECK: call void @llvm.masked.store.v16i32.p0(
; CHECK: icmp ne i16
; CHECK: low.lanes:
; CHECK: call void @llvm.masked.store.v16i32.p0(
; CHECK: select <16 x i1>
; CHECK: meet.lanes:
; CHECK: br i1 %zero
; CHECK: store <16 x i32>

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

!nvvm.annotations = !{!0}
!0 = !{ptr @sides, !"kernel", i32 1}
