// A transfer is a call of the runtime; a copy of a whole array that flang makes for an expression goes.
// RUN: cufc-opt --cufc-transfer-forms --cufc-transfers %s | FileCheck %s

func.func @_QPs(%arg0: !fir.ref<!fir.array<4xf32>> {cuf.data_attr = #cuf.cuda<device>, fir.bindc_name = "d"}, %arg1: !fir.ref<!fir.array<4xf64>> {fir.bindc_name = "h"}) {
  %0 = fir.dummy_scope : !fir.dscope
  %c4 = arith.constant 4 : index
  %1 = fir.shape %c4 : (index) -> !fir.shape<1>
  %2:2 = hlfir.declare %arg0(%1) dummy_scope %0 arg 1 {data_attr = #cuf.cuda<device>, uniq_name = "_QFsEd"} : (!fir.ref<!fir.array<4xf32>>, !fir.shape<1>, !fir.dscope) -> (!fir.ref<!fir.array<4xf32>>, !fir.ref<!fir.array<4xf32>>)
  %c4_0 = arith.constant 4 : index
  %3 = fir.shape %c4_0 : (index) -> !fir.shape<1>
  %4:2 = hlfir.declare %arg1(%3) dummy_scope %0 arg 2 {uniq_name = "_QFsEh"} : (!fir.ref<!fir.array<4xf64>>, !fir.shape<1>, !fir.dscope) -> (!fir.ref<!fir.array<4xf64>>, !fir.ref<!fir.array<4xf64>>)
  %5 = hlfir.elemental %3 unordered : (!fir.shape<1>) -> !hlfir.expr<4xf32> {
  ^bb0(%arg2: index):
    %10 = hlfir.designate %4#0 (%arg2)  : (!fir.ref<!fir.array<4xf64>>, index) -> !fir.ref<f64>
    %11 = fir.load %10 : !fir.ref<f64>
    %12 = fir.convert %11 : (f64) -> f32
    hlfir.yield_element %12 : f32
  }
  %6:3 = hlfir.associate %5(%3) {uniq_name = ".cuf_host_tmp"} : (!hlfir.expr<4xf32>, !fir.shape<1>) -> (!fir.ref<!fir.array<4xf32>>, !fir.ref<!fir.array<4xf32>>, i1)
  cuf.data_transfer %6#0 to %2#0 {transfer_kind = #cuf.cuda_transfer<host_device>} : !fir.ref<!fir.array<4xf32>>, !fir.ref<!fir.array<4xf32>>
  hlfir.end_associate %6#1, %6#2 : !fir.ref<!fir.array<4xf32>>, i1
  hlfir.destroy %5 : !hlfir.expr<4xf32>
  %7 = fir.allocmem !fir.array<4xf32> {bindc_name = ".tmp", uniq_name = ""}
  %8:2 = hlfir.declare %7(%1) {uniq_name = ".tmp"} : (!fir.heap<!fir.array<4xf32>>, !fir.shape<1>) -> (!fir.heap<!fir.array<4xf32>>, !fir.heap<!fir.array<4xf32>>)
  cuf.data_transfer %2#0 to %8#0 {transfer_kind = #cuf.cuda_transfer<device_host>} : !fir.ref<!fir.array<4xf32>>, !fir.heap<!fir.array<4xf32>>
  %9 = hlfir.elemental %1 unordered : (!fir.shape<1>) -> !hlfir.expr<4xf64> {
  ^bb0(%arg2: index):
    %10 = hlfir.designate %8#0 (%arg2)  : (!fir.heap<!fir.array<4xf32>>, index) -> !fir.ref<f32>
    %11 = fir.load %10 : !fir.ref<f32>
    %12 = fir.convert %11 : (f32) -> f64
    hlfir.yield_element %12 : f64
  }
  hlfir.assign %9 to %4#0 : !hlfir.expr<4xf64>, !fir.ref<!fir.array<4xf64>>
  hlfir.destroy %9 : !hlfir.expr<4xf64>
  return
}

// CHECK-NOT: cuf.data_transfer
// CHECK: fir.call @_FortranACUFDataTransferDescDescNoRealloc
// CHECK-NOT: cuf.data_transfer
