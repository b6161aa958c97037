// An element of a device array is set by a transfer from a variable.
// RUN: cufc-opt --cufc-transfer-forms %s | FileCheck %s

func.func @_QPs(%arg0: !fir.ref<!fir.array<4xf32>> {cuf.data_attr = #cuf.cuda<device>, fir.bindc_name = "d"}) {
  %0 = fir.dummy_scope : !fir.dscope
  %c4 = arith.constant 4 : index
  %1 = fir.shape %c4 : (index) -> !fir.shape<1>
  %2:2 = hlfir.declare %arg0(%1) dummy_scope %0 arg 1 {data_attr = #cuf.cuda<device>, uniq_name = "_QFsEd"} : (!fir.ref<!fir.array<4xf32>>, !fir.shape<1>, !fir.dscope) -> (!fir.ref<!fir.array<4xf32>>, !fir.ref<!fir.array<4xf32>>)
  %cst = arith.constant 1.000000e+00 : f32
  cuf.data_transfer %cst to %2#0, %1 : !fir.shape<1> {transfer_kind = #cuf.cuda_transfer<host_device>} : f32, !fir.ref<!fir.array<4xf32>>
  return
}

// CHECK: %[[D:.*]]:2 = hlfir.declare %arg0
// CHECK-NOT: cuf.data_transfer %cst
// CHECK: cuf.data_transfer %{{.*}} to %[[D]]#0
