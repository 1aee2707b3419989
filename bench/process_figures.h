/* What another process costs: its processor time and memory, from /proc. */
#ifndef DGM_BENCH_PROCESS_FIGURES_H
#define DGM_BENCH_PROCESS_FIGURES_H

/* User and system time so far, in milliseconds; 0 when there is no such process. */
double process_cpu_ms(long pid);
/* A line of its status in megabytes: "VmRSS:", "VmHWM:"; 0 when there is none. */
double process_memory_mb(long pid, const char *key);

#endif
