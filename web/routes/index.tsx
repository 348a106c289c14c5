import { createFileRoute, redirect } from '@tanstack/react-router'
import { session } from '#web/api/session.ts'

export const Route = createFileRoute('/')({
  beforeLoad: () => {
    throw redirect({ to: session.isAuthenticated ? '/app' : '/signin' })
  },
})
