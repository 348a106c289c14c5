import { describe, expect, it } from 'vitest'
import { redirectTo } from '../../ports/testing/fake-network.ts'
import { matchesGlob, readGlobs } from './services/globs.ts'
import { type Answers, html, json, openOrigin } from './testing/origin.ts'
import { DRIVE, firstOf, ID, NOTION, openService, REPOSITORY, services, useService, WIKI } from './testing/services.ts'

const text = (body: string, headers: Record<string, string> = {}) =>
  new Response(body, { headers: { 'content-type': 'text/plain', ...headers } })

describe.each(Object.keys(services))('%s', (name) => {
  it.each([
    [
      '401',
      json({ message: 'Bad credentials ghp_secret ntn_secret atl_secret ya29_secret' }, { status: 401 }),
      /refused the credential \(401\)/,
    ],
    [
      '403',
      json({ message: 'Forbidden' }, { status: 403 }),
      name === 'S3' ? /does not open this \(403\): Forbidden\./ : /does not allow it \(403\): Forbidden\./,
    ],
    ['429 without a time', json({ message: 'Slow down' }, { status: 429 }), /limits how often.*Slow down/],
    [
      '429 with a time that is too long',
      json({}, { status: 429, headers: { 'retry-after': '3600' } }),
      /limits how often/,
    ],
    ['500', text('oops').clone() && new Response('oops', { status: 500 }), /problem of its own \(500\)/],
    ['a redirect to a private address', redirectTo('http://169.254.169.254/'), /private address/],
    ['more bytes than allowed', text('x', { 'content-length': '99999999' }), /exceeds/],
  ])('says what to do about %s', async (_, answer, message) => {
    const { work } = useService(name, answer)
    await expect(work()).rejects.toThrow(message)
    const said = await work().catch(({ message }) => message)
    for (const secret of Object.values(services[name]?.credential ?? {})) expect(said).not.toContain(secret)
  })

  it('does not wait for hours', async () => {
    const { work, times } = useService(name, json({}, { status: 429, headers: { 'retry-after': '3600' } }))
    await expect(work()).rejects.toThrow('limits how often')
    expect(times).toEqual([0])
  })

  it('asks again after the time that it names', async () => {
    const { work, times } = useService(name, () => new Response('', { status: 429, headers: { 'retry-after': '3' } }))
    await expect(work()).rejects.toThrow('limits how often')
    expect(times).toEqual([0, 3000, 6000])
  })
})

it.each(Object.keys(services).filter((name) => name !== 'S3'))('%s refuses what is no answer', async (name) => {
  await expect(useService(name, text('{"broken')).work()).rejects.toThrow('did not return')
  await expect(useService(name, new Response('', { status: 404 })).work()).rejects.toThrow(
    /knows no|There is no bucket/,
  )
})

