// A type without allocatable parts is copied as memory.
// RUN: cufc-opt --cufc-copy-derived-types %s | FileCheck %s

func.func @_QMmPk(%arg0: !fir.ref<!fir.type<_QMmTt{i:!fir.array<10xi32>}>> {cuf.data_attr = #cuf.cuda<device>, fir.bindc_name = "a"}, %arg1: !fir.ref<!fir.type<_QMmTt{i:!fir.array<10xi32>}>> {cuf.data_attr = #cuf.cuda<device>, fir.bindc_name = "b"}) attributes {cuf.proc_attr = #cuf.cuda_proc<device>} {
  %0 = fir.dummy_scope : !fir.dscope
  %1:2 = hlfir.declare %arg0 dummy_scope %0 arg 1 {data_attr = #cuf.cuda<device>, uniq_name = "_QMmFkEa"} : (!fir.ref<!fir.type<_QMmTt{i:!fir.array<10xi32>}>>, !fir.dscope) -> (!fir.ref<!fir.type<_QMmTt{i:!fir.array<10xi32>}>>, !fir.ref<!fir.type<_QMmTt{i:!fir.array<10xi32>}>>)
  %2:2 = hlfir.declare %arg1 dummy_scope %0 arg 2 {data_attr = #cuf.cuda<device>, uniq_name = "_QMmFkEb"} : (!fir.ref<!fir.type<_QMmTt{i:!fir.array<10xi32>}>>, !fir.dscope) -> (!fir.ref<!fir.type<_QMmTt{i:!fir.array<10xi32>}>>, !fir.ref<!fir.type<_QMmTt{i:!fir.array<10xi32>}>>)
  hlfir.assign %2#0 to %1#0 : !fir.ref<!fir.type<_QMmTt{i:!fir.array<10xi32>}>>, !fir.ref<!fir.type<_QMmTt{i:!fir.array<10xi32>}>>
  return
}

// CHECK-NOT: hlfir.assign
// CHECK: fir.copy %{{.*}} to %{{.*}}
// CHECK-NOT: hlfir.assign
