import { expect, it } from 'vitest'
import { isTooDeep } from '#contract/json.ts'
import { createRun } from './run.ts'
import { catalogueOf, drawFlow, nodeType, requestFor } from './testing/flows.ts'

it('what a step leaves is written no deeper than it can be read again', async () => {
  const deep = JSON.parse('['.repeat(1_500) + ']'.repeat(1_500))
  const types = catalogueOf(nodeType('start', () => ({ input: {}, output: { content: 'said', data: deep } })))
  const request = requestFor(drawFlow({ start_0: {} }, []))
  const outcome = await createRun(types)(request)
  expect(outcome.state).toBe('FINISHED')
  expect(request.rows[0]?.item.data.output).toMatchObject({ content: 'said' })
  expect(isTooDeep(request.rows[0]?.item.data)).toBe(false)
})
