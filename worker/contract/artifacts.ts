/** What steps make beside their words, for people to look at. */
import type { Artifact } from './events.ts'

export type { Artifact }

/** A file by its `data:` address. */
export const fileArtifact = (address: string): Artifact => ({
  type: /^data:[^/]*\/([a-z0-9]*)/.exec(address)?.[1] || 'file',
  data: address,
})

/** Whether it can be shown as a picture: in an image element nothing in it runs. */
export const isPicture = ({ data }: Artifact): boolean =>
  /^data:image\/(png|jpe?g|gif|webp|avif|svg\+xml);base64,/.test(data)

/** The artifacts in a stored value; what is none is left out. */
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
