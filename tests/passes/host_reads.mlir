// The host copies the element that it reads.
// RUN: cufc-opt --cufc-host-reads %s | FileCheck %s

func.func @_QPs(%arg0: !fir.ref<!fir.array<8xf32>> {cuf.data_attr = #cuf.cuda<device>, fir.bindc_name = "d"}, %arg1: !fir.ref<f32> {fir.bindc_name = "h"}) {
  %0 = fir.dummy_scope : !fir.dscope
  %c8 = arith.constant 8 : index
  %1 = fir.shape %c8 : (index) -> !fir.shape<1>
  %2:2 = hlfir.declare %arg0(%1) dummy_scope %0 arg 1 {data_attr = #cuf.cuda<device>, uniq_name = "_QFsEd"} : (!fir.ref<!fir.array<8xf32>>, !fir.shape<1>, !fir.dscope) -> (!fir.ref<!fir.array<8xf32>>, !fir.ref<!fir.array<8xf32>>)
  %3:2 = hlfir.declare %arg1 dummy_scope %0 arg 2 {uniq_name = "_QFsEh"} : (!fir.ref<f32>, !fir.dscope) -> (!fir.ref<f32>, !fir.ref<f32>)
  %c3 = arith.constant 3 : index
  %4 = hlfir.designate %2#0 (%c3)  : (!fir.ref<!fir.array<8xf32>>, index) -> !fir.ref<f32>
  %5 = fir.load %4 : !fir.ref<f32>
  %cst = arith.constant 1.000000e+00 : f32
  %6 = arith.cmpf ogt, %5, %cst fastmath<contract> : f32
  fir.if %6 {
    %cst_0 = arith.constant 2.000000e+00 : f32
    hlfir.assign %cst_0 to %3#0 : f32, !fir.ref<f32>
  }
  return
}

// CHECK: %[[E:.*]] = hlfir.designate
// CHECK-NOT: fir.load %[[E]]
// CHECK: cuf.data_transfer %[[E]] to %[[T:[^ ]*]]
// CHECK: fir.load %[[T]]
