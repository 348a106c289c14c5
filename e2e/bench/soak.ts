/** Whether memory stays flat over many predictions, in the processes of `npm start`. */
import { createTestClient } from '#worker/local/testing/client.ts'
import { chain, code, start } from '../support/flows.ts'
import { load, post } from './calls.ts'
import { canMeasureMemory } from './memory.ts'
import { type Program, startProgram } from './program.ts'
import { atMost, type Row } from './table.ts'

/** `SOAK_PREDICTIONS` makes it longer. */
const PREDICTIONS = Number(process.env.SOAK_PREDICTIONS || 10_000)
const SAMPLES = 20
const AT_ONCE = 16
const LIMITS = { mebibytes: 450, bytesPerThousand: 1_000_000 }
const PERSON = { name: 'Ada', email: 'ada@example.com', password: 'Shuttle-and-warp-7' }

export async function measureSoak(): Promise<Row[]> {
  if (!canMeasureMemory) return []
  const program = await startProgram()
  try {
    const samples = await soak(program)
    const half = samples.slice(SAMPLES / 2)
    const slope = slopeOf(half) * 2 ** 20 * 1000
    return [
      atMost(`memory after ${PREDICTIONS} predictions`, samples.at(-1)?.[1] ?? 0, LIMITS.mebibytes, 'MiB'),
      atMost('its growth per 1,000, second half', Math.round(slope), LIMITS.bytesPerThousand, 'bytes'),
    ]
  } finally {
    await program.close()
  }
}

type Sample = [predictions: number, mebibytes: number]

async function soak({ url, memory }: Program): Promise<Sample[]> {
  const client = createTestClient(url)
  await client.fetch('/api/v1/account/register', { method: 'POST', json: PERSON })
  const flowData = JSON.stringify(chain(start(), code('return $input')))
  const flow = { name: 'Soak', type: 'AGENTFLOW', callers: 'everyone', flowData }
  const saved = await client.fetch('/api/v1/chatflows', { method: 'POST', json: flow })
  const { id } = (await saved.json()) as { id: string }
  const samples: Sample[] = []
  for (let done = 1; done <= SAMPLES; done++) {
    const call = () => post(`${url}/api/v1/prediction/${id}`, { question: 'Hello' })
    await load(call, { count: PREDICTIONS / SAMPLES, atOnce: AT_ONCE })
    samples.push([(PREDICTIONS / SAMPLES) * done, memory().all])
    console.error(samples.at(-1)?.map(Math.round).join(' predictions, ').concat(' MiB'))
  }
  return samples
}

/** The slope of the straight line that fits best. */
function slopeOf(samples: Sample[]): number {
  const mean = (index: 0 | 1) => samples.reduce((sum, sample) => sum + sample[index], 0) / samples.length
  const [x, y] = [mean(0), mean(1)]
  const above = samples.reduce((sum, sample) => sum + (sample[0] - x) * (sample[1] - y), 0)
  return above / samples.reduce((sum, sample) => sum + (sample[0] - x) ** 2, 0)
}
