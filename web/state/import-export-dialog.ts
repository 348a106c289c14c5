/** Files that come in and go out, asked for from anywhere: `askImport(file)`. The shell shows the dialogs. */
import { proxy, ref } from 'valtio/vanilla'
import type { FlowDocument } from '#contract/flow/document/document.ts'

/** Takes a file's flow in the place of the one that is open. */
export type TakeFlow = (flow: FlowDocument) => void

interface Transfer {
  dialog: 'import' | 'export' | null
  file: File | null
  /** What the canvas does with a flow; elsewhere it becomes a flow of its own. */
  taking: { flow: TakeFlow } | null
  /** Rises with every question: a new one begins anew. */
  asked: number
}

export const transfer = proxy<Transfer>({ dialog: null, file: null, taking: null, asked: 0 })

/** Opens the import; with a file, at its report. */
export function askImport(file?: File, takeFlow?: TakeFlow): void {
  transfer.file = file ? ref(file) : null
  transfer.taking = takeFlow ? ref({ flow: takeFlow }) : null
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
