import type { SourceFile } from '#contract/flow/sources.ts'
import { notify } from '../state/notify.ts'
import { downloadJson } from './download.ts'

interface FlowSources {
  sources: readonly SourceFile[]
  /** The names of those whose bytes are lost. */
  lost: readonly string[]
}

/** Downloads a flow with its source files. The file notes those that it lacks, and the person is told. */
export function downloadFlowFile(name: string, flow: object, { sources, lost }: FlowSources): void {
  const notExported = lost.map((file) => ({ note: `The source file ${file}, whose bytes are lost` }))
  downloadJson(name, {
    ...flow,
    ...(sources.length > 0 && { sources }),
    ...(notExported.length > 0 && { notExported }),
  })
  if (notExported.length > 0) tellMissing(notExported.map(({ note }) => note))
}

const MAX_TOLD = 5

/** Says what an exported file lacks. */
export function tellMissing(notes: readonly string[]): void {
  const more = notes.length > MAX_TOLD ? ' Importing the file lists the others.' : ''
  notify.error('The file is not complete', `It lacks: ${notes.slice(0, MAX_TOLD).join('; ')}.${more}`)
}
