/** A bundle of 100 MB is imported and exported again: how long each takes, and how much memory they need besides. */
import type { LargeImport } from '#contract/export-import/export-import.ts'
import { bundleOf, send, until } from '#worker/areas/export-import/large/testing/files.ts'
import { call, createTestClient, type TestClient } from '#worker/local/testing/client.ts'
import { canMeasureMemory } from './memory.ts'
import { startProgram } from './program.ts'
import { atLeast, atMost, type Row } from './table.ts'

const SIZE = { runs: 0, chunks: 60_000, chars: 1400 }
const LIMITS = {
  megabytes: 95,
  checkSeconds: 60,
  importSeconds: 240,
  exportSeconds: 60,
  mebibytes: 300,
  workerMebibytes: 128,
}
const SAMPLE_MS = 200
const PERSON = { name: 'Ada', email: 'ada@example.com', password: 'Shuttle-and-warp-7' }

export async function measureBundles(): Promise<Row[]> {
  const program = await startProgram()
  try {
    const client = createTestClient(program.url)
    await client.fetch('/api/v1/account/register', { method: 'POST', json: PERSON })
    const text = JSON.stringify(bundleOf(SIZE))
    const before = program.memory()
    const peak = { ...before }
    const sampling = setInterval(() => {
      const now = program.memory()
      peak.all = Math.max(peak.all, now.all)
      peak.workerd = Math.max(peak.workerd, now.workerd)
    }, SAMPLE_MS)
    const { id } = await send(client, text)
    const checked = await secondsOf(() => act(client, id, 'check', 'checked'))
    const imported = await secondsOf(() => act(client, id, 'run', 'done'))
    const exported = await secondsOf(() => exportAll(client))
    clearInterval(sampling)
    const size = `${SIZE.chunks} chunks`
    return [
      atLeast(`a bundle of ${size}`, text.length / 1e6, LIMITS.megabytes, 'MB'),
      atMost(`${size} checked`, checked, LIMITS.checkSeconds, 's'),
      atMost(`${size} imported and indexed`, imported, LIMITS.importSeconds, 's'),
      atMost(`${size} exported`, exported, LIMITS.exportSeconds, 's'),
      ...(canMeasureMemory
        ? [
            atMost('memory besides, of all processes', peak.all - before.all, LIMITS.mebibytes, 'MiB'),
            // A host gives an isolate 128 MB; the process holds its heap and more.
            atMost('memory besides, of workerd', peak.workerd - before.workerd, LIMITS.workerMebibytes, 'MiB'),
          ]
        : []),
    ]
  } finally {
    await program.close()
  }
}

async function secondsOf(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now()
  await work()
  return (performance.now() - started) / 1000
}

async function act(
  client: TestClient,
  id: string,
  action: 'check' | 'run',
  state: LargeImport['state'],
): Promise<void> {
  await call(client, 'POST', `/export-import/imports/${id}/${action}`, {})
  await until(client, state)
}

/** Throws when less comes back than was imported. */
async function exportAll(client: TestClient): Promise<void> {
  const response = await client.fetch('/api/v1/export-import/export', {
    method: 'POST',
    json: { document_store: true },
  })
  const { DocumentStoreFileChunk } = (await response.json()) as { DocumentStoreFileChunk: unknown[] }
  if (DocumentStoreFileChunk.length !== SIZE.chunks) throw new Error('The export lacks chunks')
}
