import { expect, it } from 'vitest'
import { currentCaller } from '#db/callers.ts'
import { ownSteps, STEP, type Steps } from './instances.ts'

it('a step names its workspace, although the platform calls it back later', async () => {
  const later: (() => Promise<unknown>)[] = []
  const platform: Steps = {
    do: (_, __, work) => {
      later.push(work)
      return new Promise(() => {})
    },
    sleep: async () => {},
  }
  void ownSteps(platform, 'w-1').do('work', STEP, async () => currentCaller())
  expect(await later[0]?.()).toBe('w-1')
})

it('the error of a step is a report of it', async () => {
  const platform: Steps = { do: (_, __, work) => work(), sleep: async () => {} }
  const failing = ownSteps(platform, 'w-1').do('work', STEP, async () => {
    throw new Error('It broke')
  })
  await expect(failing).rejects.toThrow('It broke')
})
