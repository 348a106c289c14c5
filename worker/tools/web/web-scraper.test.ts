// @defends one-text-keeps
import { describe, expect, it } from 'vitest'
import { fakeNetwork, redirectTo } from '../../ports/testing/fake-network.ts'
import { htmlToText } from '../../text/html-to-text.ts'
import { parseHtml } from '../../text/xml.ts'
import { openTool } from '../testing/tools.ts'

const read = async (html: string) => htmlToText(await parseHtml(html), 'https://example.com/docs/page')
const readText = async (html: string) => (await read(html)).text

describe('the text of a page', () => {
  it.each([
    ['paragraphs', '<p>One  two\n three</p><p>Four</p>', 'One two three\n\nFour'],
    ['headings', '<h1>A <em>b</em></h1><h3>C</h3><h2> </h2>text', '# A b\n\n### C\n\ntext'],
    ['line breaks', '<p>One<br>two</p>', 'One\ntwo'],
    ['entities', '<p>&lt;b&gt; &amp; &eacute;&#8364;</p>', '<b> & é€'],
    ['emphasis', '<p>a <b>bold</b> and <code>code</code></p>', 'a **bold** and `code`'],
    [
      'links',
      '<a href="/x?y=1">x</a> <a href="rel">r</a>',
      '[x](https://example.com/x?y=1) [r](https://example.com/docs/rel)',
    ],
    [
      'links that lead nowhere',
      '<a href="#top">top</a> <a href="javascript:alert(1)">js</a> <a href="/y"> </a>',
      'top js',
    ],
    ['lists', '<ul><li>a</li><li>b<ul><li>c</li></ul></li></ul><ol><li>x<li>y</ol>', '- a\n- b\n  - c\n\n1. x\n2. y'],
    ['quotes', '<blockquote><p>a</p><p>b</p></blockquote>', '> a\n>\n> b'],
    [
      'code',
      '<p>x</p><pre><code>if (a) {\n\n\n  b &lt; c\n}\n</code></pre>',
      'x\n\n```\nif (a) {\n\n\n  b < c\n}\n```',
    ],
    ['images', '<img alt="A chart" src="x.png"><img src="y.png">', '[image: A chart]'],
    [
      'tables',
      '<table><tr><th>A</th><th>B</th></tr><tr><td>1</td><td>2|3</td></tr></table>',
      '| A | B |\n| --- | --- |\n| 1 | 2\\|3 |',
    ],
    ['what is hidden', '<p hidden>a</p><p style="display: none">b</p><p aria-hidden="true">c</p><p>d</p>', 'd'],
    [
      'what is not text',
      '<nav>n</nav><script>var s</script><style>p{}</style><noscript>o</noscript><!-- c --><button>b</button><p>p</p><footer>f</footer>',
      'p',
    ],
    ['the main part', '<body><div>around</div><main><p>inside</p></main></body>', 'inside'],
    ['the only article', '<div>around</div><article>inside</article>', 'inside'],
    ['all of several articles', '<article>a</article><article>b</article>', 'a\n\nb'],
    ['unclosed tags', '<p>a<p>b<div>c', 'a\n\nb\n\nc'],
  ])('converts %s to text', async (_, html, text) => {
    expect(await readText(html)).toBe(text)
  })

  it('includes title, description and links', async () => {
    const page = await read(
      `<html><head><title> The
      title </title><meta property="og:description" content=" About it "><base href="https://cdn.example/b/"></head>
      <body><nav><a href="1">1</a></nav><a href="1#part">again</a><a href="mailto:a@b.c">m</a></body></html>`,
    )
    expect(page).toMatchObject({ title: 'The title', description: 'About it', links: ['https://cdn.example/b/1'] })
  })

  it('can be read from a page nested deeper than the stack', async () => {
    const text = await readText(`<p>start</p>${'<div>'.repeat(50_000)}deep`)
    expect(text).toBe('start')
  })
})

describe('a hostile page', () => {
  it('has bounded text and list indentation', async () => {
    const text = await readText('<ul><li>'.repeat(140) + 'a<br>'.repeat(80_000))
    expect(text.length).toBeLessThan(1_500_000)
    expect(text.match(/a/g)?.length).toBeLessThanOrEqual(60_000)
    expect(text).not.toMatch(/ {20}/)
  })

  it('has a single space for elements that contain only spaces', async () => {
    expect(await readText(`<p>a${'<i> </i>'.repeat(10_000)}b</p>`)).toBe('a b')
  })

  it('cannot inflate links with a long base URL', async () => {
    const page = await read(
      `<base href="https://e.example/${'x'.repeat(100_000)}/">${'<a href="1">1</a>'.repeat(10_000)}`,
    )
    expect(page.links).toEqual(['https://example.com/docs/1'])
    expect(page.text.length).toBeLessThan(100_000)
  })

  it('is read up to 1,000 links, a million characters and 50,000 elements', async () => {
    const links = Array.from({ length: 2_000 }, (_, index) => `<a href="/${index}">x</a>`).join('')
    expect((await read(links)).links).toHaveLength(1_000)
    expect(await readText(`${'<!-- -->'.repeat(130_000)}<p>late</p>`)).toBe('')
    expect(await readText(`${'<br>'.repeat(60_000)}<p>late</p>`)).toBe('')
  })
})

const html = (body: string, type = 'text/html; charset=utf-8') =>
  new Response(body, { headers: { 'content-type': type } })
const url = (path = '') => `https://example.com/${path}`