describe('GitHub', () => {
  const blob = (path: string, sha: string, rest: object = {}) => ({
    path,
    mode: '100644',
    type: 'blob',
    sha,
    size: 3,
    ...rest,
  })

  it('lists text files by their blobs and reads one', async () => {
    const { listAll, read, network } = openService('github', {
      [firstOf('github')]: json({
        sha: 'r',
        truncated: false,
        tree: [
          blob('README.md', 's1'),
          blob('docs', 's2', { type: 'tree' }),
          blob('docs/a.ts', 's3'),
          blob('logo.png', 's4'),
          blob('x.lock', 's5'),
          blob('old/b.md', 's6'),
          blob('link', 's7', { mode: '120000' }),
          blob('empty', 's8', { size: 0 }),
          blob('program', 's9'),
        ],
      }),
      [`${REPOSITORY}/git/blobs/s1`]: text('# Hi'),
      [`${REPOSITORY}/git/blobs/s3`]: new Response('', { status: 404 }),
      [`${REPOSITORY}/git/blobs/s9`]: text('a\0b'),
    })
    const [readme, code, program] = await listAll()
    expect([readme, code, program].map((item) => [item?.key, item?.version])).toEqual([
      ['README.md', 's1'],
      ['docs/a.ts', 's3'],
      ['program', 's9'],
    ])
    expect((await read(readme as never))?.documents).toEqual([
      {
        text: '# Hi',
        format: 'markdown',
        metadata: {
          source: 'README.md',
          repository: 'https://github.com/acme/docs',
          branch: 'main',
          url: 'https://github.com/acme/docs/blob/main/README.md',
        },
      },
    ])
    expect(await read(code as never)).toBeUndefined()
    expect(await read(program as never)).toBeUndefined()
    expect(network.seen[0]?.headers).toMatchObject({ authorization: 'Bearer ghp_secret' })
  })

  it('walks the folders of a repository that is too large to be listed at once', async () => {
    const { keys } = openService('github', {
      [firstOf('github')]: json({ truncated: true, tree: [] }),
      [`${REPOSITORY}/git/trees/main`]: json({
        tree: [blob('a', 's1'), blob('b', 't1', { type: 'tree' }), blob('old', 't2', { type: 'tree' })],
      }),
      [`${REPOSITORY}/git/trees/t1`]: json({ tree: [blob('c', 's2')] }),
    })
    expect(await keys()).toEqual(['a', 'b/c'])
  })

  it('says so when even a folder is too large', async () => {
    const { listAll } = openService(
      'github',
      { [`${REPOSITORY}/git/trees/main`]: json({ truncated: true, tree: [] }) },
      { recursive: false },
    )
    await expect(listAll()).rejects.toThrow('cuts the list')
  })

  it('asks GitHub Enterprise where it is', async () => {
    const { keys, urls } = openService(
      'github',
      { 'https://git.acme.com/api/v3/repos/a/b/git/trees/feature%2Fx': json({ tree: [blob('a', 's')] }) },
      { repoLink: 'https://git.acme.com/a/b', branch: 'feature/x', recursive: false },
    )
    expect(await keys()).toEqual(['a'])
    expect(urls()).toHaveLength(1)
  })

  it.each(['', 'acme/docs', 'https://github.com/acme', 'https://github.com/../..', 'https://github.com/a b/c'])(
    'refuses the link %j',
    async (repoLink) => {
      await expect(openService('github', {}, { repoLink }).listAll()).rejects.toThrow('is no repository')
    },
  )
})

it.each([
  ['src/a.lock', '*.lock', true],
  ['src/a.locks', '*.lock', false],
  ['node_modules/x/y.js', 'node_modules', true],
  ['dist/a', 'dist/', true],
  ['docs/a/old/b.md', 'docs/**/old', true],
  ['docs/old', 'docs/**/old', true],
  ['docs/a.md', '/docs/?.md', true],
  ['docs/a/b.md', 'docs/*.md', false],
  ['(a+)+', '(a+)+', true],
])('the path %s and the pattern %s match: %s', (path, pattern, isMatch) => {
  expect(matchesGlob(path, pattern)).toBe(isMatch)
})

it('patterns are read from JSON, commas and lines', () => {
  expect(readGlobs('["a", "b/*"]')).toEqual(['a', 'b/*'])
  expect(readGlobs('a,\n b')).toEqual(['a', 'b'])
})

describe('S3', () => {
  const listing = (keys: string[], next = '') =>
    new Response(
      `<?xml version="1.0" encoding="UTF-8"?><ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Name>acme-docs</Name><IsTruncated>${next !== ''}</IsTruncated>${next && `<NextContinuationToken>${next}</NextContinuationToken>`}${keys.map((key) => `<Contents><Key>${key}</Key><LastModified>2026-01-01T00:00:00.000Z</LastModified><ETag>&quot;e-${key}&quot;</ETag><Size>3</Size></Contents>`).join('')}</ListBucketResult>`,
    )

  it('lists all pages of a bucket, signed', async () => {
    const { listAll, network } = openService('s3Directory', {
      [firstOf('s3Directory')]: listing(['docs/', 'docs/a+b.txt'], 'n1=/x'),
      [`${firstOf('s3Directory')}&continuation-token=n1%3D%2Fx`]: listing(['docs/%C3%BC.md']),
    })
    expect((await listAll()).map(({ key, version }) => [key, version])).toEqual([
      ['docs/a b.txt', '"e-docs/a+b.txt"'],
      ['docs/ü.md', '"e-docs/%C3%BC.md"'],
    ])
    expect(network.seen[0]?.headers).toMatchObject({
      'x-amz-date': '20260101T000000Z',
      'x-amz-security-token': 'session-token',
      authorization: expect.stringMatching(
        /^AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE\/20260101\/us-east-1\/s3\/aws4_request, /,
      ),
    })
  })

  it('reads an object, and nothing of one that was deleted', async () => {
    const object = openService('S3', { [firstOf('S3')]: text('hello') })
    expect((await object.read('a b/ü.txt'))?.documents[0]).toMatchObject({
      text: 'hello',
      metadata: { source: 's3://acme-docs/a b/ü.txt' },
    })
    expect(
      await openService('S3', { [firstOf('S3')]: new Response('', { status: 404 }) }).read('a b/ü.txt'),
    ).toBeUndefined()
  })

  it('is asked at another server under the path of the bucket', async () => {
    const { readText } = openService(
      'S3',
      { 'https://minio.example.com/acme-docs/k.txt': text('hi') },
      { serverUrl: 'https://minio.example.com/' },
    )
    expect(await readText('k.txt')).toBe('hi')
  })

  it.each([
    [{ bucketName: 'evil.com/x' }, 'is no name of a bucket'],
    [{ bucketName: 'a@b' }, 'is no name of a bucket'],
    [{ region: 'us-east-1.evil.com/' }, 'is no region'],
    [{ serverUrl: 'http://169.254.169.254' }, 'private address'],
    [{ serverUrl: 'nope' }, 'is not an address'],
  ])('refuses %j before anything is sent', async (config, message) => {
    const { read, urls } = openService('S3', {}, config)
    await expect(read('a.txt')).rejects.toThrow(message)
    expect(urls()).toEqual([])
  })

  it('leaves its bucket for no key', async () => {
    const { read, urls } = openService('S3', {}, { serverUrl: 'https://minio.example.com' })
    await expect(read('../other/secret.txt')).rejects.toThrow('“.” or “..”')
    expect(urls()).toEqual([])
  })
})

