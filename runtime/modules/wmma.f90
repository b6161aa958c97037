! Of module wmma of CUDA Fortran the copies from global to shared memory, which device code of cufc
! knows without it. Tensor cores are not supported yet: their names are not there.
module wmma
  use, intrinsic :: cudadevice, only: pipelineMemcpyAsync, pipelineCommit, pipelineWaitPrior
end module
