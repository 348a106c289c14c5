/** Cuts at one separator, which the pieces leave out. */
import { ConfigError } from '../../inputs/component-config.ts'
import type { SplitterType } from '../types.ts'
import { pieceSize, sizeParams, splitterDefinition } from './params.ts'
import { toSegments } from './segments.ts'
import { cutText, dividerBefore, type Range, trimRange } from './split-text.ts'

const MAX_SEPARATOR = 100

export const characterTextSplitter: SplitterType = {
  definition: splitterDefinition({
    label: 'Character Text Splitter',
    name: 'characterTextSplitter',
    type: 'CharacterTextSplitter',
    version: 1,
    description: 'Splits at a single separator',
    inputs: [
      {
        label: 'Custom separator',
        name: 'separator',
        type: 'string',
        optional: true,
        placeholder: '\\n\\n',
        description: 'Where to split. \\n is a line break. Default: an empty line',
      },
      ...sizeParams(),
    ],
  }),
  split(document, config) {
    const { text } = document
    const separator = parseSeparator(config.separator)
    const ranges = cutText(text, [separator, ' '].map(dividerBefore), pieceSize(config))
    const bare = ranges.map((range) => withoutStart(text, range, separator)).filter(({ start, end }) => start < end)
    return toSegments(document, bare)
  },
}

/** @throws ConfigError */
function parseSeparator(value: unknown): string {
  if (typeof value !== 'string' || value === '') return '\n\n'
  if (value.length > MAX_SEPARATOR)
    throw new ConfigError(`Custom separator may have at most ${MAX_SEPARATOR} characters`)
  return value.replaceAll('\\n', '\n').replaceAll('\\t', '\t').replaceAll('\\r', '\r')
}

const withoutStart = (text: string, range: Range, separator: string): Range =>
  text.startsWith(separator, range.start)
    ? trimRange(text, { ...range, start: Math.min(range.start + separator.length, range.end) })
    : range
