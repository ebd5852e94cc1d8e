; Tiles filled up with zeros behind the end of the data: rounds that add nothing are left out, and threads that store
; nothing end at once.
; RUN: %gridspan-lower %s -pass=read-through | FileCheck %s

; CHECK: ; sum: read through in blocks of 32 x 1 x 1
; CHECK: ; weighted: kept
; CHECK: ; may_be_none: kept
; CHECK: ; all_store: kept

declare void @llvm.nvvm.barrier0()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x() nounwind willreturn memory(none)
declare ptr @gridspan.shared(i64, i64) nounwind willreturn memory(none)

; tile[x] = x < rows && m * 32 + x < n ? a[m * 32 + x] : 0; for (k < 32) sum += tile[k]; if (x < rows) c[x] = sum
define void @sum(ptr %a, ptr %c, i32 %n, i32 %rows) mustprogress {
entry:
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %wx = zext nneg i32 %x to i64
  %tile = call ptr @gridspan.shared(i64 0, i64 128)
  %mine = getelementptr float, ptr %tile, i64 %wx
  %any = icmp sgt i32 %n, 0
  %stores = icmp slt i32 %x, %rows
  br i1 %any, label %before, label %leave
before:
  %up = add nuw nsw i32 %n, 31
  %tiles = lshr i32 %up, 5
  %count = zext nneg i32 %tiles to i64
  %end = zext nneg i32 %n to i64
  br label %fill
fill:
  %m = phi i64 [ 0, %before ], [ %next_m, %used ]
  %before_sum = phi float [ 0.0, %before ], [ %new, %used ]
  %first = shl nuw nsw i64 %m, 5
  br label %within
within:
  %i = add nuw nsw i64 %first, %wx
  %is_in = icmp ult i64 %i, %end
  br i1 %is_in, label %load, label %filled
load:
  %from = getelementptr float, ptr %a, i64 %i
  %v = load float, ptr %from
  br label %filled
filled:
  %value = phi float [ %v, %load ], [ 0.0, %within ]
  store float %value, ptr %mine
  call void @llvm.nvvm.barrier0()
  br label %use
use:
  %k = phi i64 [ 0, %filled ], [ %next, %use ]
  %sum = phi float [ %before_sum, %filled ], [ %new, %use ]
  %p = getelementptr float, ptr %tile, i64 %k
  %u = load float, ptr %p
  %new = fadd float %sum, %u
  %next = add nuw nsw i64 %k, 1
  %more = icmp ne i64 %next, 32
  br i1 %more, label %use, label %used
used:
  call void @llvm.nvvm.barrier0()
  %next_m = add nuw nsw i64 %m, 1
  %again = icmp ne i64 %next_m, %count
  br i1 %again, label %fill, label %leave
leave:
  %all = phi float [ 0.0, %entry ], [ %new, %used ]
  br i1 %stores, label %store, label %done
store:
  %to = getelementptr float, ptr %c, i64 %wx
  store float %all, ptr %to
  br label %done
done:
  ret void
}
; CHECK-LABEL: define dso_local void @sum.through(
; CHECK: %[[STORES:.*]] = icmp slt i32 %{{.*}}, %rows
; CHECK: br i1 %[[STORES]], label %{{.*}}, label %[[END:.*]]
; CHECK: %padded = icmp ult i64 %end, %[[ALL:.*]]
; CHECK: %[[ROUNDS:.*]] = call i64 @llvm.umin.i64(i64 %end, i64 %[[ALL]])
; CHECK-NOT: call void @llvm.nvvm.barrier0
; CHECK-NOT: call float @gridspan_zero_outside
; CHECK: use:
; CHECK: load float
; CHECK: icmp ne i64 %{{.*}}, %[[ROUNDS]]
; CHECK: used:
; CHECK: %[[POSITIVE:.*]] = fadd float %new, 0.000000e+00
; CHECK: select i1 %padded, float %[[POSITIVE]], float %new
; CHECK: [[END]]:
; CHECK-NEXT: ret void

; What is zero is multiplied by what may be infinite.
define void @weighted(ptr %a, ptr %c, i32 %n, float %weight) mustprogress {
entry:
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %wx = zext nneg i32 %x to i64
  %tile = call ptr @gridspan.shared(i64 0, i64 128)
  %mine = getelementptr float, ptr %tile, i64 %wx
  %any = icmp sgt i32 %n, 0
  br i1 %any, label %before, label %leave
before:
  %up = add nuw nsw i32 %n, 31
  %tiles = lshr i32 %up, 5
  %count = zext nneg i32 %tiles to i64
  %end = zext nneg i32 %n to i64
  br label %fill
fill:
  %m = phi i64 [ 0, %before ], [ %next_m, %used ]
  %before_sum = phi float [ 0.0, %before ], [ %new, %used ]
  %first = shl nuw nsw i64 %m, 5
  %i = add nuw nsw i64 %first, %wx
  %is_in = icmp ult i64 %i, %end
  br i1 %is_in, label %load, label %filled
load:
  %from = getelementptr float, ptr %a, i64 %i
  %v = load float, ptr %from
  br label %filled
filled:
  %value = phi float [ %v, %load ], [ 0.0, %fill ]
  store float %value, ptr %mine
  call void @llvm.nvvm.barrier0()
  br label %use
use:
  %k = phi i64 [ 0, %filled ], [ %next, %use ]
  %sum = phi float [ %before_sum, %filled ], [ %new, %use ]
  %p = getelementptr float, ptr %tile, i64 %k
  %u = load float, ptr %p
  %product = fmul float %u, %weight
  %new = fadd float %sum, %product
  %next = add nuw nsw i64 %k, 1
  %more = icmp ne i64 %next, 32
  br i1 %more, label %use, label %used
used:
  call void @llvm.nvvm.barrier0()
  %next_m = add nuw nsw i64 %m, 1
  %again = icmp ne i64 %next_m, %count
  br i1 %again, label %fill, label %leave
leave:
  %all = phi float [ 0.0, %entry ], [ %new, %used ]
  %to = getelementptr float, ptr %c, i64 %wx
  store float %all, ptr %to
  ret void
}

; Nobody knows whether the first round adds something.
define void @may_be_none(ptr %a, ptr %c, i64 %n, i64 %count) mustprogress {
entry:
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %wx = zext nneg i32 %x to i64
  %tile = call ptr @gridspan.shared(i64 0, i64 128)
  %mine = getelementptr float, ptr %tile, i64 %wx
  br label %fill
fill:
  %m = phi i64 [ 0, %entry ], [ %next_m, %used ]
  %before_sum = phi float [ 0.0, %entry ], [ %new, %used ]
  %first = shl nuw nsw i64 %m, 5
  %i = add nuw nsw i64 %first, %wx
  %is_in = icmp ult i64 %i, %n
  br i1 %is_in, label %load, label %filled
load:
  %from = getelementptr float, ptr %a, i64 %i
  %v = load float, ptr %from
  br label %filled
filled:
  %value = phi float [ %v, %load ], [ 0.0, %fill ]
  store float %value, ptr %mine
  call void @llvm.nvvm.barrier0()
  br label %use
use:
  %k = phi i64 [ 0, %filled ], [ %next, %use ]
  %sum = phi float [ %before_sum, %filled ], [ %new, %use ]
  %p = getelementptr float, ptr %tile, i64 %k
  %u = load float, ptr %p
  %new = fadd float %sum, %u
  %next = add nuw nsw i64 %k, 1
  %more = icmp ne i64 %next, 32
  br i1 %more, label %use, label %used
used:
  call void @llvm.nvvm.barrier0()
  %next_m = add nuw nsw i64 %m, 1
  %again = icmp ne i64 %next_m, %count
  br i1 %again, label %fill, label %leave
leave:
  %to = getelementptr float, ptr %c, i64 %wx
  store float %new, ptr %to
  ret void
}

; Threads for which the tile is zero in all rounds store, too.
define void @all_store(ptr %a, ptr %c, i64 %count, i32 %rows) mustprogress {
entry:
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %wx = zext nneg i32 %x to i64
  %tile = call ptr @gridspan.shared(i64 0, i64 128)
  %mine = getelementptr float, ptr %tile, i64 %wx
  %is_row = icmp slt i32 %x, %rows
  br label %fill
fill:
  %m = phi i64 [ 0, %entry ], [ %next_m, %used ]
  %before_sum = phi float [ 0.0, %entry ], [ %new, %used ]
  %first = shl nuw nsw i64 %m, 5
  %i = add nuw nsw i64 %first, %wx
  br i1 %is_row, label %load, label %filled
load:
  %from = getelementptr float, ptr %a, i64 %i
  %v = load float, ptr %from
  br label %filled
filled:
  %value = phi float [ %v, %load ], [ 0.0, %fill ]
  store float %value, ptr %mine
  call void @llvm.nvvm.barrier0()
  br label %use
use:
  %k = phi i64 [ 0, %filled ], [ %next, %use ]
  %sum = phi float [ %before_sum, %filled ], [ %new, %use ]
  %p = getelementptr float, ptr %tile, i64 %k
  %u = load float, ptr %p
  %new = fadd float %sum, %u
  %next = add nuw nsw i64 %k, 1
  %more = icmp ne i64 %next, 32
  br i1 %more, label %use, label %used
used:
  call void @llvm.nvvm.barrier0()
  %next_m = add nuw nsw i64 %m, 1
  %again = icmp ne i64 %next_m, %count
  br i1 %again, label %fill, label %leave
leave:
  %to = getelementptr float, ptr %c, i64 %wx
  store float %new, ptr %to
  ret void
}

!nvvm.annotations = !{!0, !1, !2, !3}
!0 = !{ptr @sum, !"kernel", i32 1}
!1 = !{ptr @weighted, !"kernel", i32 1}
!2 = !{ptr @may_be_none, !"kernel", i32 1}
!3 = !{ptr @all_store, !"kernel", i32 1}