describe('the web page reader', () => {
  const network = fakeNetwork({
    [url()]: html(
      '<title>Home</title><p>Hello</p><a href="/a">A</a> <a href="/b#x">B</a> <a href="https://other.org/">O</a>',
    ),
    [url('a')]: html('<p>Page A</p><a href="/c">C</a>'),
    [url('b')]: new Response('gone', { status: 410, statusText: 'Gone' }),
    [url('c')]: html('<p>Page C</p>'),
    [url('long')]: html(`<p>${'x'.repeat(50_000)}</p>`),
    [url('data.json')]: html('{"a": 1}', 'application/json'),
    [url('picture')]: html('PNG', 'image/png'),
    [url('old')]: new Response(new Uint8Array([60, 112, 62, 233, 128]), {
      headers: { 'content-type': 'text/html; charset=windows-1252' },
    }),
    [url('sitemap.xml')]: html(
      `<?xml version="1.0"?><urlset><url><loc>${url('c')}</loc></url><url><loc>https://other.org/</loc></url></urlset>`,
      'application/xml',
    ),
  })
  const open = (config: Record<string, unknown> = {}) => openTool('webScraperTool', network, { config })
  const call = async (input: string, config?: Record<string, unknown>) =>
    String(await (await open(config)).call({ input }))

  it('reads one page', async () => {
    expect(await open()).toMatchObject({ name: 'web_scraper_tool', hasEffect: false })
    expect(await call(url())).toBe(
      '# Home\nhttps://example.com/\n\nHello\n\n[A](https://example.com/a) [B](https://example.com/b#x) [O](https://other.org/)',
    )
  })

  it('follows links to the same site level by level, up to the limit', async () => {
    const deep = await call(url(), { maxDepth: '3' })
    expect(deep.split('\n\n---\n\n').map((page) => page.split('\n\n').slice(0, 2))).toEqual([
      ['# Home\nhttps://example.com/', 'Hello'],
      ['https://example.com/a', 'Page A'],
      ['https://example.com/b', 'Could not read this page: example.com responded with 410 Gone: gone'],
      ['https://example.com/c', 'Page C'],
    ])
    const few = await call(url(), { maxDepth: 3, maxPages: '2' })
    expect(few.split('\n\n---\n\n')).toHaveLength(2)
  })

  it('reads the pages in the sitemap', async () => {
    expect(await call(url(), { scrapeMode: 'sitemap' })).toBe('https://example.com/c\n\nPage C')
  })

  it('truncates long pages, returns plain text and decodes legacy encodings', async () => {
    expect(await call(url('long'))).toMatch(/x{20000}\n\[truncated after 20000 characters\]$/)
    expect(await call(url('data.json'))).toBe('https://example.com/data.json\n\n{"a": 1}')
    expect(await call(url('old'))).toBe('https://example.com/old\n\né€')
  })

  const bytes = (body: number[], type: string) =>
    openTool(
      'webScraperTool',
      fakeNetwork({ [url()]: new Response(new Uint8Array(body), { headers: { 'content-type': type } }) }),
    )

  it.each([
    ['text/plain; charset=iso-8859-1', [99, 97, 102, 233], 'café'],
    ['text/html', [0xff, 0xfe, 60, 0, 112, 0, 62, 0, 233, 0], 'é'],
    ['text/html', [0xef, 0xbb, 0xbf, 60, 112, 62, 0xc3, 0xa9], 'é'],
    ['text/html; charset=no-such-thing', [60, 112, 62, 0xc3, 0xa9], 'é'],
    ['application/rss+xml; charset=windows-1252', [233], 'é'],
    ['application/ld+json', [49], '1'],
  ])('decodes %s %j as %s', async (type, body, text) => {
    expect(await (await bytes(body, type)).call({ input: url() })).toBe(`${url()}\n\n${text}`)
  })

  it.each([
    'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    'application/pdf',
    'application/octet-stream',
  ])('rejects the content type %s', async (type) => {
    await expect((await bytes([80, 75], type)).call({ input: url() })).rejects.toThrow(`is not a text page but ${type}`)
  })

  it('resolves a redirected page against its new URL', async () => {
    const moved = fakeNetwork({
      'https://example.com/docs': redirectTo('https://www.example.com/docs/'),
      'https://www.example.com/docs/': html('<p>Docs</p><a href="next">N</a>'),
      'https://www.example.com/docs/next': html('<p>Next</p>'),
    })
    const tool = await openTool('webScraperTool', moved, { config: { maxDepth: 2 } })
    expect(await tool.call({ input: 'https://example.com/docs' })).toBe(
      'https://www.example.com/docs/\n\nDocs\n\n[N](https://www.example.com/docs/next)\n\n---\n\nhttps://www.example.com/docs/next\n\nNext',
    )
  })

  it.each(['-1', '0', '1'])('reads one page when Max pages is %s', async (maxPages) => {
    const many = fakeNetwork({
      [url()]: html('<a href="/1">1</a><a href="/2">2</a><a href="/3">3</a>'),
      [url('1')]: html('1'),
    })
    const tool = await openTool('webScraperTool', many, { config: { maxDepth: 2, maxPages } })
    await tool.call({ input: url() })
    expect(many.seen.length).toBeLessThanOrEqual(maxPages === '0' ? 4 : 1)
  })

  it.each([
    [url('b'), 'example.com responded with 410 Gone: gone'],
    [url('picture'), 'is not a text page but image/png'],
    ['example.com', '"example.com" is not a valid URL'],
    ['http://169.254.169.254/latest', 'private address'],
    ['http://localhost:3000/', 'private address'],
    ['https://unreachable.example/', 'could not be reached'],
  ])('fails for %s: %s', async (address, message) => {
    await expect(call(address)).rejects.toThrow(message)
  })
})
