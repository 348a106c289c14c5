import { createFileRoute } from '@tanstack/react-router'
import { areaOf } from '#contract/areas.ts'
import { LogsPage } from '../../../areas/records/LogsPage.tsx'

export const Route = createFileRoute('/_main/(organization)/logs')({ staticData: areaOf('/logs'), component: LogsPage })
