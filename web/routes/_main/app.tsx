import { createFileRoute } from '@tanstack/react-router'
import { HomePage } from '#web/shell/HomePage.tsx'

export const Route = createFileRoute('/_main/app')({ staticData: { title: 'Home' }, component: HomePage })
