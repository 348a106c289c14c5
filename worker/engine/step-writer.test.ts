// @defends answer-nests-deeply
import { expect, it } from 'vitest'
import { isTooDeep } from '#contract/data/json.ts'
import { createRun } from './run.ts'
import { catalogueOf, drawFlow, nodeType, requestFor } from './testing/flows.ts'

it('a step’s data is written only as deep as it can be read', async () => {
  const deep = JSON.parse('['.repeat(1_500) + ']'.repeat(1_500))
  const types = catalogueOf(nodeType('start', () => ({ input: {}, output: { content: 'said', data: deep } })))
  const request = requestFor(drawFlow({ start_0: {} }, []))
  const outcome = await createRun(types)(request)
  expect(outcome.state).toBe('FINISHED')
  expect(request.rows[0]?.item.data.output).toMatchObject({ content: 'said' })
  expect(isTooDeep(request.rows[0]?.item.data)).toBe(false)
})
