/**
 * What this isolate counts for operators since it started. Labels are states, kinds and patterns of routes: never an id, a
 * name or anything that was sent.
 */
import type { FileStorage } from '../types.ts'
import { createCounter, createHistogram } from './counts.ts'

/** Seconds. */
const CALL_BOUNDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]
const DATABASE_BOUNDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 15]
const DELAY_BOUNDS = [1, 5, 15, 60, 300, 900, 3600]

export const metrics = {
  requests: createHistogram<{ method: string; route: string; status: string }>(
    {
      name: 'heddle_http_request_duration_seconds',
      unit: 'seconds',
    },
    CALL_BOUNDS,
  ),
  runsStarted: createCounter({ name: 'heddle_runs_started' }),
  runsEnded: createCounter<{ state: string }>({
    name: 'heddle_runs_ended',
    hasLabels: true,
  }),
  steps: createCounter<{ status: string }>({
    name: 'heddle_steps',
    hasLabels: true,
  }),
  modelCalls: createCounter<{ outcome: 'answered' | 'failed' | 'stopped' }>({
    name: 'heddle_model_calls',
    hasLabels: true,
  }),
  modelTokens: createCounter<{ direction: 'input' | 'output' }>({
    name: 'heddle_model_tokens',
    hasLabels: true,
  }),
  triggerDelays: createHistogram<{ source: string }>(
    {
      name: 'heddle_trigger_delay_seconds',
      unit: 'seconds',
    },
    DELAY_BOUNDS,
  ),
  databaseRequests: createHistogram<{ outcome: 'answered' | 'throttled' | 'refused' | 'failed' }>(
    {
      name: 'heddle_database_request_duration_seconds',
      unit: 'seconds',
    },
    DATABASE_BOUNDS,
  ),
  fileBytesRead: createCounter({
    name: 'heddle_file_read_bytes',
    unit: 'bytes',
  }),
  fileBytesWritten: createCounter({
    name: 'heddle_file_written_bytes',
    unit: 'bytes',
  }),
  functions: createCounter({ name: 'heddle_functions' }),
  functionCpu: createCounter({
    name: 'heddle_function_cpu_seconds',
    unit: 'seconds',
  }),
}

/** Counts the bytes that pass. */
export function countFileBytes(storage: FileStorage): FileStorage {
  const countRead = (bytes: number) => metrics.fileBytesRead.add(bytes, {})
  return {
    ...storage,
    async write(key, bytes) {
      await storage.write(key, bytes)
      metrics.fileBytesWritten.add(bytes.length, {})
    },
    async read(key) {
      const bytes = await storage.read(key)
      countRead(bytes?.length ?? 0)
      return bytes
    },
    async readRange(key, range) {
      const found = await storage.readRange(key, range)
      countRead(found?.bytes.length ?? 0)
      return found
    },
  }
}

interface Network {
  fetch(address: string, init: RequestInit): Promise<Response>
}

/** Counts the requests to the database, until their answer begins. */
export function countDatabaseRequests(network: Network): Network {
  return {
    async fetch(address, init) {
      const start = Date.now()
      const count = (outcome: 'answered' | 'throttled' | 'refused' | 'failed') =>
        metrics.databaseRequests.observe((Date.now() - start) / 1000, { outcome })
      try {
        const response = await network.fetch(address, init)
        count(response.ok ? 'answered' : response.status === 429 ? 'throttled' : 'refused')
        return response
      } catch (error) {
        count('failed')
        throw error
      }
    },
  }
}
