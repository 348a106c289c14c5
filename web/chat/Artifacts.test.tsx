import { ChakraProvider, defaultSystem } from '@chakra-ui/react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { Artifacts } from './Artifacts.tsx'

const html = (type: string, data: string) =>
  renderToStaticMarkup(
    <ChakraProvider value={defaultSystem}>
      <Artifacts artifacts={[{ type, data }]} />
    </ChakraProvider>,
  ).replace(/<style[\s\S]*?<\/style>/g, '')

it('shows an image with a download link', () => {
  const shown = html('png', 'data:image/png;base64,AAAA')
  expect(shown).toMatch(/<img src="data:image\/png;base64,AAAA" alt="Image 1"/)
  expect(shown).toContain('download="image-1.png"')
})

it.each([
  ['html', '<script>alert(1)</script>'],
  ['html', '<img src=x onerror=alert(1)>'],
  ['png', '<svg onload=alert(1)>'],
  ['markdown', '<iframe srcdoc="<script>alert(1)</script>"></iframe>'],
  ['svg', '<svg onload=alert(1)>'],
])('escapes %s artifacts that are not images: %s', (type, data) => {
  expect(html(type, data)).not.toMatch(/<(script|img|iframe|svg)\b/)
  expect(html(type, data)).toContain('&lt;')
})

it.each(['https://example.com/spy.png', 'FILE-STORAGE::a.png', 'javascript:alert(1)'])(
  'neither loads nor links external artifacts: %s',
  (address) => {
    expect(html('png', address)).not.toMatch(/ (src|href)=/)
  },
)

it('offers other files as downloads only', () => {
  expect(html('html', 'data:text/html;base64,AAAA')).toMatch(/<a [^>]*download="file-1.html"/)
})
