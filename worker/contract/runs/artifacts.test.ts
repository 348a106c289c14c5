import { expect, it } from 'vitest'
import { artifactsIn, fileArtifact, isPicture } from './artifacts.ts'

it.each([
  ['data:image/png;base64,AAAA', 'png', true],
  ['data:image/svg+xml;base64,AAAA', 'svg', true],
  ['data:application/pdf;base64,AAAA', 'pdf', false],
  ['data:text/html;base64,AAAA', 'html', false],
  ['data:image/svg+xml,<svg onload="alert(1)"/>', 'svg', false],
  ['https://example.com/spy.png', 'file', false],
  ['javascript:alert(1)', 'file', false],
])('fileArtifact(%s) has the type %s', (address, type, picture) => {
  expect(fileArtifact(address)).toEqual({ type, data: address })
  expect(isPicture(fileArtifact(address))).toBe(picture)
})

it('artifactsIn leaves out values that are no artifacts', () => {
  const good = { type: 'markdown', data: '# Hi' }
  expect(artifactsIn([good, { type: 'png' }, 'x', null, { type: 1, data: 'x' }])).toEqual([good])
  expect(artifactsIn(null)).toEqual([])
  expect(artifactsIn({ type: 'png', data: 'x' })).toEqual([])
})
