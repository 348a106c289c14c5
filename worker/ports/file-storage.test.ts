import { expect, it } from 'vitest'
import { mapFiles } from './file-storage.ts'

it('calls storage for six files at once, and returns what came in the order of the files', async () => {
  const waiting: (() => void)[] = []
  let most = 0
  const files = Array.from({ length: 20 }, (_, index) => index)
  const read = mapFiles(files, async (file) => {
    await new Promise<void>((resolve) => {
      waiting.push(resolve)
      most = Math.max(most, waiting.length)
    })
    return file * 2
  })
  let isOver = false
  void read.finally(() => {
    isOver = true
  })
  while (!isOver) {
    waiting.pop()?.()
    await Promise.resolve()
  }
  expect([await read, most]).toEqual([files.map((file) => file * 2), 6])
})

it('fails when storage does', async () => {
  await expect(mapFiles([1], () => Promise.reject(new Error('no storage')))).rejects.toThrow('no storage')
})
