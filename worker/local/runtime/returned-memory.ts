/**
 * The size in bytes from which glibc asks the system for memory and gives it back, as it does by default until it has freed
 * something larger: then it keeps what is freed up to that size, and a start frees megabytes at a time.
 */
const RETURNED_BYTES = 128 * 1024

/**
 * Begins this process anew, as the same one, with a C library that returns what is freed: glibc reads its settings only when
 * a process begins, and other libraries ignore them. Does nothing where they are set, and where there is no way to begin anew.
 */
export function returnFreedMemory(): void {
  const { execve, execPath, execArgv, argv, env, platform } = process
  if (platform !== 'linux' || !execve || env.MALLOC_TRIM_THRESHOLD_) return
  execve.call(process, execPath, [execPath, ...execArgv, ...argv.slice(1)], {
    ...env,
    MALLOC_TRIM_THRESHOLD_: String(RETURNED_BYTES),
  })
}
