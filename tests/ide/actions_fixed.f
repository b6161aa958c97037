! Refactorings in fixed form: statements behind column 6, lines of 72 columns, directives in column 1.
      module kernels
      use cudafor
      implicit none
      contains
      attributes(global) subroutine scale_values$0(a, b, n, factor)
      integer, value :: n
      real, value :: factor
      real, device :: a(n), b(n)
      integer :: i
      i = threadIdx%x + (blockIdx%x - 1) * blockDim%x
      a(i) = b(i$1) * factor
     &  + 1.0
c     behind it
      b(i) = 0.0
      end subroutine
      subroutine on_device(first_array, second_array, rows, columns)
      integer :: rows, columns, i, j
      real :: first_array(:, :), second_array(:, :), t
      do$2 i = 1, rows
        do j = 1, columns
c         a comment
          t = second_array(i, j) * 2.0
     &      + real(rows)  ! another
          first_array(i, j) = first_array(i, j) + t
        end do
      end do
      end subroutine
      end module
      program main
      use$3 kernels, only: scale_values, on_device, launch => scale_valu
     &es
      use iso_c_binding
      use cudafor
      implicit none
      real :: x(100), y(100)
      real, device :: x_dev(100), y_dev(100)
      integer :: i, istat
      istat = cudaDevice$4Synchronize()
      call fill$5(x, 100)
      call launch$6<<<(i+255)/256, 256>>>(x_dev, y_dev, i, 2.0)
      do$7 10 i = 1, 100
10    x(i) = 1.0
      do$8 i = 1, 100
20      x(i) = 1.0
      end do
      do$9 i = 1, 100                                                     A0000001
        x(i) = y(i)
      end do
      end program
      subroutine fill(y, k)
      real :: y(k)
      integer, intent(in) :: k
      y = k
      end subroutine
