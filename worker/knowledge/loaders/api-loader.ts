/** What an address answers: JSON, text or a file. */
import { headers, text } from '../../inputs/component-config.ts'
import { type LoaderType, UnreadableError } from '../types.ts'
import { metadataParams } from './metadata.ts'
import { askFor, bodyBytes, FILE_BYTES, readFetchedFile } from './services/requests.ts'
import { loaderDefinition } from './stored-files.ts'

export const apiLoader: LoaderType = {
  definition: loaderDefinition('Web', {
    label: 'API Loader',
    name: 'apiLoader',
    version: 2,
    description: 'Reads the response of an API: JSON, text or a file',
    inputs: [
      {
        label: 'Method',
        name: 'method',
        type: 'options',
        options: [
          { label: 'GET', name: 'GET' },
          { label: 'POST', name: 'POST' },
        ],
        default: 'GET',
      },
      { label: 'URL', name: 'url', type: 'string', placeholder: 'https://api.example.com/articles' },
      { label: 'Headers', name: 'headers', type: 'json', optional: true, additionalParams: true },
      {
        label: 'Body',
        name: 'body',
        type: 'json',
        optional: true,
        additionalParams: true,
        show: { method: ['POST'] },
      },
      ...metadataParams,
    ],
  }),
  async list({ config }) {
    const key = requireAddress(config)
    return { items: [{ key, name: new URL(key).host }] }
  },
  async read(context) {
    const { config } = context
    const url = requireAddress(config)
    const service = new URL(url).host
    const isPost = text(config, 'method') === 'POST'
    const body =
      typeof config.body === 'object' && config.body !== null ? JSON.stringify(config.body) : text(config, 'body')
    const response = await askFor(
      {
        ...{ service, url, method: isPost ? 'POST' : 'GET', maxBytes: FILE_BYTES },
        headers: {
          accept: 'application/json, */*',
          ...(isPost && { 'content-type': 'application/json' }),
          ...headers(config, 'headers'),
        },
        ...(isPost && { body: body ?? '{}' }),
      },
      context,
    )
    if (!response) throw new UnreadableError(`${service} has nothing at this address (404). Check the URL.`)
    const mime = response.headers.get('content-type') ?? ''
    const bytes = await bodyBytes(service, response)
    const name = /[/+]json/.test(mime) ? 'answer.json' : 'answer'
    return readFetchedFile(bytes, { name, mime }, { metadata: { source: url }, config })
  },
  describeSource: (config) => text(config, 'url') ?? '',
}

function requireAddress(config: Record<string, unknown>): string {
  const url = text(config, 'url') ?? ''
  const parsed = URL.parse(url)
  if (parsed && /^https?:$/.test(parsed.protocol)) return parsed.href
  throw new UnreadableError(`“${url.slice(0, 200)}” is not an address. Use one like https://api.example.com/articles`)
}
