/** Reads attached files in the browser, in the format of the prediction API. */
import { formatFileSize } from '#contract/data/format.ts'
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
} from '#contract/predictions/uploads.ts'

export interface Attachment {
  id: string
  size: number
  upload: Upload
}

/** File types that the flow supports besides text. */
export interface UploadSupport {
  images: boolean
  sound: boolean
  /** Returns the text of any other file. Rejects when it cannot be read. Absent: other files are refused. */
  readText?(file: File): Promise<string>
}

/** Reads a file for upload. Throws an error with a user-facing message when it can't be sent with `others`. */
export async function readAttachment(
  file: File,
  { supports, others }: { supports: UploadSupport; others: readonly Attachment[] },
): Promise<Attachment> {
  const size = others.reduce((sum, each) => sum + each.size, file.size)
  if (others.length >= MAX_UPLOADS) throw new Error(`You can send up to ${MAX_UPLOADS} files with one question.`)
  if (size > MAX_UPLOAD_BYTES) throw tooLarge(file, `the limit for all files is ${formatFileSize(MAX_UPLOAD_BYTES)}`)
  return { id: crypto.randomUUID(), size: file.size, upload: await readUpload(file, supports) }
}

async function readUpload(file: File, supports: UploadSupport): Promise<Upload> {
  const { name } = file
  const mime = plainMime(file.type)
  if (isImage(mime)) {
    if (!supports.images)
      throw new Error(`${name}: this flow doesn’t accept images. Turn on Allow image uploads in a model.`)
    if (file.size > MAX_IMAGE_BYTES) throw tooLarge(file, `the limit for images is ${formatFileSize(MAX_IMAGE_BYTES)}`)
    return { type: 'file', name, mime, data: await dataUrl(file) }
  }
  if (/^(audio|video)\//.test(mime) && supports.sound) return { type: 'audio', name, mime, data: await dataUrl(file) }
  const isText = isTextFile({ name, mime })
  const text = isText ? textOfBytes(new Uint8Array(await file.arrayBuffer())).text : await supports.readText?.(file)
  if (text === undefined) {
    const kinds = [supports.images && 'images', supports.sound && 'audio', TEXT_KINDS].filter(Boolean).join(', ')
    throw new Error(`${name}: unsupported file type. This flow accepts ${kinds}.`)
  }
  if (text.trim() === '') throw new Error(`${name} is empty.`)
  if (text.length > MAX_UPLOAD_CHARACTERS)
    throw tooLarge(file, `the limit for text is ${formatFileSize(MAX_UPLOAD_CHARACTERS)}`)
  return { type: 'file:full', name, mime: mime || 'text/plain', data: text }
}

const tooLarge = ({ name }: File, rule: string) => new Error(`${name} is too large: ${rule}.`)

function dataUrl(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result))
    reader.onerror = () => reject(new Error(`Couldn’t read ${file.name}.`))
    reader.readAsDataURL(file)
  })
}
