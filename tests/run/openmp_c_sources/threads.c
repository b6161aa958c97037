/* Threads of OpenMP as C sees them, for main.cuf. */
int omp_get_thread_num(void);

int sum_of_threads(int n) {
  int sum = 0;
#pragma omp parallel num_threads(n) reduction(+ : sum)
  sum += omp_get_thread_num();
  return sum;
}

int number_of_this_thread(void) { return omp_get_thread_num(); }