describe('Notion', () => {
  const rich = (plain_text: string, href: string | null = null) => [{ type: 'text', plain_text, href }]
  const block = (id: string, type: string, value: object, has_children = false) => ({
    object: 'block',
    id,
    type,
    has_children,
    [type]: value,
  })
  const children = (id: string, cursor = '') =>
    `${NOTION}/blocks/${id}/children?page_size=100${cursor && `&start_cursor=${cursor}`}`
  const page = (rest: object = {}) => ({
    ...{ object: 'page', id: ID, url: 'https://www.notion.so/Guide', last_edited_time: '2026-01-02T03:04:00.000Z' },
    properties: {
      Name: { id: 'title', type: 'title', title: rich('Guide') },
      Tags: { type: 'multi_select', multi_select: [{ name: 'a' }, { name: 'b' }] },
      Due: { type: 'date', date: { start: '2026-01-01', end: null } },
      Empty: { type: 'number', number: null },
    },
    ...rest,
  })

  it('reads a page as Markdown, with its properties and nested blocks', async () => {
    const { listAll, readText } = openService('notionPage', {
      [firstOf('notionPage')]: json(page()),
      [children(ID)]: json({
        results: [
          block('h', 'heading_2', { rich_text: rich('Start') }),
          block('p', 'paragraph', { rich_text: rich('Read this', 'https://example.com/') }),
          block('l', 'bulleted_list_item', { rich_text: rich('one') }, true),
        ],
        has_more: true,
        next_cursor: 'n2',
      }),
      [children(ID, 'n2')]: json({
        results: [block('c', 'code', { rich_text: rich('a()'), language: 'js' })],
        has_more: false,
        next_cursor: null,
      }),
      [children('l')]: json({
        results: [block('t', 'to_do', { rich_text: rich('two'), checked: true })],
        has_more: false,
      }),
    })
    expect(await listAll()).toEqual([{ key: ID, name: 'Guide', version: '2026-01-02T03:04:00.000Z' }])
    expect(await readText(ID)).toBe(
      '# Guide\n\nTags: a, b\nDue: 2026-01-01\n\n## Start\n\n[Read this](https://example.com/)\n\n- one\n  - [x] two\n\n```js\na()\n```',
    )
  })

  it('has nothing of a page that was deleted', async () => {
    expect(
      await openService('notionPage', { [firstOf('notionPage')]: json(page({ archived: true })) }).read(ID),
    ).toBeUndefined()
    expect(
      await openService('notionPage', { [firstOf('notionPage')]: new Response('', { status: 404 }) }).read(ID),
    ).toBeUndefined()
  })

  it('ends with blocks that hold themselves', async () => {
    const { read, network } = openService('notionPage', {
      [firstOf('notionPage')]: json(page()),
      [children(ID)]: () =>
        json({ results: [block(ID, 'toggle', { rich_text: [] }, true), block(ID, 'toggle', { rich_text: [] }, true)] }),
    })
    await expect(read(ID)).rejects.toThrow('too many blocks')
    expect(network.seen.length).toBeLessThanOrEqual(202)
  })

  it('lists all pages of a database', async () => {
    let asked = 0
    const { keys, network } = openService('notionDB', {
      [firstOf('notionDB')]: () =>
        ++asked === 1
          ? json({ results: [page({ id: 'a' }), page({ id: 'b', in_trash: true })], has_more: true, next_cursor: 'n2' })
          : json({ results: [page({ id: 'c' })], has_more: false, next_cursor: null }),
    })
    expect(await keys()).toEqual(['a', 'c'])
    expect(network.seen.map(({ body }) => JSON.parse(body))).toEqual([
      { page_size: 100 },
      { page_size: 100, start_cursor: 'n2' },
    ])
    expect(network.seen[0]?.headers).toMatchObject({
      'notion-version': '2022-06-28',
      authorization: 'Bearer ntn_secret',
    })
  })

  it('refuses what is no id', async () => {
    await expect(openService('notionDB', {}, { databaseId: '../users' }).listAll()).rejects.toThrow('Enter the link')
  })
})

