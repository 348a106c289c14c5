import { describe, expect, it } from 'vitest'
import { findRunaway } from '#worker/local/testing/growth.ts'
import { embedders } from './index.ts'
import { practiceEmbeddings } from './practice-embeddings.ts'
import { practiceVector } from './practice-vector.ts'

const alike = (a: string, b: string) => {
  const other = practiceVector(b)
  return practiceVector(a).reduce((sum, value, at) => sum + value * (other[at] as number), 0)
}

describe('practice embeddings', () => {
  it('say that they match spelling only, and are not what a store starts with', () => {
    expect(practiceEmbeddings.definition.label).toContain('matches spelling, not meaning')
    expect(practiceEmbeddings.definition.description).toContain('Matches spelling, not meaning')
    expect(embedders.at(-1)).toBe(practiceEmbeddings)
  })

  it('find the same words, then words spelled alike, then nothing', () => {
    expect(alike('Red apples', 'apples, red')).toBeCloseTo(1)
    expect(alike('gardening', 'gardener')).toBeGreaterThan(0.3)
    expect(alike('gardening', 'quick fox')).toBeLessThan(0.2)
    expect(alike('Crème brûlée', 'creme brulee')).toBeCloseTo(1)
  })

  it.each(['', '—', '!!!', '🙂', '\u0000'])('give %j a direction, since a vector of zeros has none', (text) => {
    expect(Math.hypot(...practiceVector(text))).toBeCloseTo(1)
  })

  it('take time in proportion to the text', async () => {
    const attacks = ['lorem ipsum dolor ', 'x', '- '].map((piece) => ({ start: '', piece, end: '' }))
    expect(await findRunaway(practiceVector, attacks)).toBeUndefined()
  })
})
