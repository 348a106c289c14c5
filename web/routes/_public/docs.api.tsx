import { createFileRoute, useLocation } from '@tanstack/react-router'
import { ApiDocsPage } from '../../areas/docs/ApiDocsPage.tsx'

export const Route = createFileRoute('/_public/docs/api')({
  staticData: { title: 'API reference' },
  component: Page,
})

function Page() {
  const navigate = Route.useNavigate()
  const { hash } = useLocation()
  return (
    <ApiDocsPage
      selected={hash}
      onSelect={(operationId) =>
        void navigate({ hash: operationId, replace: true, resetScroll: false, hashScrollIntoView: false })
      }
    />
  )
}