describe('Confluence', () => {
  const part = (start: number) => firstOf('confluence').replace('start=0', `start=${start}`)
  const one = `${WIKI}/rest/api/content/1?expand=body.storage,version,space`
  const entry = (id: string, number: number) => ({
    id,
    type: 'page',
    status: 'current',
    title: `Page ${id}`,
    version: { number },
  })

  it('lists all pages of a space with their versions', async () => {
    const { listAll, network } = openService('confluence', {
      [part(0)]: json({
        results: [entry('1', 3), entry('2', 1)],
        start: 0,
        size: 2,
        _links: { next: '/rest/api/content?start=2' },
      }),
      [part(2)]: json({ results: [entry('3', 9)], start: 2, size: 1, _links: {} }),
    })
    expect((await listAll()).map(({ key, name, version }) => [key, name, version])).toEqual([
      ['1', 'Page 1', '3'],
      ['2', 'Page 2', '1'],
      ['3', 'Page 3', '9'],
    ])
    expect(network.seen[0]?.headers.authorization).toBe(`Basic ${btoa('jo@example.com:atl_secret')}`)
  })

  it('reads the storage format of a page, with its code', async () => {
    const value =
      '<h2>Steps</h2><p>One &amp; two</p><ac:structured-macro ac:name="code"><ac:plain-text-body><![CDATA[if (a < b) {}]]></ac:plain-text-body></ac:structured-macro>'
    const { read } = openService('confluence', {
      [one]: json({
        ...entry('1', 3),
        space: { key: 'DOCS' },
        body: { storage: { value } },
        _links: { webui: '/spaces/DOCS/pages/1' },
      }),
    })
    expect((await read('1'))?.documents).toEqual([
      {
        text: '# Page 1\n\n## Steps\n\nOne & two\n\n```\nif (a < b) {}\n```',
        format: 'markdown',
        metadata: { source: `${WIKI}/spaces/DOCS/pages/1`, title: 'Page 1', id: '1', space: 'DOCS' },
      },
    ])
  })

  it('has nothing of a page that was deleted, and says that a page is empty', async () => {
    expect(await openService('confluence', { [one]: new Response('', { status: 404 }) }).read('1')).toBeUndefined()
    expect(
      await openService('confluence', { [one]: json({ ...entry('1', 1), status: 'trashed' }) }).read('1'),
    ).toBeUndefined()
    await expect(
      openService('confluence', { [one]: json({ ...entry('1', 1), body: { storage: { value: '' } } }) }).read('1'),
    ).rejects.toThrow('no text')
  })

  it('ends when the service names ever further pages that are empty', async () => {
    expect(
      await openService('confluence', { [part(0)]: json({ results: [], _links: { next: '/more' } }) }).keys(),
    ).toEqual([])
  })
})

