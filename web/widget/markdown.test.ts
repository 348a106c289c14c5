// @defends answer-setting-file
import { expect, it } from 'vitest'
import { parseInline } from './inline.ts'
import { safeImage, safeLink } from './links.ts'
import { parseMarkdown } from './markdown.ts'

const link = (href: string, ...children: string[]) => ({ kind: 'link', href, children })

it.each([
  [
    'a **b** _c_ ~~d~~',
    [
      'a ',
      { kind: 'strong', children: ['b'] },
      ' ',
      { kind: 'em', children: ['c'] },
      ' ',
      { kind: 'del', children: ['d'] },
    ],
  ],
  ['**a *b* c**', [{ kind: 'strong', children: ['a ', { kind: 'em', children: ['b'] }, ' c'] }]],
  ['snake_case_name 2 * 3 * 4', ['snake_case_name 2 * 3 * 4']],
  ['an *open end', ['an *open end']],
  ['**a _b** c_', [{ kind: 'strong', children: ['a _b'] }, ' c_']],
  ['`a *b*` and ``c ` d``', [{ kind: 'code', text: 'a *b*' }, ' and ', { kind: 'code', text: 'c ` d' }]],
  ['a ` b', ['a ` b']],
  ['\\*not\\* bold', ['*not* bold']],
  ['one\ntwo', ['one', { kind: 'break' }, 'two']],
  ['[docs](https://a.example/x "Title")', [link('https://a.example/x', 'docs')]],
  ['see https://a.example/x. Or', ['see ', link('https://a.example/x', 'https://a.example/x'), '. Or']],
  ['[x] and [y](', ['[x] and [y](']],
  ['<b onclick=alert(1)>', ['<b onclick=alert(1)>']],
] as const)('reads %s', (text, expected) => {
  expect(parseInline(text)).toEqual(expected)
})

it.each([
  'javascript:alert(1)',
  ' JaVaScRiPt:alert(1)',
  'java\tscript:alert(1)',
  'data:text/html,x',
  'vbscript:x',
  '//a.example',
  'blob:https://a/b',
])('makes no link of %s', (address) => {
  expect(safeLink(address)).toBeUndefined()
  expect(JSON.stringify(parseInline(`[a](${address})`))).not.toContain('link')
})

it('shows images of the web and of themselves only', () => {
  expect(safeImage('https://a.example/x.png')).toBe('https://a.example/x.png')
  expect(safeImage('data:image/png;base64,AA')).toBe('data:image/png;base64,AA')
  for (const address of ['javascript:alert(1)', 'data:text/html;base64,AA', '', undefined]) {
    expect(safeImage(address)).toBeUndefined()
  }
})

it('reads blocks', () => {
  const text =
    '# Title #\n\nA\nb\n\n- one\n  - two\n- three\n\n3. x\n4. y\n\n> said\n\n---\n```js\nlet a\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |'
  const paragraph = (...children: unknown[]) => ({ kind: 'paragraph', children })
  expect(parseMarkdown(text)).toEqual([
    { kind: 'heading', level: 1, children: ['Title'] },
    paragraph('A', { kind: 'break' }, 'b'),
    {
      kind: 'list',
      isOrdered: false,
      start: 1,
      items: [
        [paragraph('one'), { kind: 'list', isOrdered: false, start: 1, items: [[paragraph('two')]] }],
        [paragraph('three')],
      ],
    },
    { kind: 'list', isOrdered: true, start: 3, items: [[paragraph('x')], [paragraph('y')]] },
    { kind: 'quote', blocks: [paragraph('said')] },
    { kind: 'rule' },
    { kind: 'code', text: 'let a' },
    { kind: 'table', head: [['a'], ['b']], rows: [[['1'], ['2']]] },
  ])
})

it('shows code that has not arrived completely as code', () => {
  expect(parseMarkdown('```\nlet a')).toEqual([{ kind: 'code', text: 'let a' }])
})

it('keeps what nests too deeply as text', () => {
  expect(JSON.stringify(parseMarkdown('> '.repeat(50)))).toContain('> >')
  expect(JSON.stringify(parseMarkdown(`${'- '.repeat(5000)}x`)).length).toBeLessThan(20_000)
})
