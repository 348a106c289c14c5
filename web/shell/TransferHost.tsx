import { lazy, Suspense } from 'react'
import { useSnapshot } from 'valtio'
import { closeTransfer, transfer } from '../state/import-export-dialog.ts'

const ImportDialog = lazy(() => import('../areas/export-import/ImportDialog.tsx'))
const ExportDialog = lazy(() => import('../areas/export-import/ExportDialog.tsx'))

/** The import and export dialogs, loaded on first use. */
export function TransferHost() {
  const { dialog, asked } = useSnapshot(transfer)
  return (
    <Suspense>
      {dialog === 'import' && (
        <ImportDialog
          key={asked}
          file={transfer.file}
          takeFlow={transfer.taking ?? undefined}
          onClose={closeTransfer}
        />
      )}
      {dialog === 'export' && <ExportDialog onClose={closeTransfer} />}
    </Suspense>
  )
}
