/** The objects of an S3 bucket. An object is read again when its ETag has changed. */
import { additionalParam, connectCredential } from '#contract/flow/params/builders.ts'
import { text } from '../../inputs/component-config.ts'
import { awsApi } from '../../providers/credentials.ts'
import type { LoaderType } from '../types.ts'
import { metadataParams } from './metadata.ts'
import { bucketParams, listObjects, readObject, serverParam } from './services/s3.ts'
import { loaderDefinition } from './stored-files.ts'

export const s3Directory: LoaderType = {
  definition: loaderDefinition('Apps and storage', {
    label: 'S3 Directory',
    name: 's3Directory',
    version: 4,
    description: 'Reads the files in an S3 bucket',
    credential: connectCredential(awsApi, { optional: true, description: 'Not needed for public buckets' }),
    inputs: [
      ...bucketParams,
      serverParam,
      additionalParam('Prefix', 'prefix', {
        description: 'Reads only objects with this key prefix',
        placeholder: 'docs/',
      }),
      ...metadataParams,
    ],
  }),
  credential: awsApi,
  list: (context, cursor) => listObjects(context, text(context.config, 'prefix') ?? '', cursor),
  read: (context, { key }) => readObject(context, key),
  describeSource: (config) => `${text(config, 'bucketName') ?? ''}/${text(config, 'prefix') ?? ''}`,
}
