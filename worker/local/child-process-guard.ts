/**
 * Ends child processes with their parent. Otherwise, when this process is killed with -9, workerd would keep holding
 * the port, without a database behind it.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { readFileSync } from 'node:fs'

/**
 * Makes every workerd started from now on end with this process, however it ends, and removes its temporary folder.
 * Not on Windows, which has no `sh`.
 */
export function guardChildProcess(scratch = ''): () => void {
  return process.platform === 'win32' ? () => {} : watchWorkerd((child) => guard(child, scratch))
}

/** Calls `onStart` with every workerd that is started from now on. Returns what ends that. */
export function watchWorkerd(onStart: (child: ChildProcess) => void): () => void {
  const onProcess = (message: unknown) => {
    const child = (message as { process: ChildProcess }).process
    child.once('spawn', () => {
      if (/workerd(\.exe)?$/.test(child.spawnfile)) onStart(child)
    })
  }
  subscribe('child_process', onProcess)
  return () => unsubscribe('child_process', onProcess)
}

/** A shell that waits for the end of a pipe from this process. The system closes the pipe when the process ends. */
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
 * Calls `stop` when the npm process that started this one is gone: a signal to npm ends only npm and its shell. Does
 * nothing outside of an npm script.
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

/** npm starts a shell, which starts this process. Only Linux tells the shell's parent without another program. */
function parentOf(pid: number): number | undefined {
  try {
    return Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ')[1])
  } catch {
    return undefined
  }
}
