; Ballots of a whole warp that only tell which lanes agree are one sync point; others stay what they are.
; RUN: %gridspan-lower %s -pass=regions | FileCheck %s

; CHECK: ; digits: 2 regions
; CHECK: ; looked_at: 4 regions
; CHECK: ; apart: 3 regions

; As radix sorts have it: bits of one number.
define void @digits(ptr %data) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %at = getelementptr i32, ptr %data, i32 %t
  %x = load i32, ptr %at
  %bit0 = and i32 %x, 1
  %vote0 = icmp ne i32 %bit0, 0
  %yes0 = call i32 @llvm.nvvm.vote.ballot.sync(i32 -1, i1 %vote0)
  %not0 = xor i1 %vote0, true
  %mask0 = sext i1 %not0 to i32
  %agree0 = xor i32 %yes0, %mask0
  %bit1 = and i32 %x, 2
  %vote1 = icmp ne i32 %bit1, 0
  %yes1 = call i32 @llvm.nvvm.vote.ballot.sync(i32 -1, i1 %vote1)
  %no1 = xor i32 %yes1, -1
  %agree1 = select i1 %vote1, i32 %yes1, i32 %no1
  %both = and i32 %agree0, %agree1
  %bit2 = and i32 %x, 4
  %vote2 = icmp eq i32 %bit2, 0
  %yes2 = call i32 @llvm.nvvm.vote.ballot.sync(i32 -1, i1 %vote2)
  %mask2 = sext i1 %vote2 to i32
  %differ2 = xor i32 %yes2, %mask2
  %agree2 = xor i32 %differ2, -1
  %all = and i32 %both, %agree2
  store i32 %all, ptr %at
  ret void
}
; CHECK-LABEL: define internal void @digits.region.0
; The votes: two bits of the number, and a comparison.
; CHECK: zext i1
; CHECK: store i32 -1, ptr
; CHECK: store i64
; CHECK-LABEL: define internal void @digits.region.1
; CHECK-NOT: xor
; CHECK-LABEL: define internal void @looked_at.region.0

; The second ballot's result is stored as well.
define void @looked_at(ptr %data) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %at = getelementptr i32, ptr %data, i32 %t
  %x = load i32, ptr %at
  %vote0 = icmp sgt i32 %x, 1
  %yes0 = call i32 @llvm.nvvm.vote.ballot.sync(i32 -1, i1 %vote0)
  %no0 = xor i32 %yes0, -1
  %agree0 = select i1 %vote0, i32 %yes0, i32 %no0
  %vote1 = icmp sgt i32 %x, 2
  %yes1 = call i32 @llvm.nvvm.vote.ballot.sync(i32 -1, i1 %vote1)
  %no1 = xor i32 %yes1, -1
  %agree1 = select i1 %vote1, i32 %yes1, i32 %no1
  store i32 %yes1, ptr %at
  %vote2 = icmp sgt i32 %x, 3
  %yes2 = call i32 @llvm.nvvm.vote.ballot.sync(i32 -1, i1 %vote2)
  %no2 = xor i32 %yes2, -1
  %agree2 = select i1 %vote2, i32 %yes2, i32 %no2
  %both = and i32 %agree0, %agree1
  %all = and i32 %both, %agree2
  store i32 %all, ptr %at
  ret void
}

; Between the ballots memory is written, and other lanes could see it.
define void @apart(ptr %data) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %at = getelementptr i32, ptr %data, i32 %t
  %x = load i32, ptr %at
  %vote0 = icmp sgt i32 %x, 1
  %yes0 = call i32 @llvm.nvvm.vote.ballot.sync(i32 -1, i1 %vote0)
  %no0 = xor i32 %yes0, -1
  %agree0 = select i1 %vote0, i32 %yes0, i32 %no0
  store i32 7, ptr %at
  %vote1 = icmp sgt i32 %x, 2
  %yes1 = call i32 @llvm.nvvm.vote.ballot.sync(i32 -1, i1 %vote1)
  %no1 = xor i32 %yes1, -1
  %agree1 = select i1 %vote1, i32 %yes1, i32 %no1
  %both = and i32 %agree0, %agree1
  store i32 %both, ptr %at
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.vote.ballot.sync(i32, i1)

!nvvm.annotations = !{!0, !1, !2}
!0 = !{ptr @digits, !"kernel", i32 1}
!1 = !{ptr @looked_at, !"kernel", i32 1}
!2 = !{ptr @apart, !"kernel", i32 1}
