/**
 * The source files of a flow: what its design was read from, such as the code of another framework. They are kept byte
 * by byte with each version, so that what a person wrote there is not lost.
 */
import * as z from 'zod'

export const MAX_SOURCES = 100
/** Bytes of all source files of a version. */
export const MAX_SOURCE_BYTES = 4 * 1024 * 1024
const MAX_NAME = 200
/** Characters of base64 that source files take in a request body, with their names. */
export const MAX_SOURCE_CHARS = Math.ceil(MAX_SOURCE_BYTES / 3) * 4 + MAX_SOURCES * (MAX_NAME * 4 + 100)

const MEGABYTES = MAX_SOURCE_BYTES / 1024 / 1024

/** A path inside the design: `agents/root.yaml`. */
const nameSchema = z
  .string()
  .min(1)
  .max(MAX_NAME)
  .refine(isRelativePath, 'This must be a relative path, such as agents/root.yaml')

/** True for a path that stays in its folder and has no control characters. */
export function isRelativePath(name: string): boolean {
  const isPlain = !/[\\\p{Cc}]/u.test(name) && name.isWellFormed()
  return isPlain && name.split('/').every((part) => !['', '.', '..'].includes(part.trim()))
}

const dataSchema = z
  .string()
  .max(MAX_SOURCE_CHARS, `Source files may have at most ${MEGABYTES} MB in total`)
  .refine((data) => data.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(data), 'This is not base64')
  .describe('The bytes as base64')

const sourceFileSchema = z.object({ name: nameSchema, data: dataSchema })

export const sourceFilesSchema = z
  .array(sourceFileSchema)
  .max(MAX_SOURCES, `A flow may have at most ${MAX_SOURCES} source files`)
  .superRefine((files, context) => {
    const names = new Set<string>()
    for (const [index, { name }] of files.entries()) {
      if (names.has(name)) {
        context.addIssue({ code: 'custom', path: [index, 'name'], message: `Two source files are called ${name}` })
      }
      names.add(name)
    }
    if (files.reduce((sum, { data }) => sum + sizeOfBase64(data), 0) > MAX_SOURCE_BYTES) {
      context.addIssue({ code: 'custom', message: `Source files may have at most ${MEGABYTES} MB in total` })
    }
  })

function sizeOfBase64(data: string): number {
  const padding = data.endsWith('==') ? 2 : data.endsWith('=') ? 1 : 0
  return (data.length / 4) * 3 - padding
}

/** A source file without its bytes. */
export const sourceHeadSchema = z
  .object({ name: z.string(), size: z.int().describe('Bytes'), digest: z.string().describe('SHA-256, in hexadecimal') })
  .meta({ id: 'FlowSource' })
export type SourceHead = z.infer<typeof sourceHeadSchema>

export type SourceFile = z.infer<typeof sourceFileSchema>

export const storedSourceFileSchema = sourceFileSchema.extend({
  data: dataSchema.nullable().describe('The bytes as base64; null when they are lost'),
})
export type StoredSourceFile = z.infer<typeof storedSourceFileSchema>
