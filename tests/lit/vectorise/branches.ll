; A branch that lanes take differently becomes two masked pieces, each left out if nobody wants it;
; a branch they take together stays one.
; RUN: %gridspan-lower %s -pass=regions -pass=vectorise | FileCheck %s

; CHECK: ; sides.region.0: vectors
; CHECK: ; odd_neighbour.region.0: vectors
; CHECK: ; quotient.region.0: vectors
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
; CHECK: {{[su]}}itofp <16 x i32> %[[SAFE]] to <16 x double>
; CHECK: fdiv <16 x double>
; CHECK: call void @llvm.masked.store.v16i32.p0(
; CHECK: icmp ne i16
; CHECK: low.lanes:
; CHECK: call void @llvm.masked.store.v16i32.p0(
; CHECK: select <16 x i1>
; CHECK: meet.lanes:
; CHECK: br i1 %zero
; CHECK: store <16 x i32>

; For even i, i | 1 is i + 1: a stride. The first lane may be odd.
define void @odd_neighbour(ptr %p, i32 %first) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = add i32 %first, %t
  %bit = and i32 %i, 1
  %even = icmp eq i32 %bit, 0
  br i1 %even, label %then, label %end
then:
  %next = or disjoint i32 %i, 1
  %w = zext i32 %t to i64
  %at = getelementptr i32, ptr %p, i64 %w
  store i32 %next, ptr %at
  br label %end
end:
  ret void
}
; CHECK-LABEL: define internal void @odd_neighbour.region.0
; CHECK: then.lanes:
; CHECK: %[[FIRST:next.*]] = add i32 %{{.*}}, 1
; CHECK: insertelement <16 x i32> poison, i32 %[[FIRST]], i64 0
; CHECK: call void @llvm.masked.store.v16i32.p0(

; What nobody wants is not divided, even where it is the same for all.
define void @quotient(ptr %p, i32 %a, i32 %b) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %w = zext i32 %t to i64
  %at = getelementptr i32, ptr %p, i64 %w
  %v = load i32, ptr %at
  %wanted = icmp slt i32 %v, 0
  br i1 %wanted, label %divide, label %meet
divide:
  %q = sdiv i32 %a, %b
  br label %meet
meet:
  %x = phi i32 [ 1, %entry ], [ %q, %divide ]
  store i32 %x, ptr %at
  ret void
}
; CHECK-LABEL: define internal void @quotient.region.0
; CHECK: divide.any:
; CHECK: %[[ANY:.*]] = icmp ne i16
; CHECK: br i1 %[[ANY]], label %divide.lanes
; CHECK: sdiv i32 %a, %b

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

!nvvm.annotations = !{!0, !1, !2}
!0 = !{ptr @sides, !"kernel", i32 1}
!1 = !{ptr @odd_neighbour, !"kernel", i32 1}
!2 = !{ptr @quotient, !"kernel", i32 1}
