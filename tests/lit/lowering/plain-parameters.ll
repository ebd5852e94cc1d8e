; Tables of virtual bases are handed on as generic pointers.
; RUN: %gridspan-lower %s -pass=plain-parameters | FileCheck %s

target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@table = linkonce_odr unnamed_addr constant [2 x ptr] zeroinitializer, align 8

; CHECK-LABEL: define void @constructor(ptr %object, ptr noundef %table)
; CHECK-NEXT: %[[T:.*]] = addrspacecast ptr %table to ptr addrspace(1)
; CHECK-NEXT: %first = load ptr, ptr addrspace(1) %[[T]]
; CHECK-NEXT: store ptr %first, ptr %object
define void @constructor(ptr %object, ptr addrspace(1) noundef %table) {
  %first = load ptr, ptr addrspace(1) %table, align 8
  store ptr %first, ptr %object, align 8
  ret void
}

; CHECK-LABEL: define ptr @result(ptr %p)
; CHECK: %[[P:.*]] = addrspacecast ptr %p to ptr addrspace(3)
; CHECK: %q = getelementptr i32, ptr addrspace(3) %[[P]], i64 1
; CHECK: %[[Q:.*]] = addrspacecast ptr addrspace(3) %q to ptr
; CHECK: ret ptr %[[Q]]
define ptr addrspace(3) @result(ptr addrspace(3) %p) {
  %q = getelementptr i32, ptr addrspace(3) %p, i64 1
  ret ptr addrspace(3) %q
}

; CHECK: declare void @elsewhere(ptr, ptr)
declare void @elsewhere(ptr, ptr addrspace(1))

; CHECK-LABEL: define void @kernel
; CHECK: call void @constructor(ptr %object, ptr noundef @table)
; CHECK: call void @elsewhere(ptr %object, ptr @table)
; CHECK: %[[S:.*]] = addrspacecast ptr addrspace(3) %s to ptr
; CHECK: %r = call ptr @result(ptr %[[S]])
; CHECK: %[[R:.*]] = addrspacecast ptr %r to ptr addrspace(3)
; CHECK: store i32 7, ptr addrspace(3) %[[R]]
; CHECK: call void %f(ptr %object, ptr @table)
define void @kernel(ptr %object, ptr %f) {
  call void @constructor(ptr %object, ptr addrspace(1) noundef inttoptr (i64 ptrtoint (ptr @table to i64) to ptr addrspace(1)))
  call void @elsewhere(ptr %object, ptr addrspace(1) inttoptr (i64 ptrtoint (ptr @table to i64) to ptr addrspace(1)))
  %s = addrspacecast ptr %object to ptr addrspace(3)
  %r = call ptr addrspace(3) @result(ptr addrspace(3) %s)
  store i32 7, ptr addrspace(3) %r, align 4
  call void %f(ptr %object, ptr addrspace(1) inttoptr (i64 ptrtoint (ptr @table to i64) to ptr addrspace(1)))
  ret void
}

!nvvm.annotations = !{!0}
!0 = !{ptr @kernel, !"kernel", i32 1}
