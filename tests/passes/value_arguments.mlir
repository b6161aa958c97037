// A derived type with VALUE is marked at the launch and at the kernel.
// RUN: cufc-opt --cufc-value-arguments %s | FileCheck %s

func.func @_QMmPk(%arg0: !fir.ref<!fir.type<_QMmTt{i:i32,r:f32}>> {fir.bindc_name = "x"}) attributes {cuf.proc_attr = #cuf.cuda_proc<global>} {
  %0 = fir.dummy_scope : !fir.dscope
  %11:2 = hlfir.declare %arg0 dummy_scope %0 arg 1 {fortran_attrs = #fir.var_attrs<value>, uniq_name = "_QMmFkEx"} : (!fir.ref<!fir.type<_QMmTt{i:i32,r:f32}>>, !fir.dscope) -> (!fir.ref<!fir.type<_QMmTt{i:i32,r:f32}>>, !fir.ref<!fir.type<_QMmTt{i:i32,r:f32}>>)
  return
}
func.func @_QMmPs(%arg0: !fir.ref<!fir.type<_QMmTt{i:i32,r:f32}>> {fir.bindc_name = "x"}) {
  %0 = fir.dummy_scope : !fir.dscope
  %1:2 = hlfir.declare %arg0 dummy_scope %0 arg 1 {uniq_name = "_QMmFsEx"} : (!fir.ref<!fir.type<_QMmTt{i:i32,r:f32}>>, !fir.dscope) -> (!fir.ref<!fir.type<_QMmTt{i:i32,r:f32}>>, !fir.ref<!fir.type<_QMmTt{i:i32,r:f32}>>)
  %2 = hlfir.as_expr %1#0 : (!fir.ref<!fir.type<_QMmTt{i:i32,r:f32}>>) -> !hlfir.expr<!fir.type<_QMmTt{i:i32,r:f32}>>
  %3:3 = hlfir.associate %2 {adapt.valuebyref} : (!hlfir.expr<!fir.type<_QMmTt{i:i32,r:f32}>>) -> (!fir.ref<!fir.type<_QMmTt{i:i32,r:f32}>>, !fir.ref<!fir.type<_QMmTt{i:i32,r:f32}>>, i1)
  %c1_i32 = arith.constant 1 : i32
  %c1_i32_0 = arith.constant 1 : i32
  %c32_i32 = arith.constant 32 : i32
  cuf.kernel_launch @_QMmPk<<<%c1_i32_0, %c1_i32, %c1_i32, %c32_i32, %c1_i32, %c1_i32>>>(%3#0) : (!fir.ref<!fir.type<_QMmTt{i:i32,r:f32}>>)
  hlfir.end_associate %3#1, %3#2 : !fir.ref<!fir.type<_QMmTt{i:i32,r:f32}>>, i1
  return
}

// CHECK: func.func @_QMmPk{{.*}}cufc.by_value
// CHECK: cuf.kernel_launch @_QMmPk{{.*}}cufc.by_value
