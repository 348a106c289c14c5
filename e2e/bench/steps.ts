/** What one more step costs a flow, measured in whole prediction calls. */
import { chain, code, start } from '../support/flows.ts'
import { post, timed } from './calls.ts'
import type { Product } from './product.ts'
import { atMost, median, type Row, show } from './table.ts'

const WARM = 5
const RUNS = 15

export async function measureSteps({ url, save }: Product): Promise<Row[]> {
  const lengths = [1, 100, 200]
  const calls = await Promise.all(
    lengths.map(async (length) => {
      const functions = Array.from({ length }, (_, number) => code('return $input + 1', number))
      const flowId = await save(chain(start(), ...functions))
      return () => post(`${url}/api/v1/prediction/${flowId}`, { question: 'Go' })
    }),
  )
  const times: number[][] = lengths.map(() => [])
  for (let run = 0; run < WARM + RUNS; run++) {
    for (const [index, call] of calls.entries()) {
      const milliseconds = await timed(call)
      if (run >= WARM) times[index]?.push(milliseconds)
    }
  }
  const [one = 0, hundred = 0, twoHundred = 0] = times.map(median)
  return [
    atMost('100 custom functions in a row: time of a step', (hundred - one) / 99, 0.4, 'ms'),
    {
      measure: '200 custom functions in a row',
      value: `${show(twoHundred)} ms`,
      against: `100 take ${show(hundred)} ms: ${(twoHundred / hundred).toFixed(2)} x`,
    },
  ]
}
