import { ChakraProvider, defaultSystem } from '@chakra-ui/react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import type { CitedDocument } from '#contract/runs/sources.ts'
import Sources from './Sources.tsx'

const html = (...documents: CitedDocument[]) =>
  renderToStaticMarkup(
    <ChakraProvider value={defaultSystem}>
      <Sources documents={documents} />
    </ChakraProvider>,
  ).replace(/<style[\s\S]*?<\/style>/g, '')

it('names file, page and text of each source', () => {
  const shown = html({ pageContent: 'Thirty days.', metadata: { source: 'handbook.pdf', page: 2 } })
  expect(shown).toContain('1 source<')
  expect(shown).toContain('handbook.pdf, page 2')
  expect(shown).toContain('Thirty days.')
})

it.each(['<script>alert(1)</script>', '<img src=x onerror=alert(1)>'])('escapes the text of a document: %s', (text) => {
  expect(html({ pageContent: text, metadata: { source: text } })).not.toMatch(/<(script|img)\b/)
})

it('links to sites only', () => {
  expect(html({ pageContent: 'a', metadata: { source: 'https://example.com/a' } })).toMatch(
    /<a [^>]*href="https:\/\/example.com\/a"/,
  )
  expect(html({ pageContent: 'a', metadata: { source: 'javascript:alert(1)' } })).not.toContain('href')
})
