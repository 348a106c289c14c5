/** The files of a Google Drive folder. A file is read again when its checksum or its date has changed. */
import { connectCredential } from '#contract/flow/params/builders.ts'
import { isOn, number, text } from '../../inputs/component-config.ts'
import { googleDriveOAuth2 } from '../../providers/http-credentials.ts'
import { type LoaderContext, type LoaderType, type SourceItem, type SourcePart, UnreadableError } from '../types.ts'
import { metadataParams } from './metadata.ts'
import { askFor, bodyBytes, FILE_BYTES, needJson, readFetchedFile } from './services/requests.ts'
import { loaderDefinition } from './stored-files.ts'
import { isMedia } from './web/media.ts'

const SERVICE = 'Google Drive'
const API = 'https://www.googleapis.com/drive/v3/files'
const DEFAULT_FILES = 50
const MAX_FOLDERS = 1000
const GOOGLE = 'application/vnd.google-apps.'
const FOLDER = `${GOOGLE}folder`

/** What files of Google's own formats are read as. */
const EXPORTS: Record<string, { mime: string; extension: string }> = {
  [`${GOOGLE}document`]: { mime: 'text/markdown', extension: 'md' },
  [`${GOOGLE}spreadsheet`]: { mime: 'text/csv', extension: 'csv' },
  [`${GOOGLE}presentation`]: { mime: 'text/plain', extension: 'txt' },
}

export const googleDrive: LoaderType = {
  definition: loaderDefinition('Apps and storage', {
    label: 'Google Drive',
    name: 'googleDrive',
    version: 1,
    description: 'Reads the files in a Google Drive folder',
    hint: 'Reads only the first sheet of a spreadsheet.',
    credential: connectCredential(googleDriveOAuth2),
    inputs: [
      {
        label: 'Folder ID',
        name: 'folderId',
        type: 'string',
        placeholder: 'https://drive.google.com/drive/folders/1a2b3c',
        description: 'Link to the folder, or its ID',
      },
      { label: 'Include subfolders', name: 'includeSubfolders', type: 'boolean', default: false, optional: true },
      {
        label: 'Max files',
        name: 'maxFiles',
        type: 'number',
        default: DEFAULT_FILES,
        optional: true,
        description: 'Maximum number of files. 0 reads all',
      },
      ...metadataParams,
    ],
  }),
  credential: googleDriveOAuth2,
  list: listFolder,
  async read(context, { key, name, data }) {
    const type = String(data?.type)
    const exported = EXPORTS[type]
    const file = `${API}/${encodeURIComponent(key)}`
    const url = exported
      ? `${file}/export?mimeType=${encodeURIComponent(exported.mime)}`
      : `${file}?alt=media&supportsAllDrives=true`
    const response = await askFor(
      { service: SERVICE, url, headers: requireHeaders(context), maxBytes: FILE_BYTES },
      context,
    )
    if (!response) return undefined
    const bytes = await bodyBytes(SERVICE, response)
    const metadata = { source: data?.link ?? name, title: name, id: key }
    const read = exported ? { name: `${name}.${exported.extension}`, mime: exported.mime } : { name, mime: type }
    return readFetchedFile(bytes, read, { metadata, config: context.config })
  },
  describeSource: (config) => text(config, 'folderId') ?? '',
}

interface FileList {
  nextPageToken?: string
  files?: {
    id: string
    name: string
    mimeType: string
    size?: string
    md5Checksum?: string
    modifiedTime?: string
    webViewLink?: string
  }[]
}

interface FolderWalk {
  /** Folders still to be listed; the first one is being listed. */
  waiting: string[]
  /** The token of the first one's next page. */
  page?: string
  folders: string[]
  taken: number
}

async function listFolder(context: LoaderContext, cursor?: string): Promise<SourcePart> {
  const { config, maxItems } = context
  const limit = Math.min((number(config, 'maxFiles') ?? DEFAULT_FILES) || maxItems, maxItems)
  const root = requireFolder(config)
  const walk: FolderWalk = cursor === undefined ? { waiting: [root], folders: [root], taken: 0 } : JSON.parse(cursor)
  const [folder] = walk.waiting
  if (folder === undefined) return { items: [] }
  const { files = [], nextPageToken } = await askForFiles(folder, walk.page, context)
  const items: SourceItem[] = []
  for (const file of files) {
    if (file.mimeType === FOLDER && isOn(config, 'includeSubfolders')) addFolder(walk, file.id)
    const isRead = file.mimeType in EXPORTS || !(file.mimeType.startsWith(GOOGLE) || isMedia(file.name))
    if (isRead && walk.taken < limit) {
      items.push(itemOf(file))
      walk.taken += 1
    }
  }
  if (nextPageToken === undefined) walk.waiting.shift()
  const isOver = walk.waiting.length === 0 || walk.taken >= limit
  return isOver ? { items } : { items, cursor: JSON.stringify({ ...walk, page: nextPageToken }) }
}

/** Each folder is listed once, wherever it stands. */
function addFolder(walk: FolderWalk, id: string): void {
  if (walk.folders.includes(id) || walk.folders.length >= MAX_FOLDERS || !ID.test(id)) return
  walk.folders.push(id)
  walk.waiting.push(id)
}

type DriveFile = NonNullable<FileList['files']>[number]

const itemOf = ({ id, name, mimeType, size, md5Checksum, modifiedTime, webViewLink }: DriveFile): SourceItem => ({
  ...{ key: id, name, mime: mimeType, version: md5Checksum ?? modifiedTime },
  ...(size !== undefined && { size: Number(size) }),
  data: { type: mimeType, ...(webViewLink && { link: webViewLink }) },
})

function askForFiles(folder: string, pageToken: string | undefined, context: LoaderContext): Promise<FileList> {
  const query = new URLSearchParams({
    q: `'${folder}' in parents and trashed = false`,
    fields: 'nextPageToken,files(id,name,mimeType,size,md5Checksum,modifiedTime,webViewLink)',
    ...{ pageSize: '200', supportsAllDrives: 'true', includeItemsFromAllDrives: 'true', orderBy: 'name' },
    ...(pageToken !== undefined && { pageToken }),
  })
  return needJson<FileList>(
    { service: SERVICE, url: `${API}?${query}`, headers: requireHeaders(context) },
    context,
    'Google Drive knows no such folder. Check its link, and that the connected account may open it.',
  )
}

/** It becomes part of a query. */
const ID = /^[\w-]{1,200}$/

function requireFolder(config: Record<string, unknown>): string {
  const entered = text(config, 'folderId') ?? ''
  const path = URL.parse(entered)?.pathname ?? entered
  const id = path.slice(path.lastIndexOf('/') + 1)
  if (ID.test(id)) return id
  throw new UnreadableError('Enter the link of a folder, like https://drive.google.com/drive/folders/1a2b3c')
}

function requireHeaders({ credential }: LoaderContext): Record<string, string> {
  const token = text(credential, 'access_token')
  if (token === undefined) throw new UnreadableError('Google Drive: choose a credential')
  return { authorization: `Bearer ${token}` }
}
