import { createFileRoute } from '@tanstack/react-router'
import { AuthLayout } from '../shell/AuthLayout.tsx'

export const Route = createFileRoute('/_auth')({ codeSplitGroupings: [], component: AuthLayout })
