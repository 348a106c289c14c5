/** Cuts at paragraphs, else at lines, else at words. */
import { tryParseJson } from '#contract/data/json.ts'
import { additionalParam } from '#contract/flow/params/builders.ts'
import { ConfigError } from '../../inputs/component-config.ts'
import type { SplitterType } from '../types.ts'
import { pieceSize, sizeParams, splitterDefinition } from './params.ts'
import { toSegments } from './segments.ts'
import { cutText, dividerBefore } from './split-text.ts'

export const PROSE = ['\n\n', '\n', ' ']

const MAX_SEPARATORS = 50
const MAX_SEPARATOR = 100

export const recursiveCharacterTextSplitter: SplitterType = {
  definition: splitterDefinition({
    label: 'Recursive Character Text Splitter',
    name: 'recursiveCharacterTextSplitter',
    type: 'RecursiveCharacterTextSplitter',
    version: 2,
    description: 'Splits at paragraphs, then at lines and words where a paragraph is too long',
    inputs: [
      ...sizeParams(),
      additionalParam('Custom separators', 'separators', {
        rows: 4,
        description: 'Separators to split at, in order of preference, as a JSON list',
        placeholder: '["|", "##", ">", "-"]',
      }),
    ],
  }),
  split: (document, config) => {
    const dividers = parseSeparators(config.separators).map(dividerBefore)
    return toSegments(document, cutText(document.text, dividers, pieceSize(config)))
  },
}

/** @throws ConfigError */
function parseSeparators(value: unknown): string[] {
  if (value === undefined || value === null || value === '') return PROSE
  const list = typeof value === 'string' ? tryParseJson(value) : value
  if (!Array.isArray(list) || !list.every((each) => typeof each === 'string'))
    throw new ConfigError('Custom separators must be a JSON list of texts, for example ["\\n\\n", "\\n"]')
  if (list.length > MAX_SEPARATORS || list.some((each) => each.length > MAX_SEPARATOR))
    throw new ConfigError(
      `Custom separators may be at most ${MAX_SEPARATORS} texts of at most ${MAX_SEPARATOR} characters`,
    )
  return list.filter(Boolean)
}
