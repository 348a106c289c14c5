import { createFileRoute } from '@tanstack/react-router'
import { CanvasLayout } from '../shell/CanvasLayout.tsx'
import { guardMatches } from '../shell/guard.ts'

export const Route = createFileRoute('/_canvas')({
  beforeLoad: (options): Promise<void> => guardMatches(options),
  component: CanvasLayout,
})
