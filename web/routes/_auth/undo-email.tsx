import { createFileRoute } from '@tanstack/react-router'
import { UndoEmailPage } from '../../areas/auth/UndoEmailPage.tsx'

export const Route = createFileRoute('/_auth/undo-email')({
  staticData: { title: 'Undo a change of address' },
  component: UndoEmailPage,
})
