/** The files of a GitHub repository. A file is read again when its blob has changed. */
import { additionalParam, connectCredential } from '#contract/flow/params/builders.ts'
import { isOn, text } from '../../inputs/component-config.ts'
import { type LoaderContext, type LoaderType, type SourceItem, UnreadableError } from '../types.ts'
import { metadataParams } from './metadata.ts'
import { githubApi } from './services/credentials.ts'
import { matchesGlob, readGlobs } from './services/globs.ts'
import { askFor, bodyBytes, FILE_BYTES, needJson, readFetchedFile } from './services/requests.ts'
import { loaderDefinition } from './stored-files.ts'
import { isMedia } from './web/media.ts'

const SERVICE = 'GitHub'
/** Folders that are asked for one by one, where a repository is too large to be listed at once. */
const FOLDERS_PER_PART = 10
const MAX_FOLDERS = 2000

export const github: LoaderType = {
  definition: loaderDefinition('Apps and storage', {
    label: 'Github',
    name: 'github',
    version: 3,
    description: 'Reads the files in a GitHub repository',
    credential: connectCredential(githubApi, {
      optional: true,
      description: 'Required for private repositories. Without it, GitHub allows 60 requests per hour',
    }),
    inputs: [
      {
        label: 'Repository link',
        name: 'repoLink',
        type: 'string',
        placeholder: 'https://github.com/owner/repository',
      },
      { label: 'Branch', name: 'branch', type: 'string', default: 'main' },
      { label: 'Recursive', name: 'recursive', type: 'boolean', optional: true, description: 'Includes subfolders' },
      additionalParam('GitHub base URL', 'githubBaseUrl', {
        description: 'For GitHub Enterprise',
        placeholder: 'https://git.example.com',
      }),
      additionalParam('GitHub instance API', 'githubInstanceApi', {
        description: 'For GitHub Enterprise with a separate API URL',
        placeholder: 'https://git.example.com/api/v3',
      }),
      additionalParam('Ignore paths', 'ignorePath', {
        rows: 4,
        description: 'Files and folders to ignore, as in .gitignore, separated by commas',
        placeholder: '["*.lock", "dist/", "docs/**/old"]',
      }),
      ...metadataParams,
    ],
  }),
  credential: githubApi,
  list: listFiles,
  async read(context, { key, name, data }) {
    const { api, owner, repository, branch, page } = parseRepository(context.config)
    const url = `${api}/repos/${owner}/${repository}/git/blobs/${encodeURIComponent(String(data?.sha))}`
    const headers = { ...headersOf(context), accept: 'application/vnd.github.raw+json' }
    const response = await askFor({ service: SERVICE, url, headers, maxBytes: FILE_BYTES }, context)
    if (!response) return undefined
    const bytes = await bodyBytes(SERVICE, response)
    if (isProgram(bytes, name)) return undefined
    const metadata = { source: key, repository: page, branch, url: `${page}/blob/${branch}/${key}` }
    return readFetchedFile(bytes, { name }, { metadata, config: context.config })
  },
  describeSource: (config) => text(config, 'repoLink') ?? '',
}

interface Tree {
  tree?: { path: string; mode?: string; type: string; sha: string; size?: number }[]
  truncated?: boolean
}

/** Folders that are still to be listed, by path and SHA. */
interface FolderWalk {
  waiting: [path: string, sha: string][]
  folders: number
}

async function listFiles(context: LoaderContext, cursor?: string) {
  const { branch } = parseRepository(context.config)
  const isRecursive = isOn(context.config, 'recursive')
  if (cursor === undefined) {
    const whole = await fetchTree(branch, context, isRecursive)
    if (!whole.truncated) return { items: toItems(whole, '', context) }
    if (!isRecursive) throw tooLarge()
    return listFolder({ waiting: [['', branch]], folders: 1 }, context)
  }
  return listFolder(JSON.parse(cursor) as FolderWalk, context)
}

