// @defends crawl-leaves-site
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { redirectTo } from '../../ports/testing/fake-network.ts'
import { type Answers, html, openOrigin } from './testing/origin.ts'

const at = (path = '') => `https://example.com/${path}`
const links = (...paths: string[]) => paths.map((path) => `<a href="${path}">${path}</a>`).join(' ')
const page = (text: string, ...paths: string[]) => html(`<title>${text}</title><p>${text}</p>${links(...paths)}`)
const none = { [at('robots.txt')]: new Response('', { status: 404 }) }
const crawl = (answers: Answers, config: Record<string, unknown> = {}) =>
  openOrigin(
    'cheerioWebScraper',
    { ...none, ...answers },
    { url: at(), relativeLinksMethod: 'webCrawl', limit: 0, ...config },
  )
const sitemap = (answers: Answers, config: Record<string, unknown> = {}) =>
  crawl(answers, { relativeLinksMethod: 'scrapeXMLSitemap', ...config })

describe('one page', () => {
  const open = (answer: Answers[string], config: Record<string, unknown> = {}) =>
    openOrigin('cheerioWebScraper', { [at()]: answer }, { url: at(), ...config })

  it('is a source with its main text', async () => {
    const { listAll, read } = open(
      html(
        '<title>Home</title><meta name="description" content="About"><nav>x</nav><main><h1>Hi</h1><p>there</p></main>',
      ),
    )
    expect(await listAll()).toEqual([{ key: at(), name: 'example.com' }])
    expect(await read(at())).toMatchObject({
      documents: [
        { text: '# Hi\n\nthere', format: 'markdown', metadata: { source: at(), title: 'Home', description: 'About' } },
      ],
      pages: 1,
    })
  })

  it.each([
    ['.a', 'one\n\nthree'],
    ['#b', 'two'],
    ['div > p.a', 'three'],
    ['div p, #b', 'two\n\nthree'],
    ['[data-x="1"]', 'two'],
    ["p[data-x='1']", 'two'],
    ['*[class]', 'one\n\nthree'],
  ])('is read in the parts that the selector %s names', async (selector, text) => {
    const { readText } = open(
      html('<p class="x a">one</p><p id="b" data-x="1">two</p><div><p class="a">three</p></div>'),
      { selector },
    )
    expect(await readText(at())).toBe(text)
  })

  it.each([
    ['.missing', 'Nothing on this page matches'],
    ['p:hover', 'is not understood'],
    ['p >', 'is not understood'],
    [', p', 'is not understood'],
    [`${'a '.repeat(40)}`, 'is not understood'],
  ])('refuses the selector %s', async (selector, message) => {
    await expect(open(html('<p>x</p>'), { selector }).read(at())).rejects.toThrow(message)
  })

  it('is read as a file where it is one', async () => {
    const { read } = open(new Response('a,b\n1,2', { headers: { 'content-type': 'text/csv' } }))
    expect((await read(at()))?.documents).toMatchObject([{ text: 'a: 1\nb: 2', metadata: { source: at(), row: 1 } }])
  })

  it('is gone when its server says so', async () => {
    expect(await open(new Response('', { status: 404 })).read(at())).toBeUndefined()
    expect(await open(new Response('', { status: 410 })).read(at())).toBeUndefined()
  })

  it.each([
    ['no text', html('<script>x</script>'), 'made by scripts'],
    ['an error', new Response('', { status: 500 }), 'responded with 500'],
    ['a picture', new Response('PNG', { headers: { 'content-type': 'image/png' } }), 'This is no text'],
    ['too many elements', html('<br>'.repeat(120_000)), 'too long or nested too deeply'],
    ['too many bytes', html('x', { 'content-length': '99999999' }), 'exceeds'],
  ])('fails with %s', async (_, answer, message) => {
    await expect(open(answer).read(at())).rejects.toThrow(message)
  })

  it.each(['', 'nope', 'ftp://example.com/', 'https://user:secret@example.com/'])(
    'is refused at the address %j',
    async (url) => {
      await expect(openOrigin('cheerioWebScraper', {}, { url }).listAll()).rejects.toThrow('is not an address')
    },
  )

  it.each(['http://127.0.0.1/', 'http://169.254.169.254/latest', 'http://[::1]/', 'http://printer.local/'])(
    'cannot be at the private address %s',
    async (url) => {
      const { read, urls } = openOrigin('cheerioWebScraper', {}, { url })
      await expect(read(url)).rejects.toThrow('private address')
      expect(urls()).toEqual([])
    },
  )

  it('cannot lead to a private address', async () => {
    const { read, urls } = open(redirectTo('http://169.254.169.254/'))
    await expect(read(at())).rejects.toThrow('private address')
    expect(urls()).toEqual([at()])
  })

  it('is asked for again after the time that its server names', async () => {
    let asked = 0
    const { readText, times } = open(() =>
      ++asked < 3 ? new Response('', { status: 429, headers: { 'retry-after': '7' } }) : html('<p>late</p>'),
    )
    expect(await readText(at())).toBe('late')
    expect(times).toEqual([0, 7000, 14000])
  })
})

