; What all rows of threads load in an inner loop, from far apart, is copied to a panel first; two
; vectors of six rows go together, or three of eight.
; RUN: %gridspan-lower %s -pass=regions -pass=vectorise | FileCheck %s

; c[y * n + x] = sum over k of a[y * n + k] * b[k * n + x]
define void @product(ptr %a, ptr %b, ptr %c, i32 %n) {
entry:
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %y = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %wn = zext i32 %n to i64
  %wx = zext i32 %x to i64
  %wy = zext i32 %y to i64
  %row = mul i64 %wy, %wn
  br label %loop
loop:
  %k = phi i64 [ 0, %entry ], [ %next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %new, %loop ]
  %ia = add i64 %row, %k
  %pa = getelementptr float, ptr %a, i64 %ia
  %va = load float, ptr %pa
  %column = mul i64 %k, %wn
  %ib = add i64 %column, %wx
  %pb = getelementptr float, ptr %b, i64 %ib
  %vb = load float, ptr %pb
  %product = fmul float %va, %vb
  %new = fadd float %sum, %product
  %next = add i64 %k, 1
  %more = icmp slt i64 %next, %wn
  br i1 %more, label %loop, label %leave
leave:
  %ic = add i64 %row, %wx
  %pc = getelementptr float, ptr %c, i64 %ic
  store float %new, ptr %pc
  ret void
}
; What other blocks of the launch have copied is still good: labels have the launch's number.
; CHECK-LABEL: define internal void @product.region.0
; CHECK: %panel = load ptr, ptr
; CHECK: %panel_bytes = load i64, ptr
; CHECK: %[[NUMBER:run.*]] = load i64, ptr
; The group of eight rows of three vectors (a target with 32 registers) is the last one; its panels
; are in the other half.
; CHECK-COUNT-5: panel.after{{.*}}:
; CHECK-DAG: phi ptr [ %[[PANEL:.*]], %panel.good{{.*}} ], [ %[[PLAIN:.*]], %{{.*}} ]
; CHECK-DAG: phi i64 [ 192, %panel.good{{.*}} ], [ %{{.*}}, %{{.*}} ]
; CHECK: panel.filled{{.*}}:
; CHECK: store i64 %[[NUMBER]], ptr
; CHECK: panel.fill{{.*}}:
; CHECK: call void @llvm.prefetch
; CHECK-COUNT-3: load <16 x float>
; A memory that was divided into more or fewer parts has lost all copies, whatever their labels say.
; CHECK: panel.test{{.*}}:
; CHECK: %[[LAST:.*]] = load i64, ptr
; CHECK: %[[SAME:.*]] = icmp eq i64 %{{.*}}, %[[PARTS:.*]]
; CHECK: %[[NEXT:.*]] = add i64 %[[LAST]], 1
; CHECK: %[[DIVISION:.*]] = select i1 %[[SAME]], i64 %[[LAST]], i64 %[[NEXT]]
; CHECK: store i64 %[[PARTS]], ptr
; CHECK: store i64 %[[DIVISION]], ptr
; CHECK: load i64, ptr
; CHECK-NEXT: icmp eq i64 %{{.*}}, %[[NUMBER]]
; CHECK: icmp eq i64 %{{.*}}, %[[DIVISION]]
; Of three lines of the panel each round, and the same of a later one.
; CHECK: mul i64 %{{.*}}, 16
; CHECK: call void @llvm.prefetch
; CHECK: mul i64 %{{.*}}, 16
; CHECK: call void @llvm.prefetch
; CHECK: mul i64 %{{.*}}, 16
; CHECK: call void @llvm.prefetch
; CHECK-NOT: call void @llvm.prefetch
; CHECK-COUNT-3: load <16 x float>
; CHECK-NOT: load <16 x float>
; CHECK-COUNT-24: fmul <16 x float>
; CHECK-NOT: fmul <16 x float>
; CHECK-COUNT-16: store <16 x float>
; CHECK: ret void

; The thread has stored something that it may read: no panel.
define void @stores_before(ptr %a, ptr %b, ptr %c, i32 %n) {
entry:
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %y = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %wn = zext i32 %n to i64
  %wx = zext i32 %x to i64
  %wy = zext i32 %y to i64
  %row = mul i64 %wy, %wn
  %ic = add i64 %row, %wx
  %pc = getelementptr float, ptr %c, i64 %ic
  store float 0.0, ptr %pc
  br label %loop
loop:
  %k = phi i64 [ 0, %entry ], [ %next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %new, %loop ]
  %ia = add i64 %row, %k
  %pa = getelementptr float, ptr %a, i64 %ia
  %va = load float, ptr %pa
  %column = mul i64 %k, %wn
  %ib = add i64 %column, %wx
  %pb = getelementptr float, ptr %b, i64 %ib
  %vb = load float, ptr %pb
  %product = fmul float %va, %vb
  %new = fadd float %sum, %product
  %next = add i64 %k, 1
  %more = icmp slt i64 %next, %wn
  br i1 %more, label %loop, label %leave
leave:
  store float %new, ptr %pc
  ret void
}
; CHECK-LABEL: define internal void @stores_before.region.0
; CHECK-NOT: panel
; CHECK: ret void

; Where the next vector lies is known only from memory.
define void @indirect(ptr %a, ptr %b, ptr %c, i32 %n) {
entry:
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %y = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %wn = zext i32 %n to i64
  %wx = zext i32 %x to i64
  %wy = zext i32 %y to i64
  %row = mul i64 %wy, %wn
  br label %loop
loop:
  %k = phi i64 [ 0, %entry ], [ %next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %new, %loop ]
  %ia = getelementptr i32, ptr %a, i64 %k
  %at = load i32, ptr %ia
  %wide = sext i32 %at to i64
  %column = mul i64 %wide, %wn
  %ib = add i64 %column, %wx
  %pb = getelementptr float, ptr %b, i64 %ib
  %vb = load float, ptr %pb
  %new = fadd float %sum, %vb
  %next = add i64 %k, 1
  %more = icmp slt i64 %next, %wn
  br i1 %more, label %loop, label %leave
leave:
  %ic = add i64 %row, %wx
  %pc = getelementptr float, ptr %c, i64 %ic
  store float %new, ptr %pc
  ret void
}
; CHECK-LABEL: define internal void @indirect.region.0
; CHECK-NOT: panel
; CHECK: ret void

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.y()
!nvvm.annotations = !{!0, !1, !2}
!0 = !{ptr @product, !"kernel", i32 1}
!1 = !{ptr @stores_before, !"kernel", i32 1}
!2 = !{ptr @indirect, !"kernel", i32 1}