async function listFolder({ waiting, folders }: FolderWalk, context: LoaderContext) {
  const items: SourceItem[] = []
  let count = folders
  for (const [path, sha] of waiting.splice(0, FOLDERS_PER_PART)) {
    const tree = await fetchTree(sha, context, false)
    items.push(...toItems(tree, path, context))
    const ignored = readGlobs(text(context.config, 'ignorePath') ?? '')
    for (const entry of tree.tree ?? []) {
      const folder = `${path}${entry.path}`
      if (entry.type !== 'tree' || ignored.some((pattern) => matchesGlob(folder, pattern))) continue
      waiting.push([`${folder}/`, entry.sha])
      count += 1
    }
    if (tree.truncated || count > MAX_FOLDERS) throw tooLarge()
  }
  return waiting.length === 0 ? { items } : { items, cursor: JSON.stringify({ waiting, folders: count }) }
}

const tooLarge = () =>
  new UnreadableError(
    `GitHub cuts the list of this repository, because it is too large. Add folders to “Ignore paths” until at most ${MAX_FOLDERS} are left.`,
  )

function fetchTree(sha: string, context: LoaderContext, isRecursive: boolean): Promise<Tree> {
  const { api, owner, repository, branch } = parseRepository(context.config)
  const url = `${api}/repos/${owner}/${repository}/git/trees/${encodeURIComponent(sha)}${isRecursive ? '?recursive=1' : ''}`
  return needJson<Tree>(
    { service: SERVICE, url, headers: headersOf(context), maxBytes: FILE_BYTES },
    context,
    `GitHub knows no branch ${branch} of ${owner}/${repository}. Check the link and the branch; a private repository needs a credential.`,
  )
}

function toItems({ tree = [] }: Tree, folder: string, { config, maxItems }: LoaderContext): SourceItem[] {
  const ignored = readGlobs(text(config, 'ignorePath') ?? '')
  const items: SourceItem[] = []
  for (const { path, mode, type, sha, size } of tree) {
    const key = `${folder}${path}`
    // A symbolic link is a blob whose text is a path.
    if (type !== 'blob' || mode === '120000' || size === 0 || isMedia(key)) continue
    if (ignored.some((pattern) => matchesGlob(key, pattern))) continue
    items.push({ key, name: key, version: sha, size, data: { sha } })
    if (items.length === maxItems) break
  }
  return items
}

const DOCUMENT = /\.(pdf|docx|pptx|xlsx|xlsm|odt|ods|odp|epub)$/i

/** Text has no zero bytes. */
const isProgram = (bytes: Uint8Array, name: string) => !DOCUMENT.test(name) && bytes.subarray(0, 8000).includes(0)

const NAME = /^[\w.-]{1,100}$/

function parseRepository(config: Record<string, unknown>) {
  const link = text(config, 'repoLink') ?? ''
  const url = URL.parse(link)
  const [owner = '', name = ''] = url?.pathname.split('/').filter(Boolean) ?? []
  const repository = name.endsWith('.git') ? name.slice(0, -4) : name
  if (!url || ![owner, repository].every((part) => NAME.test(part) && !/^\.+$/.test(part)))
    throw new UnreadableError(
      `“${link.slice(0, 200)}” is no repository. Use a link like https://github.com/owner/repository`,
    )
  const base = withoutSlash(text(config, 'githubBaseUrl') ?? url.origin)
  const own = base === 'https://github.com' ? 'https://api.github.com' : `${base}/api/v3`
  const api = withoutSlash(text(config, 'githubInstanceApi') ?? own)
  const branch = text(config, 'branch') ?? 'main'
  return { api, owner, repository, branch, page: `${base}/${owner}/${repository}` }
}

const withoutSlash = (address: string) => (address.endsWith('/') ? address.slice(0, -1) : address)

function headersOf({ credential }: LoaderContext): Record<string, string> {
  const token = text(credential, 'accessToken')
  const headers = { accept: 'application/vnd.github+json', 'x-github-api-version': '2022-11-28' }
  return token ? { ...headers, authorization: `Bearer ${token}` } : headers
}
