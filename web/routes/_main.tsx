import { createFileRoute } from '@tanstack/react-router'
import { guardMatches } from '../shell/guard.ts'
import { MainLayout } from '../shell/MainLayout.tsx'

export const Route = createFileRoute('/_main')({
  beforeLoad: (options): Promise<void> => guardMatches(options),
  component: MainLayout,
})
