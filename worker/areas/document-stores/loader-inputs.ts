/** Files that came as text among a loader's inputs. */
import { type SentInput, sentInputs } from '#contract/document-stores/file-inputs.ts'
import { HeddleError } from '#contract/errors.ts'
import { bytesOfInput } from '../../knowledge/sent-bytes.ts'
import { findDefinition } from './components.ts'

interface FileInput {
  /** The field of the request, for errors: `loaderConfig.pdfFile`. */
  field: string
  name: string
  /** Those that came with the request; none when the input names stored files. */
  files: { name: string; bytes: Uint8Array }[]
}

const MAX_INPUT_FILES = 100

/** Returns the file inputs of a loader. Throws `bad_request` for a file that is not base64. */
export function decodeInputs(loaderId: string, config: Record<string, unknown>): FileInput[] {
  const inputs = findDefinition('loaders', loaderId)?.inputs ?? []
  return inputs
    .filter(({ type }) => type === 'file')
    .map(({ name }) => {
      const field = `loaderConfig.${name}`
      const sent = sentInputs(config[name]) ?? []
      if (sent.length > MAX_INPUT_FILES) throw refusal(field, `Send at most ${MAX_INPUT_FILES} files at once`)
      return { field, name, files: sent.map((file) => decoded(file, field)) }
    })
}

function decoded(file: SentInput | undefined, field: string) {
  const bytes = bytesOfInput(file)
  if (!file || !bytes) throw refusal(field, 'Send each file as data:<type>;base64,<bytes>,filename:<name>')
  return { name: file.name, bytes }
}

const refusal = (field: string, message: string) => new HeddleError('bad_request', `${field}: ${message}`, { field })
