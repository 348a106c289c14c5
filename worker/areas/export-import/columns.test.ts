import { expect, test } from 'vitest'
import { SQLD_LIMITS } from '#db/local/limits.ts'
import { storedText } from '#db/long-text.ts'
import { assistantRow, templateRow, toolRow } from './assets.ts'
import { messageRow } from './rows.ts'

/** JSON text, of three bytes for each character. */
const json = (bytes: number) => JSON.stringify({ name: '€'.repeat(bytes / 3 - 10) })
const texts = [5_000_000, 1_000_000, 390_000, 300_000, 100_000, 200].map(json)

const message = { chatflowid: 'f', chatId: 'c', role: 'userMessage', createdDate: '2026-01-01T00:00:00Z' }
const answered = ['content', 'sourceDocuments', 'usedTools', 'fileAnnotations', 'agentReasoning', 'reasonContent']
const columnsOfMessage = [...answered, 'fileUploads', 'artifacts', 'action', 'followUpPrompts']
const rows = [
  ['tool', toolRow, { name: 'n' }, ['description', 'color', 'iconSrc', 'schema', 'func']],
  ['assistant', assistantRow, { details: '{}' }, ['details', 'credential', 'iconSrc']],
  [
    'template',
    templateRow,
    { name: 'n', type: 'Tool', flowData: '{}' },
    ['description', 'badge', 'framework', 'usecases', 'flowData'],
  ],
  ['message', messageRow, message, [...columnsOfMessage, 'executionId', 'sessionId', 'memoryType', 'leadEmail']],
] as const

/** Bytes in the row, where a long text is only a reference. */
function bytesOf(name: string, text: string): number {
  const stored = name === 'flowData' || columnsOfMessage.includes(name) ? storedText(text) : text
  return typeof stored === 'string' ? Buffer.byteLength(stored) : 100
}

test.each(rows)('the longest %s of a file fits into a row of the database', (_, schema, least, columns) => {
  let sum = 0
  for (const name of columns) {
    const taken = texts.filter((text) => schema.safeParse({ ...least, [name]: text }).success)
    sum += Math.max(...taken.map((text) => bytesOf(name, text)))
  }
  expect(sum).toBeGreaterThan(2_000_000)
  expect(sum).toBeLessThan(SQLD_LIMITS.rowBytes - 100_000)
})
