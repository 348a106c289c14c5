/** One object of an S3 bucket. */
import { connectCredential } from '#contract/flow/params/builders.ts'
import { text } from '../../inputs/component-config.ts'
import { awsApi } from '../../providers/credentials.ts'
import { type LoaderType, UnreadableError } from '../types.ts'
import { metadataParams } from './metadata.ts'
import { bucketParams, readObject, serverParam } from './services/s3.ts'
import { loaderDefinition } from './stored-files.ts'

export const s3File: LoaderType = {
  definition: loaderDefinition('Apps and storage', {
    label: 'S3',
    name: 'S3',
    version: 5,
    description: 'Reads one file from an S3 bucket',
    credential: connectCredential(awsApi, { optional: true, description: 'Not needed for public buckets' }),
    inputs: [
      ...bucketParams.slice(0, 1),
      { label: 'Object key', name: 'keyName', type: 'string', placeholder: 'docs/guide.pdf' },
      ...bucketParams.slice(1),
      serverParam,
      ...metadataParams,
    ],
  }),
  credential: awsApi,
  async list({ config }) {
    const key = text(config, 'keyName')
    if (key === undefined) throw new UnreadableError('Enter the key of the object, such as docs/guide.pdf')
    return { items: [{ key, name: key }] }
  },
  read: (context, { key }) => readObject(context, key),
  describeSource: (config) => `${text(config, 'bucketName') ?? ''}/${text(config, 'keyName') ?? ''}`,
}
