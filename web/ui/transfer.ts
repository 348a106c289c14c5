/** Files that come in and go out, asked for from anywhere: `askImport(file)`. The shell shows the dialogs. */
import { proxy, ref } from 'valtio/vanilla'

interface Transfer {
  dialog: 'import' | 'export' | null
  file: File | null
  /** Rises with every question: a new one begins anew. */
  asked: number
}

export const transfer = proxy<Transfer>({ dialog: null, file: null, asked: 0 })

/** Opens the import; with a file, at its report. */
export function askImport(file?: File): void {
  transfer.file = file ? ref(file) : null
  transfer.asked += 1
  transfer.dialog = 'import'
}

export function askExport(): void {
  transfer.dialog = 'export'
}

export function closeTransfer(): void {
  transfer.dialog = null
  transfer.file = null
}
