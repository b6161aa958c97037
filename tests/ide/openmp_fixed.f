C     OpenMP's directives in fixed form: continuation lines have a mark in column 6.
      SUBROUTINE SCALE(A, N)
      INTEGER N, I
      REAL A(N)
C$OMP PARALLEL DO PRI$0VATE(I)
C$OMP+ SCHED$1ULE(STATIC)
      DO 10 I = 1, N
   10 A(I) = 2*A(I)
!$omp parallel
!$omp+ num$2
      END
!! hover $0
!| at 5:19-5:26
!| ```cuf
!| private(list)
!| ```
!| Each thread or task has its own variables of these names, which begin without a value.
!! hover $1
!| at 6:8-6:16
!| ```cuf
!| schedule(static | dynamic | guided | auto | runtime [, chunk])
!| ```
!| How iterations are shared: in fixed pieces, in pieces that a thread takes when it is done, in pieces that become smaller, or as OMP_SCHEDULE says.
!! completion $2
!| at 10:8-10:11
!| NUM_THREADS | keyword | "NUM_THREADS($0)"
