/** What one more step costs a flow, measured in whole prediction calls. */
import { chain, code, start } from '../support/flows.ts'
import { inTurn, post } from './calls.ts'
import type { Product } from './product.ts'
import { atMost, type Row } from './table.ts'

const WARM = 5
const RUNS = 15

export async function measureSteps({ url, save }: Product): Promise<Row[]> {
  const lengths = [1, 100]
  const calls = await Promise.all(
    lengths.map(async (length) => {
      const functions = Array.from({ length }, (_, number) => code('return $input + 1', number))
      const flowId = await save(chain(start(), ...functions))
      return () => post(`${url}/api/v1/prediction/${flowId}`, { question: 'Go' })
    }),
  )
  const [one = 0, hundred = 0] = await inTurn(calls, { warm: WARM, runs: RUNS })
  return [atMost('100 custom functions in a row: time of a step', (hundred - one) / 99, 0.2, 'ms')]
}
