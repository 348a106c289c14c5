import { describe, expect, it } from 'vitest'
import { ProviderRefusal } from '../../providers/service.ts'
import { UnreadableError } from '../types.ts'
import { json } from './testing/origin.ts'
import { DRIVE, ID, NOTION, openService, REPOSITORY, services, useService, WIKI } from './testing/services.ts'

const text = (body: string) => new Response(body, { headers: { 'content-type': 'text/plain' } })

const blobUrl = `${REPOSITORY}/git/blobs/s1`
const githubFile = { key: 'a.md', name: 'a.md', data: { sha: 's1' } }
const xml = (code: string, message: string) =>
  `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code><Message>${message}</Message><RequestId>1</RequestId></Error>`
const driveRefusal = (reason: string, message: string) => ({
  error: { code: 403, message, errors: [{ reason, message }] },
})
const driveFile = { key: 'd', name: 'd', data: { type: 'application/vnd.google-apps.document' } }
const driveUrl = `${DRIVE}/d/export?mimeType=text%2Fmarkdown`
const pageUrl = `${WIKI}/rest/api/content/7?expand=body.storage,version,space`

describe('a source that is closed', () => {
  it.each([
    [
      'googleDrive',
      driveUrl,
      driveFile,
      json(driveRefusal('exportSizeLimitExceeded', 'This file is too large to be exported.'), { status: 403 }),
      'Google Drive does not open this (403): This file is too large to be exported. Leave it out, or check what the credential may read.',
    ],
    [
      'googleDrive',
      `${DRIVE}/d?alt=media&supportsAllDrives=true`,
      { key: 'd', name: 'd', data: { type: 'application/pdf' } },
      json(driveRefusal('downloadQuotaExceeded', 'The download quota for this file has been exceeded'), {
        status: 403,
      }),
      'The download quota for this file has been exceeded. Leave it out',
    ],
    [
      'github',
      blobUrl,
      githubFile,
      json({ message: 'This API returns blobs up to 100 MB in size.' }, { status: 403 }),
      'GitHub does not open this (403): This API returns blobs up to 100 MB in size.',
    ],
    [
      's3Directory',
      'https://acme-docs.s3.us-east-1.amazonaws.com/a.txt',
      { key: 'a.txt', name: 'a.txt' },
      new Response(xml('InvalidObjectState', 'The operation is not valid for the object&apos;s storage class'), {
        status: 403,
      }),
      "S3 does not open this (403): InvalidObjectState: The operation is not valid for the object's storage class.",
    ],
    [
      'confluence',
      pageUrl,
      { key: '7', name: '7' },
      json({ statusCode: 403, message: 'User not permitted to view content' }, { status: 403 }),
      'Confluence does not open this (403): User not permitted to view content.',
    ],
    [
      'notionDB',
      `${NOTION}/pages/${ID}`,
      { key: ID, name: ID },
      json({ object: 'error', code: 'restricted_resource', message: 'Insufficient permissions' }, { status: 403 }),
      'Notion does not open this (403): Insufficient permissions.',
    ],
  ])('is unreadable in the words of %s, and is asked for once', async (name, url, item, answer, words) => {
    const { read, times } = openService(name, { [url]: answer })
    const error = await read(item).catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(UnreadableError)
    expect((error as Error).message).toContain(words)
    expect((error as Error).message).not.toContain('<')
    expect(times).toEqual([0])
  })
})

describe('a refusal that holds for all sources', () => {
  const refused = async (work: Promise<unknown>) => {
    const error = await work.catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(ProviderRefusal)
    return error as ProviderRefusal
  }

  it.each(Object.keys(services).filter((name) => name !== 'S3'))('is a 403 of the list of %s', async (name) => {
    expect((await refused(useService(name, json({ message: 'No' }, { status: 403 })).work())).status).toBe(403)
  })

  it.each([
    ['github', blobUrl, githubFile, json({ message: 'Bad credentials' }, { status: 401 }), 401],
    [
      's3Directory',
      'https://acme-docs.s3.us-east-1.amazonaws.com/a.txt',
      { key: 'a.txt', name: 'a.txt' },
      new Response(xml('InvalidAccessKeyId', 'The AWS Access Key Id does not exist in our records.'), { status: 403 }),
      401,
    ],
    [
      's3Directory',
      'https://acme-docs.s3.us-east-1.amazonaws.com/a.txt',
      { key: 'a.txt', name: 'a.txt' },
      new Response(xml('ExpiredToken', 'The provided token has expired.'), { status: 400 }),
      401,
    ],
    [
      'github',
      blobUrl,
      githubFile,
      json({ message: 'You have exceeded a secondary rate limit.' }, { status: 403 }),
      429,
    ],
    [
      'googleDrive',
      driveUrl,
      driveFile,
      json(driveRefusal('userRateLimitExceeded', 'User Rate Limit Exceeded'), { status: 403 }),
      429,
    ],
  ])('is said by %s when one source is read', async (name, url, item, answer, status) => {
    expect((await refused(openService(name, { [url]: answer }).read(item))).status).toBe(status)
  })

  it.each([
    ['after a time', { 'retry-after': '3' }],
    [
      'at a time',
      { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(Date.parse('2026-01-01T00:00:03Z') / 1000) },
    ],
  ])('is waited for when a 403 says that it ends %s', async (_, limit) => {
    let asked = 0
    const { readText, times } = openService('github', {
      [blobUrl]: () =>
        asked++ === 0 ? json({ message: 'Rate limit' }, { status: 403, headers: limit }) : text('hello'),
    })
    expect(await readText(githubFile)).toBe('hello')
    expect(times).toEqual([0, 3000])
  })

  it('names the time when a 403 says that it is far', async () => {
    const headers = {
      'x-ratelimit-remaining': '0',
      'x-ratelimit-reset': String(Date.parse('2026-01-01T01:00:00Z') / 1000),
    }
    const { read, times } = openService('github', {
      [blobUrl]: json({ message: 'API rate limit' }, { status: 403, headers }),
    })
    const { message, status } = await refused(read(githubFile))
    expect([status, message]).toEqual([429, expect.stringContaining('API rate limit. Try again in 60 minutes.')])
    expect(times).toEqual([0])
  })
})

it.each([502, 503, 504])('a service that fails for a moment with %i is asked once more', async (status) => {
  const u = 'https://acme-docs.s3.us-east-1.amazonaws.com/a.txt'
  const failing = openService('s3Directory', {
    [u]: () => new Response(xml('SlowDown', 'Reduce your request rate.'), { status }),
  })
  await expect(failing.read('a.txt')).rejects.toThrow(`S3 has a problem of its own (${status}): SlowDown: Reduce your`)
  expect(failing.times).toEqual([0, 2000])
  let asked = 0
  const passing = openService('s3Directory', {
    [u]: () => (asked++ === 0 ? new Response('', { status }) : text('hello')),
  })
  expect(await passing.readText('a.txt')).toBe('hello')
})
