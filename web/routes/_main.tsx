import { createFileRoute } from '@tanstack/react-router'
import { guardMatches } from '#web/shell/guard.ts'
import { MainLayout } from '#web/shell/MainLayout.tsx'

export const Route = createFileRoute('/_main')({
  beforeLoad: (options): Promise<void> => guardMatches(options),
  component: MainLayout,
})
