import { createFileRoute } from '@tanstack/react-router'
import { areaOf } from '#contract/areas.ts'
import { MarketplacePage } from '../../areas/marketplaces/MarketplacePage.tsx'

export const Route = createFileRoute('/_main/marketplaces')({
  staticData: areaOf('/marketplaces'),
  component: MarketplacePage,
})
