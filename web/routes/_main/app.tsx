import { createFileRoute } from '@tanstack/react-router'
import { HomePage } from '../../shell/home/HomePage.tsx'

export const Route = createFileRoute('/_main/app')({ staticData: { title: 'Home' }, component: HomePage })
