import { expect, it } from 'vitest'
import type { FlowDocument } from '#contract/flow/document/document.ts'
import { settleUploads } from './pending-uploads.ts'

const flowWith = (file: string, text = 'a') =>
  ({ nodes: [{ id: 'n', data: { inputs: { file, text } } }], edges: [] }) as unknown as FlowDocument

it('takes over the names of files that a save kept, beside changes made since', () => {
  const follow = settleUploads(flowWith('data:,'), flowWith('FILE-STORAGE::a.txt'))
  expect(follow(flowWith('data:,', 'b'))).toEqual(flowWith('FILE-STORAGE::a.txt', 'b'))
})

it('keeps a file that was chosen since, and everything else that differs', () => {
  const follow = settleUploads(flowWith('data:,'), flowWith('FILE-STORAGE::a.txt', 'other'))
  expect(follow(flowWith('data:,newer'))).toEqual(flowWith('data:,newer'))
  expect(follow(flowWith('data:,', 'mine'))).toEqual(flowWith('FILE-STORAGE::a.txt', 'mine'))
})

it('returns the same flow when no file was kept', () => {
  const flow = flowWith('FILE-STORAGE::a.txt')
  expect(settleUploads(flow, flow)(flow)).toBe(flow)
})
