/** Frame of a story: the product's theme, queries, session and an address of its own. */
import { Box } from '@chakra-ui/react'
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  Outlet,
  RouterProvider,
} from '@tanstack/react-router'
import { type ReactNode, Suspense } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import type { Settings } from '#contract/settings/settings.ts'
import { keys, queryClient } from '../api/query.ts'
import { type Session, session } from '../api/session.ts'
import { FullProvider } from '../shell/FullProvider.tsx'
import { answerConfirm } from '../state/confirm.ts'
import { forgetFailure } from '../state/failure.ts'
import { notifications } from '../state/notify.ts'
import { Toasts } from '../ui/feedback/Toasts.tsx'

export interface StageOptions {
  /** What the person may do: `['variables:view']`. Everything by default. */
  can?: readonly string[]
  platform?: Settings['PLATFORM_TYPE']
  /** The page's path and query. */
  at?: string
}

const everybody: Session = {
  isAuthenticated: true,
  isGlobal: true,
  isSSO: false,
  isPlatformAdmin: false,
  user: null,
  permissions: [],
  features: {},
}

/** A story on the page. */
export interface ShownStage {
  /** The path that the story has navigated to. */
  path(): string
  remove(): void
}

/** Shows a story at `element`, with nothing left of the one before. */
export function showStory(element: HTMLElement, show: () => ReactNode, place: StageOptions = {}): ShownStage {
  reset(place)
  const router = storyRouter(show(), place.at ?? '/')
  const root: Root = createRoot(element)
  // The stories' router has no pages, only their addresses.
  root.render(<RouterProvider router={router as never} />)
  return { path: () => router.state.location.href, remove: () => root.unmount() }
}

export const settingsOf = ({ platform = 'enterprise' }: StageOptions): Settings => ({
  PLATFORM_TYPE: platform,
  hasMailService: true,
  anonymousCallsPerMinute: 60,
  canSendEmail: true,
})

function reset({ can, platform }: StageOptions): void {
  localStorage.clear()
  queryClient.clear()
  notifications.queue = []
  forgetFailure()
  answerConfirm(false)
  Object.assign(session, everybody, can && { isGlobal: false, permissions: [...can] })
  queryClient.setQueryData(keys.area('settings'), settingsOf({ platform }))
}

function storyRouter(story: ReactNode, at: string) {
  const root = createRootRoute({
    component: () => (
      <FullProvider>
        <Toasts />
        <Box as="main" p="4">
          <Suspense>{story}</Suspense>
        </Box>
        <Outlet />
      </FullProvider>
    ),
  })
  const anywhere = createRoute({ getParentRoute: () => root, path: '$', component: () => null })
  const history = createMemoryHistory({ initialEntries: [at] })
  return createRouter({ routeTree: root.addChildren([anywhere]), history, defaultPreload: false })
}
