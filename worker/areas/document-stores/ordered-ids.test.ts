import { expect, it } from 'vitest'
import { z } from 'zod'
import { orderedIds } from './ordered-ids.ts'

const NOW = new Date('2026-01-01T00:00:00.000Z')

it('ids that are made together are different, sort in their order, and come before later ones', () => {
  const ids = orderedIds(NOW, 5000)
  const later = orderedIds(new Date(NOW.getTime() + 2), 1)
  expect(new Set(ids).size).toBe(5000)
  expect([...ids, ...later].sort()).toEqual([...ids, ...later])
  for (const id of ids.slice(0, 10)) expect(z.uuidv7().safeParse(id).success).toBe(true)
})

it('ids of the same moment that are made elsewhere are others', () => {
  const [one, two] = [orderedIds(NOW, 100), orderedIds(NOW, 100)]
  expect(new Set([...one, ...two]).size).toBe(200)
})
