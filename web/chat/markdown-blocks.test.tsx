import fc from 'fast-check'
import { renderToStaticMarkup } from 'react-dom/server'
import ReactMarkdown from 'react-markdown'
import remarkGfm from 'remark-gfm'
import { expect, it } from 'vitest'
import { findRunaway, hostile } from '#worker/local/testing/growth.ts'
import { splitBlocks } from './markdown-blocks.ts'

const html = (text: string) =>
  renderToStaticMarkup(<ReactMarkdown remarkPlugins={[remarkGfm]}>{text}</ReactMarkdown>).replace(/\n/g, '')

/** Lines that begin, go on with and end everything that Markdown has. */
const LINES = [
  ...[
    '',
    '',
    '',
    ' ',
    'words',
    'more words  ',
    '# Title',
    '===',
    '---',
    '***',
    '    code',
    '\tcode',
    '> quote',
    '>',
    '> - a',
  ],
  ...[
    '- a',
    '  - b',
    '* a',
    '+ a',
    '1. a',
    '2) b',
    '   go on',
    '- [ ] do',
    '-',
    '```',
    '```js',
    '  ```',
    '````',
    '~~~',
    '- ```',
  ],
  ...[
    '| a | b |',
    '|---|---|',
    '<div>',
    '</div>',
    '<pre>',
    '</pre>',
    '<!-- a',
    'b -->',
    '<script>',
    '</script>',
    '<?php',
    '?>',
  ],
  ...[
    '<![CDATA[',
    ']]>',
    '<!DOCTYPE',
    '[a]: https://a.example',
    '[a]',
    '[^1]',
    '[^1]: note',
    '> [b]: https://b.example',
    '[b]',
  ],
]

it('blocks one after another show the same as the whole text', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...LINES), { maxLength: 14 }), (lines) => {
      const text = lines.join('\n')
      const blocks = splitBlocks(text)
      expect(blocks.join('')).toBe(text)
      expect(blocks.map(html).join('')).toBe(html(text))
    }),
    { numRuns: 300 },
  )
})

it('paragraphs are blocks of their own, and code with blank lines is one', () => {
  expect(splitBlocks('a\n\nb\n\n```\nc\n\nd\n```\n\n- e\n\n- f\n\ng')).toEqual([
    'a\n\n',
    'b\n\n',
    '```\nc\n\nd\n```\n\n- e\n\n- f\n\n',
    'g',
  ])
})

it('a text that grows keeps all blocks but the last', () => {
  const text = 'One paragraph.\n\n# Two\n\nThree **bold** words.\n\n```\ncode\n\ncode\n```\n\nThe end.'
  let before: string[] = []
  for (let length = 1; length <= text.length; length++) {
    const blocks = splitBlocks(text.slice(0, length))
    expect(blocks.slice(0, before.length - 1)).toEqual(before.slice(0, -1))
    before = blocks
  }
})

it('splits hostile texts in linear time', async () => {
  expect(await findRunaway(splitBlocks, hostile('', '[', '```', '<!--', '    '))).toBeUndefined()
})