describe('Google Drive', () => {
  const GOOGLE = 'application/vnd.google-apps.'
  const file = (id: string, mimeType: string, rest: object = {}) => ({
    id,
    name: id,
    mimeType,
    modifiedTime: '2026-01-01T00:00:00Z',
    ...rest,
  })
  const folder = (id: string) => firstOf('googleDrive').replace('root1', id)
  const next = `${firstOf('googleDrive')}&pageToken=p2`

  it('lists files of a folder and its subfolders, each folder once', async () => {
    const { listAll, network } = openService(
      'googleDrive',
      {
        [folder('root1')]: json({
          nextPageToken: 'p2',
          files: [file('doc', `${GOOGLE}document`), file('sub', `${GOOGLE}folder`)],
        }),
        [next]: json({
          files: [
            file('a.pdf', 'application/pdf', { md5Checksum: 'm5', size: '12' }),
            file('form', `${GOOGLE}form`),
            file('b.png', 'image/png'),
          ],
        }),
        [folder('sub')]: json({
          files: [file('root1', `${GOOGLE}folder`), file("x' or '1", `${GOOGLE}folder`), file('c.txt', 'text/plain')],
        }),
      },
      { includeSubfolders: true },
    )
    expect((await listAll()).map(({ key, version, size }) => [key, version, size])).toEqual([
      ['doc', '2026-01-01T00:00:00Z', undefined],
      ['a.pdf', 'm5', 12],
      ['c.txt', '2026-01-01T00:00:00Z', undefined],
    ])
    expect(network.seen).toHaveLength(3)
    expect(network.seen[0]?.headers.authorization).toBe('Bearer ya29_secret')
  })

  it('exports what Google wrote, and reads other files as they are', async () => {
    const { loader, context } = openService('googleDrive', {
      [`${DRIVE}/d/export?mimeType=text%2Fmarkdown`]: text('# Doc'),
      [`${DRIVE}/s/export?mimeType=text%2Fcsv`]: text('q,a\nwhy,so'),
      [`${DRIVE}/t?alt=media&supportsAllDrives=true`]: text('plain'),
      [`${DRIVE}/gone?alt=media&supportsAllDrives=true`]: new Response('', { status: 404 }),
    })
    const read = async (key: string, type: string) =>
      (await loader.read(context, { key, name: key, data: { type } }))?.documents.map(({ text, format }) => [
        text,
        format,
      ])
    expect(await read('d', `${GOOGLE}document`)).toEqual([['# Doc', 'markdown']])
    expect(await read('s', `${GOOGLE}spreadsheet`)).toMatchObject([[expect.stringContaining('why'), 'text']])
    expect(await read('t', 'text/plain')).toEqual([['plain', 'text']])
    expect(await read('gone', 'text/plain')).toBeUndefined()
  })

  it.each(["root' or name contains '", '', 'a b'])('refuses the folder %j', async (folderId) => {
    const { listAll, urls } = openService('googleDrive', {}, { folderId })
    await expect(listAll()).rejects.toThrow('Enter the link of a folder')
    expect(urls()).toEqual([])
  })
})

describe('an API', () => {
  const url = 'https://api.example.com/items?x=1'
  const api = (answer: Answers[string], config: Record<string, unknown> = {}) =>
    openOrigin('apiLoader', { [url]: answer }, { url, ...config })

  it('is asked with the headers and the body that a person set', async () => {
    const { read, network } = api(json([{ a: 'x' }, { a: 'y' }]), {
      method: 'POST',
      headers: '{"X-Key": "k"}',
      body: { q: 1 },
    })
    expect((await read(url))?.documents).toHaveLength(2)
    expect(network.seen).toMatchObject([
      { method: 'POST', body: '{"q":1}', headers: { 'x-key': 'k', 'content-type': 'application/json' } },
    ])
  })

  it.each([
    ['text', text('hello'), 'hello'],
    ['a page', html('<h1>Hi</h1>'), '# Hi'],
  ])('may answer %s', async (_, answer, written) => {
    expect(await api(answer).readText(url)).toBe(written)
  })

  it.each([
    ['nothing', text(''), 'This file is empty'],
    ['404', new Response('', { status: 404 }), 'nothing at this address'],
    ['401', json({ error: 'who?' }, { status: 401 }), 'refused the credential (401): who?'],
    ['broken JSON', new Response('{"a', { headers: { 'content-type': 'application/json' } }), 'JSON'],
  ])('fails with %s', async (_, answer, message) => {
    await expect(api(answer).read(url)).rejects.toThrow(message)
  })

  it('cannot be at a private address', async () => {
    const { read, urls } = openOrigin('apiLoader', {}, { url: 'http://10.0.0.1/' })
    await expect(read('x')).rejects.toThrow('private address')
    expect(urls()).toEqual([])
  })
})
