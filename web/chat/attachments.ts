/** Files that a person sends with a question: read in the browser, as the prediction call takes them. */
import { formatFileSize } from '#contract/format.ts'
import {
  isImage,
  isTextFile,
  MAX_IMAGE_BYTES,
  MAX_UPLOAD_BYTES,
  MAX_UPLOAD_CHARACTERS,
  MAX_UPLOADS,
  plainMime,
  TEXT_KINDS,
  textOfBytes,
  type Upload,
} from '#contract/uploads.ts'

export interface Attachment {
  id: string
  size: number
  upload: Upload
}

/** What a flow takes beside texts, which every flow takes. */
export interface Takes {
  images: boolean
  sound: boolean
}

/** Throws an Error for a person when the file cannot be sent beside those that are there. */
export async function readAttachment(
  file: File,
  { takes, beside }: { takes: Takes; beside: readonly Attachment[] },
): Promise<Attachment> {
  const size = beside.reduce((sum, each) => sum + each.size, file.size)
  if (beside.length >= MAX_UPLOADS) throw new Error(`At most ${MAX_UPLOADS} files can be sent with one question.`)
  if (size > MAX_UPLOAD_BYTES)
    throw tooLarge(file, `all files together have at most ${formatFileSize(MAX_UPLOAD_BYTES)}`)
  return { id: crypto.randomUUID(), size: file.size, upload: await uploadOf(file, takes) }
}

async function uploadOf(file: File, takes: Takes): Promise<Upload> {
  const { name } = file
  const mime = plainMime(file.type)
  if (isImage(mime)) {
    if (!takes.images) throw new Error(`${name}: This flow takes no images. Switch on Allow Image Uploads in a model.`)
    if (file.size > MAX_IMAGE_BYTES) throw tooLarge(file, `images have at most ${formatFileSize(MAX_IMAGE_BYTES)}`)
    return { type: 'file', name, mime, data: await dataUrl(file) }
  }
  if (/^(audio|video)\//.test(mime) && takes.sound) return { type: 'audio', name, mime, data: await dataUrl(file) }
  const text = isTextFile({ name, mime }) ? textOfBytes(new Uint8Array(await file.arrayBuffer())) : undefined
  if (text === undefined) {
    const kinds = [takes.images && 'images', takes.sound && 'sound', TEXT_KINDS].filter(Boolean).join(', ')
    throw new Error(`${name}: This kind of file cannot be sent. This flow takes ${kinds}.`)
  }
  if (text.trim() === '') throw new Error(`${name} is empty.`)
  if (text.length > MAX_UPLOAD_CHARACTERS)
    throw tooLarge(file, `texts have at most ${formatFileSize(MAX_UPLOAD_CHARACTERS)}`)
  return { type: 'file:full', name, mime: mime || 'text/plain', data: text }
}

const tooLarge = ({ name }: File, rule: string) => new Error(`${name} is too large: ${rule}.`)

function dataUrl(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result))
    reader.onerror = () => reject(new Error(`${file.name} could not be read.`))
    reader.readAsDataURL(file)
  })
}
