! FLAGS: -cuda
program t
  use cudafor
  implicit none
  integer :: ierr
  ierr = cudaDeviceSynchronize
!        ^^^^^^^^^^^^^^^^^^^^^ warning[CUF0285]: 'cudaDeviceSynchronize' is a function, which is called here: write cudaDeviceSynchronize()
  if (ierr /= 0) write(*,*) 'error: ', cudaGetErrorString(cudaGetLastError)
!                                                         ^^^^^^^^^^^^^^^^ error[CUF1064]: 'cudaGetLastError' is a function: write 'cudaGetLastError()' for what it returns
!=>   if (ierr /= 0) write(*,*) 'error: ', cudaGetErrorString(cudaGetLastError())
end program
