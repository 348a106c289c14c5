/**
 * V8 flags of workerd. It holds a dozen isolates, and each request leaves streams and headers outside of V8's heaps, which
 * are freed when their isolate collects garbage. By default V8 first does that when an isolate has grown to many times
 * what is alive in it, which is about 10 MiB in ours and 1 MiB in those of the platform around it.
 */
const FLAGS = ['--max-semi-space-size=4', '--initial-old-space-size=6', '--heap-growing-percent=30']

/** Miniflare reads them from the environment only. Flags that are already there win. */
export function setRuntimeFlags(): void {
  process.env.MINIFLARE_WORKERD_V8_FLAGS ??= FLAGS.join(' ')
}
