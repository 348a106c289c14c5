/** Objects of any size, in parts that fit into memory. */

import type { Clock } from '../types.ts'
import { createS3Client, type S3Client, type S3Network, SIZE } from './requests.ts'
import type { S3Settings } from './settings.ts'

interface LargeObjects {
  /** Stores the parts in order as one object. All but the last must have at least 5 MiB. Leaves nothing when it fails. */
  upload(key: string, parts: AsyncIterable<Uint8Array>): Promise<void>
  /** Yields the object from its beginning. Throws when it is not there. */
  download(key: string): AsyncGenerator<Uint8Array>
}

const READ_AT_ONCE = 16 * 1024 ** 2

export function createLargeObjects(settings: S3Settings, network: S3Network, clock: Clock): LargeObjects {
  const { send } = createS3Client(settings, network, clock)
  return {
    async upload(key, parts) {
      const begun = textOf(await send({ method: 'POST', key, query: { uploads: '' } }))
      const uploadId = /<UploadId>([^<]+)<\/UploadId>/.exec(begun)?.[1]
      if (!uploadId) throw new Error(`${settings.endpoint} began no upload of parts`)
      try {
        await sendParts({ key, uploadId, send }, parts)
      } catch (error) {
        await send({ method: 'DELETE', key, query: { uploadId } }).catch(() => {})
        throw error
      }
    },
    async *download(key) {
      for (let offset = 0, size = 1; offset < size; ) {
        const answer = await send({ method: 'GET', key, range: { offset, length: READ_AT_ONCE } })
        if (answer.status === 404) throw new Error(`${settings.endpoint} has no object ${key}`)
        if (answer.status !== 206)
          throw new Error(`${settings.endpoint} answers a read of a part of ${key} with ${answer.status}, not with 206`)
        size = Number(SIZE.exec(answer.headers.get('content-range') ?? '')?.[1])
        offset += answer.bytes.byteLength
        yield new Uint8Array(answer.bytes)
      }
    },
  }
}

interface Upload extends S3Client {
  key: string
  uploadId: string
}

async function sendParts({ key, uploadId, send }: Upload, parts: AsyncIterable<Uint8Array>): Promise<void> {
  const sent: string[] = []
  for await (const body of parts) {
    const number = sent.length + 1
    const { headers } = await send({ method: 'PUT', key, query: { partNumber: String(number), uploadId }, body })
    const tag = (headers.get('etag') ?? '').replaceAll('"', '&quot;')
    sent.push(`<Part><PartNumber>${number}</PartNumber><ETag>${tag}</ETag></Part>`)
  }
  const body = new TextEncoder().encode(`<CompleteMultipartUpload>${sent.join('')}</CompleteMultipartUpload>`)
  // The status of a failure may be 200, because the answer begins before the work ends.
  const ended = textOf(await send({ method: 'POST', key, query: { uploadId }, body }))
  const code = /<Code>([^<]+)<\/Code>/.exec(ended.split('<Error>')[1] ?? '')?.[1]
  if (code) throw new Error(`The upload of ${key} failed: ${code}`)
}

const textOf = ({ bytes }: { bytes: ArrayBuffer }) => new TextDecoder().decode(bytes)
