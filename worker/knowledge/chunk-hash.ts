import { hash } from 'node:crypto'
import { embeddedText } from '#contract/document-stores/embedded-text.ts'

/** Returns what chunks store as `hash`: SHA-256, in hex, of what is embedded. */
export const chunkHash = (headings: string, text: string): string => hash('sha256', embeddedText(headings, text))
