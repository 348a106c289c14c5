/** The files of a prediction call. All are checked before any is stored. */
import { HeddleError } from '#contract/errors.ts'
import type { Prediction } from '#contract/predictions/predictions.ts'
import {
  AUDIO_TYPES,
  cleanName,
  IMAGE_TYPES,
  isAudio,
  isImage,
  isTextFile,
  MAX_IMAGE_BYTES,
  MAX_UPLOAD_BYTES,
  MAX_UPLOAD_CHARACTERS,
  MAX_UPLOADS,
  plainMime,
  type StoredUpload,
  sniffMedia,
  TEXT_KINDS,
  textOfBytes,
  type Upload,
} from '#contract/predictions/uploads.ts'
import type { Egress } from '../../ports/types.ts'
import type { RunContext } from '../../runs/context/run-context.ts'
import type { Services } from '../../services.ts'
import { findFile, storeFiles } from '../files/index.ts'
import { transcriber } from '../speech/index.ts'
import { type AcceptedUploads, acceptedUploads, isSound, mayBeSound, uploadRefusal } from './accepted-uploads.ts'

/** A file that was read, checked, and accepted for this flow. */
interface ReceivedFile {
  name: string
  mime: string
  bytes: Uint8Array
  isText: boolean
  /** Set for a file that an earlier question of this chat stored. */
  id?: string
}

interface ReceivedUploads {
  files: ReceivedFile[]
  /** Transcripts of the sound files. */
  spoken: string[]
}

interface KeptUploads {
  uploads: StoredUpload[]
  /** Bytes by file id, so that the run need not read them again. */
  fresh: Map<string, Uint8Array>
}

interface SentFile {
  /** As errors name it: `uploads.0 (photo.png)`. */
  label: string
  field: string
  declared: Pick<Upload, 'name' | 'mime'> & { type?: Upload['type'] }
  read(): Promise<Omit<ReceivedFile, 'isText' | 'mime'> & { mime: string | null | undefined }>
}

interface Receiving {
  body: Prediction
  files: File[]
  runContext: RunContext
  chatId: string
  /** True for callers who are neither members nor have a key. */
  isAnonymous: boolean
}

/** Throws `bad_request` that names the upload, before anything is read that the flow does not take. Stores nothing. */
export async function receiveUploads(
  services: Services,
  { body, files, runContext, chatId, isAnonymous }: Receiving,
): Promise<ReceivedUploads> {
  const chat = { flowId: runContext.flow.id, chatId }
  const { egress } = services.openOutside()
  const sent: SentFile[] = [
    ...(body.uploads ?? []).map((upload, index) => sentUpload(upload, index, { services, egress, chat })),
    ...files.map(sentFile),
  ]
  if (sent.length > MAX_UPLOADS) throw refusal('uploads', `Send at most ${MAX_UPLOADS} files`)
  if (files.length > 0 && body.humanInput) throw refusal('files', 'Files cannot be sent with an answer')
  const hears = sent.some(({ declared }) => mayBeSound(declared))
  const transcribe = hears ? await transcriber(services, runContext) : undefined
  const accepted = acceptedUploads(runContext, { isAnonymous, speech: transcribe !== undefined })
  for (const file of sent) assertTaken(accepted, file, file.declared)
  const received: ReceivedFile[] = []
  for (const each of sent) {
    received.push(checked(each, await each.read(), accepted))
    assertWithinLimits(received)
  }
  const spoken: string[] = []
  for (const [index, file] of received.entries()) {
    if (transcribe && isAudio(file.mime)) spoken.push(await transcribe(file, (sent[index] as SentFile).label))
  }
  return { files: received, spoken }
}

function assertTaken(accepted: AcceptedUploads, { field, label }: SentFile, declared: SentFile['declared']): void {
  const why = uploadRefusal(accepted, declared)
  if (why) throw refusal(field, `${label}: ${why}`)
}

/** Throws for sound of a type that the flow's models do not hear. */
function assertHeard({ audio, speech }: AcceptedUploads, { field, label }: SentFile, mime: string): void {
  if (speech || audio.includes(mime)) return
  throw refusal(field, `${label}: The models of this flow accept ${audio.join(' and ')} only. Send one of these`)
}

/** Stores the files that are not stored yet. */
export async function keepUploads(
  services: Services,
  runContext: RunContext,
  { chatId, files, isAnonymous }: { chatId: string; files: ReceivedFile[]; isAnonymous: boolean },
): Promise<KeptUploads> {
  const added = files.filter(({ id }) => id === undefined)
  const rows = await storeFiles(services, runContext.flow, {
    chat: { flowId: runContext.flow.id, chatId },
    ...{ added, isAnonymous },
  })
  const stored = new Map(added.map((file, index) => [file, rows[index]]))
  const uploads = files.map((file): StoredUpload => {
    const { id = file.id as string, name = file.name } = stored.get(file) ?? {}
    return { type: file.isText ? 'stored-file:full' : 'stored-file', name, mime: file.mime, id }
  })
  return { uploads, fresh: new Map(uploads.map(({ id }, index) => [id, (files[index] as ReceivedFile).bytes])) }
}

interface Reach {
  services: Services
  egress: Egress
  chat: { flowId: string; chatId: string }
}

