/** The bucket of Amazon S3, or of a server with its interface, such as MinIO, Garage or Ceph, in place of R2. */
import { systemClock } from '../clock.ts'
import { type Bucket, mapFiles, UndeletedFiles } from '../file-storage.ts'
import { createS3Client, type S3Answer, type S3Network, SIZE } from './requests.ts'
import type { S3Settings } from './settings.ts'

export function createS3Bucket(settings: S3Settings, network: S3Network, clock = systemClock): Bucket {
  const { send } = createS3Client(settings, network, clock)
  return {
    async put(key, body) {
      await send({ method: 'PUT', key, body })
    },
    async get(key, options) {
      const answer = await send({ method: 'GET', key, range: options?.range })
      if (answer.status === 404) return null
      const isPast = answer.status === 416
      return { size: sizeOf(answer), arrayBuffer: async () => (isPast ? new ArrayBuffer(0) : answer.bytes) }
    },
    // One by one: not every server deletes many at once.
    async delete(keys) {
      const failures = new Map<string, unknown>()
      const untried: string[] = []
      await mapFiles(keys, async (key) => {
        if (failures.size >= MAX_FAILURES) untried.push(key)
        else await send({ method: 'DELETE', key }).catch((error: unknown) => failures.set(key, error))
      })
      if (failures.size > 0) throw new UndeletedFiles(failures, untried)
    },
  }
}

/** A bucket that fails to delete so many files would fail for the others too, and each may take seconds. */
const MAX_FAILURES = 10

/** Yields every object of the bucket, in the order of the keys. */
export async function* listS3Objects(
  settings: S3Settings,
  network: S3Network,
): AsyncGenerator<{ key: string; size: number }> {
  const { send } = createS3Client(settings, network, systemClock)
  for (let token: string | undefined = ''; token !== undefined; ) {
    const query = { 'list-type': '2', 'encoding-type': 'url', ...(token && { 'continuation-token': token }) }
    const text = new TextDecoder().decode((await send({ method: 'GET', key: '', query })).bytes)
    if (!text.includes('<ListBucketResult'))
      throw new Error(`${settings.endpoint} did not answer with a list of objects`)
    for (const [, object = ''] of text.matchAll(/<Contents>(.*?)<\/Contents>/gs))
      yield {
        key: decodeURIComponent(textIn(object, 'Key').replaceAll('+', ' ')),
        size: Number(textIn(object, 'Size')),
      }
    token = textIn(text, 'NextContinuationToken') || undefined
    if (textIn(text, 'IsTruncated') === 'true' && !token)
      throw new Error(`${settings.endpoint} cut off its list of objects`)
  }
}

/** Keys are encoded as in URLs, so texts hold no signs of XML but these. */
const textIn = (xml: string, name: string): string =>
  (xml.split(`<${name}>`)[1]?.split('<')[0] ?? '').replaceAll('&quot;', '"').replaceAll('&amp;', '&')

/** Returns the size of the whole file: of a part, `Content-Range` names it after the slash. */
function sizeOf({ headers, bytes, status }: S3Answer): number {
  if (status === 200) return bytes.byteLength
  const named = SIZE.exec(headers.get('content-range') ?? '')?.[1]
  const said = status === 416 ? /<ActualObjectSize>(\d+)</.exec(new TextDecoder().decode(bytes))?.[1] : undefined
  return Number(named ?? said ?? 0)
}
