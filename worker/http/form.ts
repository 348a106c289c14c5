/** Reads multipart bodies. A route names the fields that it takes. */
import type { Context } from 'hono'
import { HeddleError } from '#contract/errors.ts'
import { badField, parseReadable } from './bad-field.ts'
import type { AppEnv, Multipart, Received } from './route.ts'

/** Far above what any route takes, whose own limits say what is too much of what. */
const MAX_PARTS = 1000

/** Throws `bad_request` that names the field. */
export async function readForm(c: Context<AppEnv>, multipart: Multipart): Promise<Received> {
  const form = await parseForm(c)
  return readFields(form, multipart)
}

/** Counts the parts while the body arrives: each costs far more than its bytes. */
async function parseForm(c: Context<AppEnv>): Promise<FormData> {
  const type = c.req.header('content-type') ?? ''
  const [, quoted, plain] = /;\s*boundary=(?:"([^"]+)"|([^\s;]+))/i.exec(type) ?? []
  const parts = countParts(`--${quoted ?? plain ?? ''}`)
  const body = c.req.raw.body?.pipeThrough(parts.stream)
  try {
    return await new Response(body, { headers: { 'content-type': type } }).formData()
  } catch {
    throw new HeddleError(
      'bad_request',
      parts.isTooMany() ? `Send at most ${MAX_PARTS} fields and files` : 'The body is not valid multipart/form-data',
    )
  }
}

/** A stream that fails with the first delimiter above the limit. */
function countParts(delimiter: string) {
  const wanted = Buffer.from(delimiter)
  let count = 0
  let end = Buffer.alloc(0)
  const stream = new TransformStream<Uint8Array, Uint8Array>({
    transform(bytes, controller) {
      // A delimiter may lie across two pieces.
      const seen = Buffer.concat([end, bytes])
      for (let at = seen.indexOf(wanted); at !== -1; at = seen.indexOf(wanted, at + wanted.length)) count += 1
      end = seen.subarray(Math.max(0, seen.length - wanted.length + 1))
      // The last one ends the body.
      if (count > MAX_PARTS + 1) throw new Error('too many parts')
      controller.enqueue(bytes)
    },
  })
  return { stream, isTooMany: () => count > MAX_PARTS + 1 }
}

function readFields(form: FormData, { files, text, json = [], toBody }: Multipart): Received {
  const fields: Record<string, unknown> = {}
  const sent: File[] = []
  for (const [name, value] of form) {
    if (typeof value !== 'string') sent.push(checkFile(name, value, files))
    else if (name === files.field) throw badField(name, 'Send a file with a name')
    else if (Object.hasOwn(fields, name)) throw badField(name, 'Send this field only once')
    else if (text.includes(name)) fields[name] = checkText(name, value)
    else if (json.includes(name)) fields[name] = jsonOf(name, value)
    else throw badField(name, 'This field is not known')
    if (sent.length > files.max) throw badField(files.field, `Send at most ${files.max} files`)
  }
  return { body: toBody ? toBody(fields) : fields, files: sent }
}

function checkFile(name: string, file: File, { field }: Multipart['files']): File {
  if (name === field) return file
  throw badField(name, `Send files in the field "${field}"`)
}

function checkText(name: string, text: string): string {
  if (text.includes('\0')) throw badField(name, 'This contains a NUL character')
  return text
}

const jsonOf = (name: string, text: string): unknown =>
  text.trim() === '' ? undefined : parseReadable(text, { field: name })
