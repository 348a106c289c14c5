import { describe, expect, it } from 'vitest'
import { isRichText, plainText } from '#contract/flow/params/rich-text.ts'
import { checkCode, formatJson } from './code-check.ts'
import { complete, matching, openReference } from './references/completion.ts'
import { parseChosen } from './simple.tsx'

describe('rich text', () => {
  const mention =
    '<span class="variable" data-type="mention" data-id="question" data-label="question">{{ question }}</span>'
  it.each([
    [`<p>${mention} </p>`, '{{question}}'],
    [`<p>Ask: ${mention}</p><p>Now</p>`, 'Ask: {{question}}\nNow'],
    ['<p></p>', ''],
    ['<ul><li><p>one</p></li><li><p>two</p></li></ul>', '- one\n- two'],
    ['<p>a &lt;b&gt; &amp; c</p>', 'a <b> & c'],
    ['Plain {{question}}', 'Plain {{question}}'],
    ['1 < 2 and <p> stays', '1 < 2 and <p> stays'],
  ])('shows %s as plain text', (stored, shown) => expect(plainText(stored)).toBe(shown))

  it('is detected by a leading block tag', () => {
    expect(isRichText(' <p>x</p>')).toBe(true)
    expect(isRichText('x <p>')).toBe(false)
    expect(isRichText('<pre>x</pre>')).toBe(true)
    expect(isRichText('<person>')).toBe(false)
  })
})

describe('suggestions while a reference is typed', () => {
  const all = ['question', 'chat_history', '$vars.question'].map((id) => ({
    id,
    label: id,
    description: '',
    category: 'Chat' as const,
  }))

  it.each([
    ['Say {{que', 9, { from: 4, query: 'que' }],
    ['Say {{', 6, { from: 4, query: '' }],
    ['{{ a }} b', 9, null],
    ['no braces', 4, null],
    ['{{a\nb', 5, null],
    ['{{one}} {{tw', 12, { from: 8, query: 'tw' }],
  ])('%j at %d', (text, caret, found) => expect(openReference(text, caret)).toEqual(found))

  it('ranks prefix matches before other matches', () => {
    expect(matching(all, 'QUES').map((each) => each.id)).toEqual(['question', '$vars.question'])
    expect(matching(all, 'zzz')).toEqual([])
    expect(matching(all, '')).toHaveLength(3)
  })

  it.each([
    ['Say {{que', 9, 'Say {{question}}', 16],
    ['{{que and more', 5, '{{question}} and more', 12],
    ['{{que}} now', 5, '{{question}} now', 12],
  ])('inserts the choice into %j', (text, caret, done, after) => {
    const open = openReference(text, caret)
    expect(open && complete(text, open, { id: 'question', caret })).toEqual({ text: done, caret: after })
  })
})

describe('JSON', () => {
  it('reports line and column of the first error', () => {
    expect(checkCode('{\n  "a": 1,\n  b: 2\n}', 'json')).toMatchObject({ line: 3, column: 3 })
    expect(checkCode('{"a": 1', 'json')).toMatchObject({ line: 1, column: 8 })
  })

  it.each([['{"a": [1, 2]}'], [''], ['{"a": {{question}}}']])('accepts %j', (text) =>
    expect(checkCode(text, 'json')).toBeNull(),
  )

  it('ignores other languages', () => {
    expect(checkCode('return {', 'javascript')).toBeNull()
  })

  it('formats valid text only', () => {
    expect(formatJson('{"a":1}')).toBe('{\n  "a": 1\n}')
    expect(formatJson('{"a":')).toBe('{"a":')
  })
})

it('reads multiple choices from a list, JSON text or a single name', () => {
  expect([...parseChosen('["a","b"]')]).toEqual(['a', 'b'])
  expect([...parseChosen(['a'])]).toEqual(['a'])
  expect([...parseChosen('a')]).toEqual(['a'])
  expect([...parseChosen('')]).toEqual([])
})
