import { createRouter, RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { applyAppearance } from './api/appearance.ts'
import { setNavigator } from './api/client.ts'
import { removeShell } from './first-paint/shell.ts'
import { routeTree } from './routeTree.gen.ts'
import { forgetFailure } from './state/failure.ts'
import { Provider } from './ui/theme/Provider.tsx'

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
router.subscribe('onRendered', removeShell)
router.subscribe('onBeforeNavigate', ({ pathChanged }) => {
  if (pathChanged) forgetFailure()
})
// Another tab signed in or out, so the guards run again.
window.addEventListener('storage', ({ key }) => {
  if (key === 'isAuthenticated') router.invalidate()
})

const root = document.getElementById('root')
if (root) {
  createRoot(root).render(
    <StrictMode>
      <Provider>
        <RouterProvider router={router} />
      </Provider>
    </StrictMode>,
  )
}
