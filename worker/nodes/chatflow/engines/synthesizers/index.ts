/** How engines write an answer from what was found. */
import type { ComponentNodeType } from '../../../types.ts'
import { compactRefine } from './compact-refine.ts'
import { refineSynthesizer } from './refine.ts'
import { simpleResponseBuilder } from './simple-response-builder.ts'
import { treeSummarize } from './tree-summarize.ts'

export const synthesizers: ComponentNodeType[] = [
  compactRefine,
  refineSynthesizer,
  simpleResponseBuilder,
  treeSummarize,
]
