// call cufrt_drop(f(x)): a function of ours that host code calls like a subroutine
// (compiler/frontend/lenient/dropped_statuses.cpp). The kind of the status may be any.
extern "C" void cufrt_drop_(const void *) {}
