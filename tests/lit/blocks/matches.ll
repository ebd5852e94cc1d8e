; Lanes that have found the same: each lane's value is compared with all, in vectors; with a mask that differs between
; lanes, each lane's own is applied.
; RUN: %gridspan-lower %s -pass=blocks -pass=tidy | FileCheck %s

define void @alike(ptr %in, ptr %out) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %at = zext nneg i32 %t to i64
  %from = getelementptr i32, ptr %in, i64 %at
  %v = load i32, ptr %from
  %peers = call i32 @llvm.nvvm.match.any.sync.i32(i32 -1, i32 %v)
  %to = getelementptr i32, ptr %out, i64 %at
  store i32 %peers, ptr %to
  ret void
}
; CHECK-LABEL: define internal void @alike.warps.0(
; CHECK: %[[V:.*]] = load <32 x i32>
; CHECK: %[[FIRST:.*]] = shufflevector <32 x i32> %[[V]], <32 x i32> poison, <32 x i32> zeroinitializer
; CHECK: %[[SAME:.*]] = icmp eq <32 x i32> %[[V]], %[[FIRST]]
; CHECK-COUNT-31: icmp eq <32 x i32> %[[V]],
; CHECK-NOT: icmp eq <32 x i32>
; CHECK: store <32 x i32>

define void @all_alike(ptr %in, ptr %out, i32 %mask) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %at = zext nneg i32 %t to i64
  %from = getelementptr i64, ptr %in, i64 %at
  %v = load i64, ptr %from
  %pair = call { i32, i1 } @llvm.nvvm.match.all.sync.i64p(i32 %mask, i64 %v)
  %peers = extractvalue { i32, i1 } %pair, 0
  %all = extractvalue { i32, i1 } %pair, 1
  %some = select i1 %all, i32 %peers, i32 7
  %to = getelementptr i32, ptr %out, i64 %at
  store i32 %some, ptr %to
  ret void
}
; CHECK-LABEL: define internal void @all_alike.warps.0(
; CHECK: load <32 x i64>
; CHECK-COUNT-32: icmp eq <32 x i64>
; CHECK: %[[MASK:.*]] = load <32 x i32>, ptr %mask
; CHECK: %[[PEERS:.*]] = and <32 x i32> %{{.*}}, %[[MASK]]
; CHECK: icmp eq <32 x i32> %[[PEERS]], %[[MASK]]

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.match.any.sync.i32(i32, i32)
declare { i32, i1 } @llvm.nvvm.match.all.sync.i64p(i32, i64)

!nvvm.annotations = !{!0, !1}
!0 = !{ptr @alike, !"kernel", i32 1}
!1 = !{ptr @all_alike, !"kernel", i32 1}