describe('a crawl', () => {
  it('finds pages breadth first, each once, with their versions', async () => {
    const { listAll } = crawl({
      [at()]: page('Home', '/a', '/b#x', '/a?utm_source=mail', '/b'),
      [at('a')]: html(links('/c'), { etag: '"1"' }),
      [at('b')]: html('<p>B</p>', { 'last-modified': 'Thu, 01 Jan 2026 00:00:00 GMT' }),
      [at('c')]: page('C', '/'),
    })
    expect((await listAll()).map(({ key, version }) => [key, version])).toEqual([
      [at(), undefined],
      [at('a'), '"1"'],
      [at('b'), 'Thu, 01 Jan 2026 00:00:00 GMT'],
      [at('c'), undefined],
    ])
  })

  it('stays on the site', async () => {
    const { keys, urls } = crawl({
      [at()]: page(
        'Home',
        'https://other.org/',
        '//evil.example.com/',
        'http://example.com/plain',
        'https://example.com:8443/',
        '/out',
        '/in',
      ),
      [at('out')]: redirectTo('https://other.org/page'),
      [at('in')]: redirectTo('/there'),
      [at('there')]: page('There'),
    })
    expect(await keys()).toEqual([at(), at('there')])
    expect(new Set(urls().map((url) => new URL(url).origin))).toEqual(new Set(['https://example.com']))
  })

  it('does not leave the site when a source is read that leads away since', async () => {
    const { read, urls } = crawl({ [at('a')]: redirectTo('https://other.org/') })
    expect(await read(at('a'))).toBeUndefined()
    expect(urls()).not.toContain('https://other.org/')
  })

  it('follows a site from http to https and to its name with www, and to no other', async () => {
    const moved = crawl(
      {
        'http://example.com/': redirectTo('https://www.example.com/'),
        'http://example.com/robots.txt': new Response('', { status: 404 }),
        'https://www.example.com/robots.txt': new Response('', { status: 404 }),
        'https://www.example.com/': page('Home', '/a'),
        'https://www.example.com/a': page('A'),
      },
      { url: 'http://example.com/' },
    )
    expect(await moved.keys()).toEqual(['https://www.example.com/', 'https://www.example.com/a'])
    await expect(crawl({ [at()]: redirectTo('https://other.org/') }).keys()).rejects.toThrow('leads to another site')
  })

  it('obeys robots.txt, also after redirects', async () => {
    const rules = 'User-agent: *\nDisallow: /\n\nUser-agent: Heddle\nDisallow: /private\nAllow: /private/open\n'
    const { keys, read, urls } = crawl({
      [at('robots.txt')]: new Response(rules),
      [at()]: page('Home', '/private', '/private/open', '/way'),
      [at('private/open')]: page('Open'),
      [at('way')]: redirectTo('/private/secret'),
    })
    expect(await keys()).toEqual([at(), at('private/open')])
    expect(await read(at('private/late'))).toBeUndefined()
    expect(urls().filter((url) => /private$|secret|late/.test(url))).toEqual([])
  })

  it.each([
    ['forbids the start', new Response('User-agent: *\nDisallow: /'), 'does not allow'],
    ['cannot be read', new Response('', { status: 503 }), 'nothing there may be read'],
    [
      'has too many wildcards',
      new Response(`User-agent: *\n${`Disallow: /*${'a'.repeat(90)}\n`.repeat(300)}`),
      'too many rules',
    ],
  ])('does not begin where robots.txt %s', async (_, robots, message) => {
    const { keys, urls } = crawl({ [at('robots.txt')]: robots, [at()]: page('Home') })
    await expect(keys()).rejects.toThrow(message)
    expect(urls().filter((url) => !url.endsWith('robots.txt'))).toEqual([])
  })

  it('asks a host once a second at most, for its robots.txt too', async () => {
    const { keys, read, times } = crawl({
      [at()]: page('Home', '/a', '/b'),
      [at('a')]: page('A'),
      [at('b')]: page('B'),
    })
    const found = await keys()
    await Promise.all(found.map(read))
    expect(times).toHaveLength(8)
    const gaps = times.slice(1).map((time, index) => time - (times[index] as number))
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(1000)
  })

  it.each([
    ['a link with nofollow', html('<a rel="noopener NoFollow" href="/a">a</a>'), [at()]],
    ['a page with nofollow', html(`<meta name="Robots" content="nofollow">${links('/a')}`), [at()]],
    ['a page with none', html(`<meta name="robots" content="none">${links('/a')}`), []],
    ['a page with noindex', html(`<meta name="heddle" content="noindex">${links('/a')}`), [at('a')]],
    ['a header with noindex, nofollow', html(links('/a'), { 'x-robots-tag': 'noindex, nofollow' }), []],
    ['a header for another robot', html(links('/a'), { 'x-robots-tag': 'otherbot: none' }), [at(), at('a')]],
  ])('obeys %s', async (_, home, expected) => {
    expect(await crawl({ [at()]: home, [at('a')]: page('A') }).keys()).toEqual(expected)
  })

  it('leaves out a page that hides since it was listed', async () => {
    const { read } = crawl({ [at('a')]: html('<meta name="robots" content="noindex"><p>A</p>') })
    expect(await read(at('a'))).toBeUndefined()
  })

  it('takes pages under the address that they call their own', async () => {
    const { keys } = crawl({
      [at()]: page('Home', '/a?ref=1', '/a?ref=2'),
      [at('a?ref=1')]: html('<link rel="canonical" href="/a">A'),
      [at('a?ref=2')]: html('<link rel="canonical" href="/a">A'),
      [at('a')]: html('<link rel="canonical" href="https://example.com/a">A'),
    })
    expect(await keys()).toEqual([at(), at('a')])
  })

  it('reads documents that pages link to, and skips media', async () => {
    const { keys, readText, read } = crawl({
      [at()]: page('Home', '/a.png', '/b.txt', '/film'),
      [at('b.txt')]: new Response('Text', { headers: { 'content-type': 'text/plain' } }),
      [at('film')]: new Response('x', { headers: { 'content-type': 'video/mp4' } }),
    })
    expect(await keys()).toEqual([at(), at('b.txt')])
    expect(await readText(at('b.txt'))).toBe('Text')
    expect(await read(at('film'))).toBeUndefined()
  })

  it('lists a page that cannot be read, so that reading it says why', async () => {
    const { keys, read } = crawl({ [at()]: page('Home', '/broken'), [at('broken')]: new Response('', { status: 500 }) })
    expect(await keys()).toEqual([at(), at('broken')])
    await expect(read(at('broken'))).rejects.toThrow('responded with 500')
  })

  it('goes five links deep', async () => {
    const deep = Object.fromEntries(
      Array.from({ length: 9 }, (_, depth) => [at(depth ? `${depth}` : ''), page('x', `/${depth + 1}`)]),
    )
    expect(await crawl(deep).keys()).toEqual([at(), at('1'), at('2'), at('3'), at('4'), at('5')])
  })

  /** Each page links to a hundred more. */
  const calendar = () => {
    const answers: Answers = new Proxy(
      { ...none },
      {
        get: (own, url: string) =>
          own[url] ??
          (() =>
            page('x', ...Array.from({ length: 100 }, (_, day) => `${new URL(url).pathname.slice(0, 200)}${day}/`))),
      },
    )
    return answers
  }

  it.each([
    [0, 1000, 20],
    [25, 25, 1],
  ])('of a calendar without an end with the limit %i takes %i pages', async (limit, count, fetches) => {
    const { loader, context, network } = openOrigin('cheerioWebScraper', calendar(), {
      url: at(),
      relativeLinksMethod: 'webCrawl',
      limit,
    })
    const keys = new Set<string>()
    let cursor: string | undefined
    do {
      const part = await loader.list(context, cursor)
      for (const { key } of part.items) keys.add(key)
      cursor = part.cursor
      expect((cursor ?? '').length).toBeLessThan(500_000)
    } while (cursor !== undefined)
    expect(keys.size).toBe(count)
    expect(network.seen.length).toBeLessThanOrEqual(fetches + 3)
  })

  it('ends where pages only link to each other or redirect in a circle', async () => {
    const { keys } = crawl({
      [at()]: page('Home', '/a', '/circle'),
      [at('a')]: page('A', '/', '/a'),
      [at('circle')]: redirectTo('/circle'),
    })
    expect(await keys()).toEqual([at(), at('a'), at('circle')])
  })

  it('remembers a bounded part of what pages that name nothing twice link to', async () => {
    let made = 0
    const answers: Answers = new Proxy(
      { ...none },
      {
        get: (own, url: string) =>
          own[url] ??
          (() =>
            html(`<meta name="robots" content="noindex">${links(...Array.from({ length: 900 }, () => `/${++made}`))}`)),
      },
    )
    const { keys, network } = openOrigin('cheerioWebScraper', answers, {
      url: at(),
      relativeLinksMethod: 'webCrawl',
      limit: 0,
    })
    expect((await keys()).length).toBeLessThanOrEqual(1000)
    expect(network.seen.length).toBeLessThanOrEqual(3010)
  })

  it('remembers a bounded part of long addresses', async () => {
    const long = Array.from({ length: 900 }, (_, number) => `/${'x'.repeat(900)}${number}`)
    const { loader, context } = crawl({ [at()]: page('Home', ...long) })
    const { cursor = '' } = await loader.list(context)
    expect(cursor.length).toBeGreaterThan(100_000)
    expect(cursor.length).toBeLessThan(500_000)
  })

  it('reads no more pages than a preview asks for', async () => {
    const { loader, context } = crawl({ [at()]: page('Home', '/a', '/b', '/c') })
    expect((await loader.list({ ...context, maxItems: 3 })).items).toHaveLength(3)
  })
})

describe('a sitemap', () => {
  const urlset = (...urls: string[]) =>
    `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${urls.map((url) => `<url><loc> ${url} </loc><lastmod>2026-01-01</lastmod></url>`).join('')}</urlset>`
  const index = (...urls: string[]) =>
    `<sitemapindex>${urls.map((url) => `<sitemap><loc>${url}</loc></sitemap>`).join('')}</sitemapindex>`
  const xml = (text: string) => new Response(text, { headers: { 'content-type': 'application/xml' } })
  const packed = (text: string) =>
    new Response(new Uint8Array(gzipSync(text)), { headers: { 'content-type': 'application/gzip' } })

  it('names the pages of its site, through lists of lists and packed files', async () => {
    const { keys } = sitemap({
      [at('sitemap.xml')]: xml(index(at('one.xml'), at('two.xml.gz'), 'https://other.org/three.xml', at('lost.xml'))),
      [at('one.xml')]: xml(urlset(at('a'), at('a#b'), 'https://other.org/x', at('b?x=1&amp;y=2'))),
      [at('two.xml.gz')]: packed(urlset(at('c'))),
      [at('lost.xml')]: new Response('', { status: 404 }),
    })
    expect(await keys()).toEqual([at('a'), at('b?x=1&y=2'), at('c')])
  })

  it('is found by its own address, and by robots.txt, which is obeyed', async () => {
    const named = sitemap({
      [at('robots.txt')]: new Response(`Sitemap: ${at('map.xml')}\nUser-agent: *\nDisallow: /no`),
      [at('map.xml')]: xml(urlset(at('a'), at('no/b'))),
    })
    expect(await named.keys()).toEqual([at('a')])
    expect(await sitemap({ [at('own.xml')]: xml(urlset(at('a'))) }, { url: at('own.xml') }).keys()).toEqual([at('a')])
  })

  it.each([
    ['is missing', new Response('', { status: 404 }), 'can’t be read (404)'],
    ['is empty', xml(urlset()), 'names no pages'],
    ['is no XML', xml('<<<&&& }{'), 'names no pages'],
    ['is a broken archive', new Response(new Uint8Array([0x1f, 0x8b, 1, 2, 3])), 'is broken'],
    ['is a bomb', packed('x'.repeat(30_000_000)), 'unpacks to more than 20 MB'],
    ['is nested without an end', xml('<a>'.repeat(100_000)), 'names no pages'],
    [
      'declares entities that grow',
      xml(`<!DOCTYPE x [<!ENTITY a "${'b'.repeat(99)}">]><urlset>&a;</urlset>`),
      'names no pages',
    ],
  ])('that %s is refused', async (_, answer, message) => {
    await expect(sitemap({ [at('sitemap.xml')]: answer }).keys()).rejects.toThrow(message)
  })

  it('is read up to 1,000 pages', async () => {
    const many = Array.from({ length: 60_000 }, (_, number) => at(`${number}`))
    expect(await sitemap({ [at('sitemap.xml')]: xml(urlset(...many)) }).keys()).toHaveLength(1000)
    expect(await sitemap({ [at('sitemap.xml')]: xml(urlset(...many)) }, { limit: 7 }).keys()).toHaveLength(7)
  })

  it('that names itself or ever more sitemaps ends', async () => {
    expect(await sitemap({ [at('sitemap.xml')]: xml(index(at('sitemap.xml'))) }).keys()).toEqual([])
    let made = 0
    const endless: Answers = new Proxy(
      { ...none },
      { get: (own, url: string) => own[url] ?? (() => xml(index(at(`${++made}.xml`), at(`${++made}.xml`)))) },
    )
    const { keys, network } = openOrigin('cheerioWebScraper', endless, {
      url: at(),
      relativeLinksMethod: 'scrapeXMLSitemap',
    })
    expect(await keys()).toEqual([])
    expect(network.seen.length).toBeLessThanOrEqual(52)
  })
})
