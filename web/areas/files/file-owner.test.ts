import { expect, it } from 'vitest'
import { type FileOwner, whatFollows } from './file-owner.ts'

const flow = { kind: 'flow', id: 'f', name: 'Helper', type: 'AGENTFLOW' } as const
const store = { kind: 'documentStore', id: 's', name: 'Handbook', loader: { id: 'l', name: 'Policies' } } as const

it.each<[FileOwner, string]>([
  [{ ...flow, chatId: 'c' }, 'It is removed from its chat in “Helper”.'],
  [{ ...flow, chatId: '' }, '“Helper” cannot read it any more.'],
  [{ ...store, loader: null, chunks: 0 }, 'No loader of “Handbook” has read it yet.'],
  [{ ...store, chunks: 0 }, 'The loader “Policies” of “Handbook” loses this file.'],
  [
    { ...store, chunks: 1 },
    'The loader “Policies” of “Handbook” loses this file with its chunk, and searches of the store no longer find it.',
  ],
  [
    { ...store, chunks: 1200 },
    'The loader “Policies” of “Handbook” loses this file with its 1,200 chunks, and searches of the store no longer find it.',
  ],
])('deleting a file of %j says what follows', (owner, text) => {
  expect(whatFollows(owner)).toBe(text)
})
