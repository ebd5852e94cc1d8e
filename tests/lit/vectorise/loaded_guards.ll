; Guards on what was loaded are masks, not assumed to hold for all lanes. Lanes that don't store must
; not write back what they read: another thread may have stored meanwhile.
; RUN: %gridspan-lower %s -pass=regions -pass=vectorise | FileCheck %s

; CHECK: ; least.region.0: vectors
; CHECK: ; state.region.0: vectors
define void @least(ptr %way, ptr %known, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %in = icmp slt i32 %t, %n
  br i1 %in, label %look, label %end
look:
  %w = zext i32 %t to i64
  %pw = getelementptr i32, ptr %way, i64 %w
  %pk = getelementptr i32, ptr %known, i64 %w
  %x = load i32, ptr %pw
  %k = load i32, ptr %pk
  %less = icmp slt i32 %x, %k
  br i1 %less, label %then, label %end
then:
  store i32 %x, ptr %pk
  br label %end
end:
  ret void
}
; CHECK-LABEL: define internal void @least.region.0
; A vector that crosses n is under masks, which the loads need.
; CHECK: call void @llvm.masked.store
; CHECK: icmp slt i32 %{{.*}}, %{{.*}}
; CHECK: br i1 %{{.*}}, label %holds
; CHECK: %[[LESS:.*]] = icmp slt <16 x i32> %[[X:.*]], %[[K:.*]]
; CHECK-NOT: store <16 x i32>
; CHECK: call void @llvm.masked.store.v16i32.p0(<16 x i32> %[[X]]
; CHECK-NOT: store <16 x i32>

; Another thread may make a 2 of this thread's 1 meanwhile.
define void @state(ptr %states) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %w = zext i32 %t to i64
  %p = getelementptr i32, ptr %states, i64 %w
  %s = load i32, ptr %p
  %two = icmp eq i32 %s, 2
  br i1 %two, label %then, label %end
then:
  store i32 3, ptr %p
  br label %end
end:
  ret void
}
; CHECK-LABEL: define internal void @state.region.0
; An update alone is no reason to ask whether any lane wants it.
; CHECK: call <16 x i32> @llvm.masked.load
; CHECK-NOT: icmp ne i16
; CHECK: call void @llvm.masked.store
; CHECK: load <16 x i32>
; CHECK-NOT: icmp ne i16
; CHECK: call void @llvm.masked.store
; CHECK-NOT: store <16 x i32>
; CHECK-NOT: holds

; What nobody may want stays out of the cache.
define void @mark(ptr %states, ptr %marks) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %w = zext i32 %t to i64
  %p = getelementptr i32, ptr %states, i64 %w
  %s = load i32, ptr %p
  %two = icmp eq i32 %s, 2
  br i1 %two, label %then, label %end
then:
  %q = getelementptr i32, ptr %marks, i64 %w
  store i32 3, ptr %q
  br label %end
end:
  ret void
}
; CHECK-LABEL: define internal void @mark.region.0
; CHECK: load <16 x i32>
; CHECK: icmp ne i16
; CHECK: br i1 %{{.*}}, label %then.lanes
; CHECK: call void @llvm.masked.store

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

!nvvm.annotations = !{!0, !1, !2}
!0 = !{ptr @least, !"kernel", i32 1}
!1 = !{ptr @state, !"kernel", i32 1}
!2 = !{ptr @mark, !"kernel", i32 1}
