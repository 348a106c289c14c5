/** Opens the import and export dialogs from anywhere: `askImport(file)`. The shell renders them. */
import { proxy, ref } from 'valtio/vanilla'
import type { FlowDocument } from '#contract/flow/document/document.ts'
import type { FlowType } from '#contract/flow/flow-types.ts'

/** The canvas that is open: takes the place of its flow, if it is of the same type. */
export interface TakeFlow {
  type: FlowType
  /** Returns how many source files the flow has. */
  countSources: () => Promise<number>
  take: (flow: FlowDocument) => void
}

interface Transfer {
  dialog: 'import' | 'export' | null
  file: File | null
  /** Set by the canvas to replace its flow; otherwise the import creates a flow. */
  taking: TakeFlow | null
  /** Increases with each request, so that the dialog starts fresh. */
  asked: number
}

export const transfer = proxy<Transfer>({ dialog: null, file: null, taking: null, asked: 0 })

/** Opens the import dialog; with a file, at its preview. */
export function askImport(file?: File, takeFlow?: TakeFlow): void {
  transfer.file = file ? ref(file) : null
  transfer.taking = takeFlow ? ref(takeFlow) : null
  transfer.asked += 1
  transfer.dialog = 'import'
}

export function askExport(): void {
  transfer.dialog = 'export'
}

export function closeTransfer(): void {
  transfer.dialog = null
  transfer.file = null
  transfer.taking = null
}
