// @defends stored-text-becomes
import { ChakraProvider, defaultSystem } from '@chakra-ui/react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import Markdown from './Markdown.tsx'

const html = (text: string) =>
  renderToStaticMarkup(
    <ChakraProvider value={defaultSystem}>
      <Markdown text={text} />
    </ChakraProvider>,
  ).replace(/<style[\s\S]*?<\/style>/g, '')

it('renders Markdown', () => {
  expect(html('**bold** [site](https://example.com)')).toMatch(
    /<strong>bold<\/strong> <a href="https:\/\/example\.com"[^>]*rel="noreferrer noopener"/,
  )
})

it.each([
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  'text <b onclick="alert(1)">b</b>',
  '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
  '<svg onload=alert(1)>',
])('escapes HTML: %s', (text) => {
  expect(html(text)).not.toMatch(/<(script|img|b|iframe|svg)\b/)
  expect(html(text)).toContain('&lt;')
})

it.each(['javascript:alert(1)', 'JaVaScRiPt:alert(1)', 'data:text/html,<script>alert(1)</script>', 'vbscript:x'])(
  'drops links that could run code: %s',
  (address) => {
    expect(html(`[click](${address}) ![picture](${address})`)).not.toMatch(/(href|src)="[^"]*(script|data):?/i)
  },
)

it.each(['[site]()', '[site](javascript:alert(1))'])('shows a link without an address as text: %s', (text) => {
  expect(html(text)).toContain('<p>site</p>')
})

it('Markdown loads no external images, which would reveal the reader', () => {
  expect(html('![spy](https://example.com/pixel.png)')).not.toContain('pixel.png')
})
