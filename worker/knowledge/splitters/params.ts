/** The inputs that most splitters share. */
import { MAX_CHUNK_CHARS } from '#contract/document-stores/limits.ts'
import type { ComponentDefinition, InputParam } from '#contract/flow/params/definition.ts'
import { ConfigError, number } from '../../inputs/component-config.ts'

/** Longer overlaps repeat most of the text in each chunk. */
const MAX_OVERLAP = 0.9

export interface PieceSize {
  size: number
  overlap: number
}

export const sizeParams = (unit = 'characters'): InputParam[] => [
  {
    label: 'Chunk size',
    name: 'chunkSize',
    type: 'number',
    default: 1000,
    step: 1,
    optional: true,
    description: `Maximum ${unit} per chunk. Default: 1000`,
  },
  {
    label: 'Chunk overlap',
    name: 'chunkOverlap',
    type: 'number',
    default: 200,
    step: 1,
    optional: true,
    description: `Number of ${unit} repeated in the next chunk. Default: 200`,
  },
]

/** @throws ConfigError that names the field and says what it may be */
export function pieceSize(config: Record<string, unknown>, most = MAX_CHUNK_CHARS): PieceSize {
  const size = number(config, 'chunkSize') ?? 1000
  if (!Number.isInteger(size) || size < 1 || size > most)
    throw new ConfigError(`Chunk size must be a whole number from 1 to ${most}`)
  const overlap = number(config, 'chunkOverlap') ?? Math.min(200, Math.floor(size / 5))
  const longest = Math.floor(size * MAX_OVERLAP)
  if (!Number.isInteger(overlap) || overlap < 0 || overlap > longest)
    throw new ConfigError(`Chunk overlap must be a whole number from 0 to ${longest}, nine tenths of the chunk size`)
  return { size, overlap }
}

/** Adds the fields that all definitions of splitters share. */
export function splitterDefinition(
  parts: Pick<ComponentDefinition, 'label' | 'name' | 'version' | 'description' | 'inputs' | 'hint'> & {
    type: string
  },
): ComponentDefinition {
  return { ...parts, category: 'Text Splitters', baseClasses: [parts.type, 'TextSplitter'] }
}
