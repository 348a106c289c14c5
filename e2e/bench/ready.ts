/** How long `npm start` takes and what it holds, with a build and without one. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { canMeasureMemory } from './memory.ts'
import { startProgram } from './program.ts'
import { atMost, median, type Row } from './table.ts'

const STARTS = 5
/** Until what a start leaves behind has been collected. */
const IDLE_MS = 3000
const LIMITS = { startMs: 2500, firstStartMs: 25_000, idleMiB: 300 }

export async function measureStart(): Promise<Row[]> {
  const starts: Start[] = []
  for (let count = 0; count < STARTS; count++) starts.push(await startOnce())
  const dist = mkdtempSync(join(tmpdir(), 'heddle-dist-'))
  const first = await startOnce({ HEDDLE_DIST: dist })
  rmSync(dist, { recursive: true })
  const times = starts.map(({ time }) => time)
  return [
    atMost('npm start: time to ready from an existing build', median(times), LIMITS.startMs, 'ms'),
    atMost('npm start: time to ready with a first build', first.time, LIMITS.firstStartMs, 'ms'),
    ...(canMeasureMemory
      ? [
          atMost('npm start: memory when idle', median(starts.map(({ idle }) => idle)), LIMITS.idleMiB, 'MiB'),
          atMost('npm start: memory when idle, after it has built', first.idle, LIMITS.idleMiB, 'MiB'),
        ]
      : []),
  ]
}

interface Start {
  time: number
  idle: number
}

async function startOnce(env?: Record<string, string>): Promise<Start> {
  const program = await startProgram(env)
  try {
    await setTimeout(IDLE_MS)
    return { time: program.startTime, idle: canMeasureMemory ? program.memory().all : 0 }
  } finally {
    await program.close()
  }
}
