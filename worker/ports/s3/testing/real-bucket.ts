/** For tests: a bucket of a real server such as Garage or MinIO, which `TEST_S3_ENDPOINT`, `TEST_S3_BUCKET` and so on name. */
import { parseS3Settings, S3_NAMES, type S3Settings } from '../settings.ts'

export const realBucket: S3Settings | undefined = parseS3Settings(
  Object.fromEntries(S3_NAMES.map((name) => [name, process.env[`TEST_${name}`] ?? ''])),
)
