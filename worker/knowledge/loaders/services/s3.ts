/** Buckets of Amazon S3, and of any service with its interface. */
import type { InputParam } from '#contract/flow/params/definition.ts'
import { text } from '../../../inputs/component-config.ts'
import { reasonIn } from '../../../providers/json-api.ts'
import { type Element, elementsNamed, isText, nodesIn, parseXml } from '../../../text/xml.ts'
import {
  type LoaderContext,
  type SourceContent,
  type SourceItem,
  type SourcePart,
  UnreadableError,
} from '../../types.ts'
import { askFor, bodyBytes, bodyText, FILE_BYTES, readFetchedFile, type SourceRequest } from './requests.ts'

const SERVICE = 'S3'
const KEYS_PER_PART = 500

export const bucketParams: InputParam[] = [
  { label: 'Bucket', name: 'bucketName', type: 'string', placeholder: 'my-bucket' },
  { label: 'Region', name: 'region', type: 'string', default: 'us-east-1' },
]

export const serverParam: InputParam = {
  label: 'Server URL',
  name: 'serverUrl',
  type: 'string',
  optional: true,
  additionalParams: true,
  description: 'For S3-compatible services other than Amazon',
  placeholder: 'https://minio.example.com',
}

interface Bucket {
  name: string
  region: string
  /** The address of the bucket, without a slash at its end. */
  address: string
}

const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/
const REGION = /^[a-z0-9-]{1,40}$/

function parseBucket(config: Record<string, unknown>): Bucket {
  const name = text(config, 'bucketName') ?? ''
  const region = text(config, 'region') ?? 'us-east-1'
  if (!BUCKET.test(name)) throw new UnreadableError(`“${name.slice(0, 100)}” is no name of a bucket.`)
  if (!REGION.test(region))
    throw new UnreadableError(`“${region.slice(0, 100)}” is no region. Use one such as us-east-1.`)
  const server = text(config, 'serverUrl')
  if (server === undefined) {
    const host = `s3.${region}.amazonaws.com`
    // A certificate covers no names with further dots.
    return { name, region, address: name.includes('.') ? `https://${host}/${name}` : `https://${name}.${host}` }
  }
  const url = URL.parse(server)
  if (!url || !/^https?:$/.test(url.protocol))
    throw new UnreadableError(`“${server.slice(0, 200)}” is not an address. Use one like https://minio.example.com`)
  return { name, region, address: `${url.origin}/${name}` }
}

/** Lists the objects whose keys begin with the prefix. */
export async function listObjects(context: LoaderContext, prefix: string, cursor?: string): Promise<SourcePart> {
  const bucket = parseBucket(context.config)
  const query = new URLSearchParams({
    'list-type': '2',
    'encoding-type': 'url',
    'max-keys': String(Math.min(KEYS_PER_PART, context.maxItems)),
    ...(prefix && { prefix }),
    ...(cursor !== undefined && { 'continuation-token': cursor }),
  })
  const response = await askSigned({ url: `${bucket.address}/?${query}`, isList: true }, bucket, context)
  if (!response) throw new UnreadableError(`There is no bucket ${bucket.name} in ${bucket.region}.`)
  const page = await parseXml(await bodyText(SERVICE, response))
  if (elementsNamed(page, 'ListBucketResult').length === 0)
    throw new UnreadableError('S3 did not return a list of objects. Check the server URL.')
  const items = elementsNamed(page, 'Contents').flatMap((element): SourceItem[] => {
    const key = decodedKey(textOfChild(element, 'Key'))
    const size = Number(textOfChild(element, 'Size'))
    if (key === '' || key.endsWith('/') || size === 0) return []
    return [{ key, name: key, version: textOfChild(element, 'ETag') || undefined, size }]
  })
  const [root] = elementsNamed(page, 'ListBucketResult')
  const next = root && textOfChild(root, 'IsTruncated') === 'true' ? textOfChild(root, 'NextContinuationToken') : ''
  return next === '' ? { items } : { items, cursor: next }
}

/** Texts of keys count every space. */
function textOfChild(element: Element, name: string): string {
  const [found] = elementsNamed(element, name)
  return found
    ? [...nodesIn(found)]
        .filter(isText)
        .map(({ data }) => data)
        .join('')
    : ''
}

/** @param answer `<Error><Code>…</Code><Message>…</Message></Error>` */
async function readReason(answer: string): Promise<string> {
  const [error] = elementsNamed(await parseXml(answer), 'Error')
  if (!error) return reasonIn(answer)
  return ['Code', 'Message']
    .map((name) => textOfChild(error, name))
    .filter(Boolean)
    .join(': ')
}

function decodedKey(key: string): string {
  try {
    return decodeURIComponent(key.replaceAll('+', ' '))
  } catch {
    return key
  }
}

export async function readObject(context: LoaderContext, key: string): Promise<SourceContent | undefined> {
  const bucket = parseBucket(context.config)
  const parts = key.split('/')
  if (parts.some((part) => part === '.' || part === '..'))
    throw new UnreadableError('A key with the folder “.” or “..” can’t be read. Rename the object.')
  const url = `${bucket.address}/${parts.map(encodeURIComponent).join('/')}`
  const response = await askSigned({ url }, bucket, context)
  if (!response) return undefined
  const mime = response.headers.get('content-type') ?? ''
  const bytes = await bodyBytes(SERVICE, response)
  const metadata = { source: `s3://${bucket.name}/${key}` }
  return readFetchedFile(bytes, { name: parts.at(-1) ?? key, mime }, { metadata, config: context.config })
}

/** Without a credential the request is not signed: public buckets answer it. */
async function askSigned(
  asked: Pick<SourceRequest, 'url' | 'isList'>,
  bucket: Bucket,
  context: LoaderContext,
): Promise<Response | undefined> {
  const accessKeyId = text(context.credential, 'awsKey')
  const secretAccessKey = text(context.credential, 'awsSecret')
  const request = { service: SERVICE, ...asked, maxBytes: FILE_BYTES, readReason }
  if (!accessKeyId || !secretAccessKey) return askFor(request, context)
  const { AwsClient } = await import('aws4fetch')
  const client = new AwsClient({
    ...{ accessKeyId, secretAccessKey, sessionToken: text(context.credential, 'awsSession') },
    ...{ service: 's3', region: bucket.region },
  })
  const datetime = context.clock
    .now()
    .toISOString()
    .replace(/[:-]|\.\d{3}/g, '')
  const { headers } = await client.sign(asked.url, { aws: { datetime } })
  return askFor({ ...request, headers: Object.fromEntries(headers) }, context)
}
