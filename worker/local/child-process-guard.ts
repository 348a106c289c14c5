/**
 * Processes that must not outlive each other. workerd is a child process: when this one is killed with -9, it would go
 * on holding the port, with no database behind it.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { readFileSync } from 'node:fs'

/**
 * Every workerd started from now on ends with this process, however that ends, and its scratch folder goes with it. Not on
 * Windows, which has no `sh`.
 */
export function guardChildProcess(scratch = ''): () => void {
  if (process.platform === 'win32') return () => {}
  const onProcess = (message: unknown) => {
    const child = (message as { process: ChildProcess }).process
    child.once('spawn', () => {
      if (/workerd$/.test(child.spawnfile)) guard(child, scratch)
    })
  }
  subscribe('child_process', onProcess)
  return () => unsubscribe('child_process', onProcess)
}

/** A shell that waits for the end of a pipe from this process; the system closes it when we are gone. */
function guard(child: ChildProcess, scratch: string): void {
  const shell = spawn(
    'sh',
    ['-c', 'read -r _; kill -9 "$1"; [ -z "$2" ] || rm -rf "$2"', 'sh', String(child.pid), scratch],
    {
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
    },
  )
  shell.unref()
  child.once('exit', () => shell.kill('SIGKILL'))
}

/**
 * Calls `stop` when npm, which started us, is gone: a signal to npm alone ends npm and its shell, and nothing tells us.
 * Does nothing when this is not an npm script.
 */
export function whenNpmIsGone(stop: () => void): void {
  if (!process.env.npm_lifecycle_event) return
  const parents = [process.ppid, parentOf(process.ppid)]
  const timer = setInterval(() => {
    if (process.ppid === parents[0] && parentOf(process.ppid) === parents[1]) return
    clearInterval(timer)
    stop()
  }, 250)
  timer.unref()
}

/** npm starts a shell, and the shell starts us; only Linux tells the shell's parent without another program. */
function parentOf(pid: number): number | undefined {
  try {
    return Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ')[1])
  } catch {
    return undefined
  }
}
