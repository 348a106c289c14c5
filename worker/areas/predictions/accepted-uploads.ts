/** What a flow takes from a caller. It is asked before a file is read, fetched or stored, and of its real type again. Pure. */
import { acceptedAudio, acceptsImages, isTextFile, plainMime, type Upload } from '#contract/predictions/uploads.ts'
import type { RunContext } from '../../runs/context/run-context.ts'

export interface AcceptedUploads {
  images: boolean
  texts: boolean
  /** Any sound, which becomes text before the run. */
  speech: boolean
  /** Media types of sound that the flow's models hear. */
  audio: readonly string[]
  /** Files that this server fetches from where the caller says. */
  addresses: boolean
}

/**
 * Members and callers with a key also send texts, and addresses to fetch. Others only where the flow's owner takes them.
 * @param speech true for a flow with speech to text
 */
export function acceptedUploads(
  { document, flow }: Pick<RunContext, 'document' | 'flow'>,
  { isAnonymous, speech }: { isAnonymous: boolean; speech: boolean },
): AcceptedUploads {
  const { status, fetchUrls } = flow.settings.fullFileUpload
  return {
    images: acceptsImages(document),
    texts: !isAnonymous || status,
    speech,
    audio: acceptedAudio(document),
    addresses: !isAnonymous || fetchUrls,
  }
}

type Declared = Pick<Upload, 'name' | 'mime'> & { type?: Upload['type'] }

/** Returns why a file is refused by what it declares, or undefined. */
export function uploadRefusal(accepted: AcceptedUploads, { type, name, mime }: Declared): string | undefined {
  if (type === 'url' && !accepted.addresses) return NO_ADDRESSES
  const media = plainMime(mime)
  if (type === 'file:full' || isTextFile({ name, mime: media })) return accepted.texts ? undefined : NO_TEXTS
  if (media.startsWith('image/')) return accepted.images ? undefined : NO_IMAGES
  if (isSound(media)) return soundRefusal(accepted)
  const takesAny = accepted.images || accepted.texts || accepted.speech || accepted.audio.length > 0
  return takesAny ? undefined : NO_FILES
}

/** True for what may turn out to be sound when it is read. */
export const mayBeSound = ({ type, mime }: Declared): boolean =>
  type !== 'file:full' &&
  (plainMime(mime) === '' || isSound(plainMime(mime)) || type === 'url' || type === 'stored-file')

/** Browsers give sound recordings the type of a video container. */
export const isSound = (media: string): boolean => /^(audio|video)\//.test(media)

const soundRefusal = ({ speech, audio }: AcceptedUploads) => (speech || audio.length > 0 ? undefined : NO_AUDIO)

const NO_ADDRESSES =
  'This flow fetches no files for callers without an API key. Send the file itself, or have its owner allow it under Share'
const NO_TEXTS =
  'This flow takes no files from callers without an API key. Its owner can switch on File uploads under Share'
const NO_IMAGES = 'No model of this flow takes images: switch on Allow image uploads in its settings'
const NO_AUDIO =
  'No model of this flow accepts audio: switch on Allow audio uploads in a Gemini or OpenAI model, or speech to text'
const NO_FILES = 'This flow takes no files'
