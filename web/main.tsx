import { QueryClientProvider } from '@tanstack/react-query'
import { createRouter, RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { subscribeKey } from 'valtio/utils'
import { applyAppearance } from './api/appearance.ts'
import { setNavigator } from './api/client.ts'
import { queryClient } from './api/query.ts'
import { session } from './api/session.ts'
import { routeTree } from './routeTree.gen.ts'
import { Provider } from './ui/Provider.tsx'

const router = createRouter({ routeTree, defaultPreload: 'intent', scrollRestoration: true })

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}

applyAppearance()
setNavigator((to) => {
  if (to.startsWith('/')) router.history.push(to)
  else window.location.assign(to)
})
// What one person has loaded must never be shown to the next.
let owner = session.user?.id
subscribeKey(session, 'user', (user) => {
  if (user?.id !== owner) queryClient.clear()
  owner = user?.id
})
// Another tab signed in or out: the guard decides anew.
window.addEventListener('storage', ({ key }) => {
  if (key === 'isAuthenticated') router.invalidate()
})

const root = document.getElementById('root')
if (root) {
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <Provider>
          <RouterProvider router={router} />
        </Provider>
      </QueryClientProvider>
    </StrictMode>,
  )
}
