import { expect, it } from 'vitest'
import { parseS3Settings } from './settings.ts'

const given = { S3_BUCKET: 'heddle-files', S3_ACCESS_KEY_ID: 'key', S3_SECRET_ACCESS_KEY: 'secret' }
const access = { bucket: 'heddle-files', accessKeyId: 'key', secretAccessKey: 'secret' }

it('finds Amazon by the region, and others by their endpoint', () => {
  expect(parseS3Settings({})).toBeUndefined()
  expect(parseS3Settings({ S3_ENDPOINT: '', S3_BUCKET: '' })).toBeUndefined()
  const amazon = { ...access, endpoint: 'https://s3.us-east-1.amazonaws.com', region: 'us-east-1' }
  expect(parseS3Settings(given)).toEqual(amazon)
  const region = { endpoint: 'https://s3.eu-west-1.amazonaws.com', region: 'eu-west-1' }
  expect(parseS3Settings({ ...given, S3_REGION: 'eu-west-1' })).toEqual({ ...access, ...region })
  const own = { endpoint: 'http://minio:9000', region: 'garage' }
  expect(parseS3Settings({ ...given, S3_ENDPOINT: 'http://minio:9000/', S3_REGION: 'garage' })).toEqual({
    ...access,
    ...own,
  })
})

it.each([
  [{ S3_REGION: 'eu-west-1' }, 'S3_REGION is set, but S3_BUCKET is not'],
  [{ ...given, S3_BUCKET: 'My bucket' }, 'S3_BUCKET is "My bucket", which is no name of a bucket'],
  [{ ...given, S3_REGION: 'eu/west' }, 'S3_REGION is "eu/west", but must be a region'],
  [{ ...given, S3_ACCESS_KEY_ID: '' }, 'S3_ACCESS_KEY_ID is not set'],
  [{ ...given, S3_SECRET_ACCESS_KEY: '' }, 'S3_SECRET_ACCESS_KEY is not set'],
  [{ ...given, S3_ENDPOINT: 'minio:9000' }, 'S3_ENDPOINT is "minio:9000", but must be an origin'],
  [{ ...given, S3_ENDPOINT: 'https://minio.example.com/bucket' }, 'but must be an origin'],
  [
    { ...given, S3_ENDPOINT: 'https://user:hidden@minio.example.com' },
    'S3_ENDPOINT has a user or password, but must be an origin',
  ],
])('refuses %j', (env, reason) => {
  expect(() => parseS3Settings(env)).toThrow(reason)
})
