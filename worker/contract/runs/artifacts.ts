/** Artifacts of steps: files, images and Markdown beside the text. */
import type { Artifact } from './events.ts'

export type { Artifact }

/** Converts a `data:` URL to an artifact. */
export const fileArtifact = (address: string): Artifact => ({
  type: /^data:[^/]*\/([a-z0-9]*)/.exec(address)?.[1] || 'file',
  data: address,
})

/** True when the artifact can be shown in an image element, where no script runs. */
export const isPicture = ({ data }: Artifact): boolean =>
  /^data:image\/(png|jpe?g|gif|webp|avif|svg\+xml);base64,/.test(data)

/** Returns the artifacts in a stored value, leaving out everything else. */
export function artifactsIn(value: unknown): Artifact[] {
  return Array.isArray(value) ? value.filter(isArtifact) : []
}

const isArtifact = (value: unknown): value is Artifact =>
  typeof value === 'object' &&
  value !== null &&
  'type' in value &&
  'data' in value &&
  typeof value.type === 'string' &&
  typeof value.data === 'string'