!! codeAction $0-$0 {"context": {"diagnostics": []}}
!| refactor.rewrite: add a procedure that launches 'scale_values'
!| source.fixAll.cufls: fix all problems that have one fix
!! codeAction $1-$1 {"context": {"diagnostics": []}}
!| quickfix: return from the kernel beyond n (preferred)
!| quickfix: allow CUF0404 here with a comment
!| source.fixAll.cufls: fix all problems that have one fix
!! codeAction $2-$2 {"context": {"diagnostics": []}}
!| refactor.rewrite: turn the loop into a CUF kernel, with device copies of 'second_array', 'first_array'
!| refactor.extract: extract the loop to a kernel
!| source.fixAll.cufls: fix all problems that have one fix
!| refactor.rewrite: turn into DO CONCURRENT
!| refactor.rewrite: exchange the loops over 'i' and 'j'
!! codeAction $3-$3 {"context": {"diagnostics": []}}
!| source.organizeImports: organize USE statements
!| source.fixAll.cufls: fix all problems that have one fix
!! codeAction $4-$4 {"context": {"diagnostics": []}}
!| refactor.rewrite: check 'istat' for an error
!| source.fixAll.cufls: fix all problems that have one fix
!! codeAction $5-$5 {"context": {"diagnostics": []}}
!| refactor.rewrite: add an interface of 'fill'
!| source.fixAll.cufls: fix all problems that have one fix
!! codeAction $6-$6 {"context": {"diagnostics": []}}
!| source.fixAll.cufls: fix all problems that have one fix
!! codeAction $7-$7 {"context": {"diagnostics": []}}
!| source.fixAll.cufls: fix all problems that have one fix
!| refactor.rewrite: turn the loop into DO and END DO
!! codeAction $8-$8 {"context": {"diagnostics": []}}
!| refactor.rewrite: turn the loop into a CUF kernel, with device copies of 'x'
!| source.fixAll.cufls: fix all problems that have one fix
!! codeAction $9-$9 {"context": {"diagnostics": []}}
!| refactor.rewrite: turn the loop into a CUF kernel, with device copies of 'x', 'y'
!| source.fixAll.cufls: fix all problems that have one fix
!! action $0 "add a procedure that launches 'scale_values'"
!| ...
!|        b(i) = 0.0
!| +      end subroutine
!| +      subroutine launch_scale_values(a, b, n, factor)
!| +        real(4), device :: a(n)
!| +        real(4), device :: b(n)
!| +        integer(4), intent(in) :: n
!| +        real(4), intent(in) :: factor
!| +        type(dim3) :: grid, block
!| +        block = dim3(256, 1, 1)
!| +        grid = dim3((size(a) + block%x - 1) / block%x, 1, 1)
!| +        call scale_values<<<grid, block>>>(a, b, n, factor)
!|        end subroutine
!| 46:23-46:24 'y' is used, but nothing gives it a value
!| 12:16-12:17 no test keeps this index of 'b' within n; threads of the last block may be beyond it
!! action $1 "add the test 'i <= n'"
!| not offered; only return from the kernel beyond n, allow CUF0404 here with a comment, fix all problems that have one fix
!! action $2 "turn the loop into a CUF kernel, with device copies of 'second_array', 'first_array'"
!| ...
!|        real :: first_array(:, :), second_array(:, :), t
!| +      real(4), device, allocatable :: second_array_d(:, :)
!| +      real(4), device, allocatable :: first_array_d(:, :)
!| +      allocate(second_array_d(lbound(second_array,
!| +     & 1):ubound(second_array, 1), lbound(second_array,
!| +     & 2):ubound(second_array, 2)))
!| +      second_array_d = second_array
!| +      allocate(first_array_d(lbound(first_array, 1):ubound(first_array,
!| +     &1), lbound(first_array, 2):ubound(first_array, 2)))
!| +      first_array_d = first_array
!| +!$cuf kernel do(2) <<<*, *>>>
!|        do i = 1, rows
!| ...
!|  c         a comment
!| -          t = second_array(i, j) * 2.0
!| +          t = second_array_d(i, j) * 2.0
!|       &      + real(rows)  ! another
!| -          first_array(i, j) = first_array(i, j) + t
!| +          first_array_d(i, j) = first_array_d(i, j) + t
!|          end do
!|        end do
!| +      first_array = first_array_d
!| +      deallocate(second_array_d)
!| +      deallocate(first_array_d)
!|        end subroutine
!| 49:23-49:24 'y' is used, but nothing gives it a value
!| 12:16-12:17 no test keeps this index of 'b' within n; threads of the last block may be beyond it
!! action $2 "extract the loop to a kernel"
!| ...
!|        real :: first_array(:, :), second_array(:, :), t
!| -      do i = 1, rows
!| -        do j = 1, columns
!| -c         a comment
!| -          t = second_array(i, j) * 2.0
!| -     &      + real(rows)  ! another
!| +      real(4), device, allocatable :: second_array_d(:, :)
!| +      real(4), device, allocatable :: first_array_d(:, :)
!| +      allocate(second_array_d(lbound(second_array,
!| +     & 1):ubound(second_array, 1), lbound(second_array,
!| +     & 2):ubound(second_array, 2)))
!| +      second_array_d = second_array
!| +      allocate(first_array_d(lbound(first_array, 1):ubound(first_array,
!| +     &1), lbound(first_array, 2):ubound(first_array, 2)))
!| +      first_array_d = first_array
!| +      call on_device_kernel<<<dim3((rows + 31) / 32, (columns + 7) / 8,
!| +     &1), dim3(32, 8, 1)>>> (second_array_d, first_array_d, rows,
!| +     & columns)
!| +      first_array = first_array_d
!| +      deallocate(second_array_d)
!| +      deallocate(first_array_d)
!| +      end subroutine
!| +      attributes(global) subroutine on_device_kernel(second_array,
!| +     & first_array, rows, columns)
!| +        real(4), device :: second_array(:, :)
!| +        real(4), device :: first_array(:, :)
!| +        integer(4), value :: rows
!| +        integer(4), value :: columns
!| +        integer(4) :: i
!| +        integer(4) :: j
!| +        real(4) :: t
!| +        i = (blockIdx%x - 1) * blockDim%x + threadIdx%x
!| +        j = (blockIdx%y - 1) * blockDim%y + threadIdx%y
!| +        if (i <= rows .and. j <= columns) then
!| +          ! a comment
!| +          ! another
!| +          t = second_array(i, j) * 2.0      + real(rows)
!|            first_array(i, j) = first_array(i, j) + t
!| -        end do
!| -      end do
!| +        end if
!|        end subroutine
!| 61:23-61:24 'y' is used, but nothing gives it a value
!| 12:16-12:17 no test keeps this index of 'b' within n; threads of the last block may be beyond it
!! action $3 "organize USE statements"
!| ...
!|        program main
!| -      use kernels, only: scale_values, on_device, launch => scale_valu
!| -     &es
!| +      use cudafor
!|        use iso_c_binding
!| -      use cudafor
!| +      use kernels, only: launch => scale_values
!|        implicit none
!| 12:16-12:17 no test keeps this index of 'b' within n; threads of the last block may be beyond it
!| 35:23-35:24 'y' is used, but nothing gives it a value
!! action $4 "check 'istat' for an error"
!| ...
!|        istat = cudaDeviceSynchronize()
!| +      if (istat /= cudaSuccess) then
!| +        print *, 'cudaDeviceSynchronize: ',
!| +     & trim(cudaGetErrorString(istat))
!| +      end if
!|        call fill(x, 100)
!| 12:16-12:17 no test keeps this index of 'b' within n; threads of the last block may be beyond it
!| 36:23-36:24 'y' is used, but nothing gives it a value
!! action $5 "add an interface of 'fill'"
!| ...
!|        integer :: i, istat
!| +      interface
!| +        subroutine fill(y, k)
!| +          implicit none
!| +          real(4) :: y(k)
!| +          integer(4), intent(in) :: k
!| +        end subroutine
!| +      end interface
!|        istat = cudaDeviceSynchronize()
!| 12:16-12:17 no test keeps this index of 'b' within n; threads of the last block may be beyond it
!| 36:23-36:24 'y' is used, but nothing gives it a value
!! action $8 "turn the loop into a CUF kernel, with device copies of 'x'"
!| ...
!|        integer :: i, istat
!| +      real(4), device :: x_d(100)
!|        istat = cudaDeviceSynchronize()
!| ...
!|  10    x(i) = 1.0
!| +      x_d = x
!| +!$cuf kernel do <<<*, *>>>
!|        do i = 1, 100
!| -20      x(i) = 1.0
!| +20      x_d(i) = 1.0
!|        end do
!| +      x = x_d
!|        do i = 1, 100                                                     A0000001
!| 12:16-12:17 no test keeps this index of 'b' within n; threads of the last block may be beyond it
!| 36:23-36:24 'y' is used, but nothing gives it a value
