/** The settings of the operator's own bucket. */

/** `S3_…` of the environment. */
export interface S3Environment {
  S3_ENDPOINT?: string
  S3_BUCKET?: string
  S3_REGION?: string
  S3_ACCESS_KEY_ID?: string
  S3_SECRET_ACCESS_KEY?: string
}

export const S3_NAMES = [
  'S3_ENDPOINT',
  'S3_BUCKET',
  'S3_REGION',
  'S3_ACCESS_KEY_ID',
  'S3_SECRET_ACCESS_KEY',
] as const satisfies (keyof S3Environment)[]

export interface S3Settings {
  /** An origin: `https://s3.eu-west-1.amazonaws.com`. */
  endpoint: string
  bucket: string
  region: string
  accessKeyId: string
  secretAccessKey: string
}

const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/
const REGION = /^[a-z0-9-]{1,40}$/
const DEFAULT_REGION = 'us-east-1'

/** Returns undefined without a bucket. Throws a sentence that names the setting that is missing or wrong. */
export function parseS3Settings(env: S3Environment): S3Settings | undefined {
  const bucket = env.S3_BUCKET
  if (!bucket) {
    const given = S3_NAMES.find((name) => env[name])
    if (given) throw new Error(`${given} is set, but S3_BUCKET is not. Set it to the name of the bucket`)
    return undefined
  }
  const region = env.S3_REGION || DEFAULT_REGION
  const { S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = env
  if (!BUCKET.test(bucket)) throw new Error(`S3_BUCKET is "${bucket}", which is no name of a bucket`)
  if (!REGION.test(region)) throw new Error(`S3_REGION is "${region}", but must be a region such as eu-west-1`)
  if (!accessKeyId) throw new Error('S3_ACCESS_KEY_ID is not set. Set it to the key id for the bucket in S3_BUCKET')
  if (!secretAccessKey) throw new Error('S3_SECRET_ACCESS_KEY is not set. Set it to the secret of S3_ACCESS_KEY_ID')
  return { endpoint: parseEndpoint(env.S3_ENDPOINT, region), bucket, region, accessKeyId, secretAccessKey }
}

function parseEndpoint(given: string | undefined, region: string): string {
  if (!given) return `https://s3.${region}.amazonaws.com`
  const { protocol = '', origin, href } = URL.parse(given) ?? {}
  if (origin && /^https?:$/.test(protocol) && href === `${origin}/`) return origin
  const is = given.includes('@') ? 'has a user or password' : `is "${given}"`
  throw new Error(`S3_ENDPOINT ${is}, but must be an origin such as https://minio.example.com`)
}
