// The routine gets the descriptor itself.
// RUN: cufc-opt --cufc-own-descriptors %s | FileCheck %s

func.func @_QPs(%arg0: !fir.ref<!fir.box<!fir.heap<!fir.array<?xf32>>>> {cuf.data_attr = #cuf.cuda<pinned>, fir.bindc_name = "a"}, %arg1: !fir.ref<f32> {fir.bindc_name = "b"}) {
  %0 = fir.dummy_scope : !fir.dscope
  %1:2 = hlfir.declare %arg0 dummy_scope %0 arg 1 {data_attr = #cuf.cuda<pinned>, fortran_attrs = #fir.var_attrs<allocatable>, uniq_name = "_QFsEa"} : (!fir.ref<!fir.box<!fir.heap<!fir.array<?xf32>>>>, !fir.dscope) -> (!fir.ref<!fir.box<!fir.heap<!fir.array<?xf32>>>>, !fir.ref<!fir.box<!fir.heap<!fir.array<?xf32>>>>)
  %2:2 = hlfir.declare %arg1 dummy_scope %0 arg 2 {uniq_name = "_QFsEb"} : (!fir.ref<f32>, !fir.dscope) -> (!fir.ref<f32>, !fir.ref<f32>)
  fir.call @_QPfill(%1#0) fastmath<contract> : (!fir.ref<!fir.box<!fir.heap<!fir.array<?xf32>>>>) -> ()
  return
}
func.func private @_QPfill(!fir.ref<!fir.box<!fir.heap<!fir.array<?xf32>>>>)

// CHECK: fir.call @_QPfill
