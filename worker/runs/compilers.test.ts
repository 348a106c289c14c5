import { expect, it } from 'vitest'
import { KINDS } from '#contract/flow/kinds/index.ts'
import { compilers } from './compilers.ts'

it('each kind of flow that runs has a compiler, and no other', () => {
  const runnable = Object.values(KINDS).filter(({ isRunnable }) => isRunnable)
  expect(Object.keys(compilers)).toEqual(runnable.map(({ type }) => type))
})

it('finds each kind under its own type', () => {
  for (const [type, kind] of Object.entries(KINDS)) expect(kind.type).toBe(type)
})
