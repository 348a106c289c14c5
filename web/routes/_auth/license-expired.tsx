import { createFileRoute } from '@tanstack/react-router'
import { LicenseExpiredPage } from '../../areas/auth/LicenseExpiredPage.tsx'

export const Route = createFileRoute('/_auth/license-expired')({
  staticData: { title: 'License expired' },
  component: LicenseExpiredPage,
})