function sentUpload(upload: Upload, index: number, { services, egress, chat }: Reach): SentFile {
  const field = `uploads.${index}`
  const name = cleanName(upload.name)
  const label = `${field} (${name})`
  return {
    field,
    label,
    declared: upload,
    async read() {
      const { type, mime } = upload
      const data = upload.data ?? ''
      if (type === 'file:rag') {
        throw refusal(field, `${label}: This flow puts no files into a document store. Send the text as "file:full"`)
      }
      if (type === 'stored-file') {
        const file = await findFile(services, { ...chat, name: upload.name })
        if (!file) throw refusal(field, `${label}: This chat has no such file`)
        return file
      }
      if (type === 'url') return { name, ...(await fetched(data, { egress, label, field })) }
      if (data.startsWith('data:')) {
        const decoded = decodeDataUrl(data)
        if (!decoded) throw refusal(field, `${label}: "data" is not a base64 data: address`)
        return { name, mime: mime || decoded.mime, bytes: decoded.bytes }
      }
      if (type !== 'file:full') throw refusal(field, `${label}: "data" must be a data: address`)
      return { name, mime: 'text/plain', bytes: new TextEncoder().encode(data) }
    },
  }
}

function sentFile(file: File, index: number): SentFile {
  const field = `files.${index}`
  const name = cleanName(file.name)
  return {
    field,
    label: `${field} (${name})`,
    declared: { name, mime: file.type },
    read: async () => ({ name, mime: file.type, bytes: new Uint8Array(await file.arrayBuffer()) }),
  }
}

const URL_TIMEOUT_MS = 10_000

/** Fetches the file through egress, which checks every hop; models never fetch it themselves. */
async function fetched(address: string, { egress, label, field }: { egress: Egress; label: string; field: string }) {
  if (!/^https?:\/\//i.test(address)) throw refusal(field, `${label}: "data" must be an http(s) address`)
  try {
    const limits = { timeoutMs: URL_TIMEOUT_MS, maxBytes: MAX_IMAGE_BYTES }
    const response = await egress.fetch(address, { headers: { accept: 'image/*' } }, limits)
    if (!response.ok) throw new Error(`it answered ${response.status}`)
    return { mime: response.headers.get('content-type'), bytes: new Uint8Array(await response.arrayBuffer()) }
  } catch (error) {
    throw refusal(field, `${label}: The address could not be read: ${(error as Error).message}`)
  }
}

/** Checks the type, which the bytes tell, against the declared one and against what the flow accepts. */
function checked(
  sent: SentFile,
  { name, mime, bytes, id }: Awaited<ReturnType<SentFile['read']>>,
  accepted: AcceptedUploads,
): ReceivedFile {
  const { field, label } = sent
  const refuse = (message: string) => refusal(field, `${label}: ${message}`)
  if (bytes.length === 0) throw refuse('This file is empty')
  if (isTextFile({ name, mime })) {
    assertTaken(accepted, sent, { name, mime })
    if (bytes.length > MAX_UPLOAD_CHARACTERS) throw tooMuchText()
    if (textOfBytes(bytes).problem) throw refuse('This is not UTF-8 text')
    return { name, mime: 'text/plain', bytes, isText: true, id }
  }
  const declared = plainMime(mime)
  const media = sniffMedia(bytes)
  if (media === undefined || !isOfKind(declared, isAudio(media))) {
    const types = [...IMAGE_TYPES, ...AUDIO_TYPES].join(', ')
    const what = media === undefined ? 'This is not a file that can be read here' : `This is ${media}, not ${declared}`
    throw refuse(`${what}. Send ${types}, or ${TEXT_KINDS}`)
  }
  if (isImage(media) && bytes.length > MAX_IMAGE_BYTES)
    throw refuse(`Images have at most ${inMegabytes(MAX_IMAGE_BYTES)}`)
  assertTaken(accepted, sent, { name, mime: media })
  if (isAudio(media)) assertHeard(accepted, sent, media)
  return { name, mime: media, bytes, isText: false, id }
}

function isOfKind(declared: string, isAudible: boolean): boolean {
  if (declared === '' || declared === 'application/octet-stream') return true
  return isAudible ? isSound(declared) : declared.startsWith('image/')
}

function assertWithinLimits(files: readonly ReceivedFile[]): void {
  const sum = (of: readonly ReceivedFile[]) => of.reduce((total, { bytes }) => total + bytes.length, 0)
  if (sum(files) > MAX_UPLOAD_BYTES) {
    throw refusal('uploads', `All files together have at most ${inMegabytes(MAX_UPLOAD_BYTES)}`)
  }
  if (sum(files.filter(({ isText }) => isText)) > MAX_UPLOAD_CHARACTERS) throw tooMuchText()
}

const tooMuchText = () =>
  refusal('uploads', `All text files together have at most ${inMegabytes(MAX_UPLOAD_CHARACTERS)}`)

/** Returns undefined when it is no base64 `data:` URL. */
function decodeDataUrl(address: string): { mime: string; bytes: Uint8Array } | undefined {
  const comma = address.indexOf(',')
  const head = address.slice('data:'.length, comma)
  if (comma < 0 || !head.endsWith(';base64')) return undefined
  try {
    const binary = atob(address.slice(comma + 1))
    const bytes = new Uint8Array(binary.length)
    for (let index = 0; index < binary.length; index++) bytes[index] = binary.charCodeAt(index)
    return { mime: head.slice(0, -';base64'.length), bytes }
  } catch {
    return undefined
  }
}

const inMegabytes = (bytes: number) => `${Math.round(bytes / 1024 / 1024)} MB`

const refusal = (field: string, message: string) => new HeddleError('bad_request', message, { field })
