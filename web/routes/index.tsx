import { createFileRoute, redirect } from '@tanstack/react-router'
import { restoreSession } from '../api/restore.ts'

export const Route = createFileRoute('/')({
  beforeLoad: async (): Promise<void> => {
    throw redirect({ to: (await restoreSession()) ? '/app' : '/signin' })
  },
})
