import { expect, test } from 'vitest'
import { editorText, htmlToMarkdown } from './html-to-markdown.ts'

const mention =
  '<span class="variable" data-type="mention" data-id="question" data-label="question">{{ question }}</span>'

test.each([
  ['an empty editor', '<p></p>', ''],
  ['a mention alone', `<p>${mention} </p>`, '{{ question }}'],
  ['paragraphs', '<p>one</p><p>two<br>three</p>', 'one\n\ntwo  \nthree'],
  ['entities and stars stay as written', '<p>a_b * c &lt;d&gt; &amp;amp; &#65;&#x42;</p>', 'a_b * c <d> &amp; AB'],
  [
    'headings and marks',
    '<h2>T</h2><p><strong>b</strong> <em>i</em> <s>s</s> <code>c</code></p>',
    '## T\n\n**b** _i_ ~~s~~ `c`',
  ],
  ['links', '<p><a href="https://x.y/?a=1&amp;b">l</a></p>', '[l](https://x.y/?a=1&b)'],
  [
    'lists in lists',
    '<ul><li><p>a</p><ol><li>b</li><li>c</li></ol></li><li>d</li></ul>',
    '*   a\n    1.  b\n    2.  c\n*   d',
  ],
  ['a rule', '<p>a</p><hr><p>b</p>', 'a\n\n* * *\n\nb'],
  [
    'the space that the editor puts after a mention goes at the end of a line',
    `<p>Ask ${mention} </p><ul><li><p>${mention} </p></li></ul><p>${mention} <br>or ${mention} now</p>`,
    'Ask {{ question }}\n\n*   {{ question }}\n\n{{ question }}  \nor {{ question }} now',
  ],
  ['code blocks word for word', '<pre><code>x = {\n  a  b\n}</code></pre>', '```\nx = {\n  a  b\n}\n```'],
  ['quotes', '<blockquote><p>q</p></blockquote><p>after</p>', '> q\n\nafter'],
  ['unknown tags leave their text', '<p><xml>role</xml> <b>x</b></p>', 'role **x**'],
  ['a bare less-than', '<p>1 < 2</p>', '1 < 2'],
])('converts %s to Markdown', (_name, html, markdown) => {
  expect(htmlToMarkdown(html)).toBe(markdown)
})

test('tables become rows', () => {
  const html = '<table><thead><tr><th>a</th><th>b</th></tr></thead><tbody><tr><td>1</td><td>2</td></tr></tbody></table>'
  const rows = htmlToMarkdown(html)
    .split('\n')
    .map((row) => row.trim())
  expect(rows).toEqual(['| a | b |', '| - | - |', '| 1 | 2 |'])
})

test.each([
  ['<xml>{{question}}</xml>', 'an inline tag at the beginning'],
  ['Hello <p>there</p>', 'a block tag later on'],
  ['<pattern> is not <p>', 'a tag that only begins like a block'],
])('%s is not converted: %s', (text) => {
  expect(editorText(text)).toBe(text)
})

test.each(['<div>', '<p><', '<blockquote><p>', '<ul><li>', '<p x="'])(
  '%s, a hundred thousand times, comes to an end',
  (piece) => {
    expect(typeof htmlToMarkdown(piece.repeat(100_000))).toBe('string')
  },
)
