import { createRootRoute } from '@tanstack/react-router'
import { NotFoundPage } from '#web/shell/NotFoundPage.tsx'
import { Root } from '#web/shell/Root.tsx'
import { RouteError } from '#web/shell/RouteError.tsx'

export const Route = createRootRoute({ component: Root, notFoundComponent: NotFoundPage, errorComponent: RouteError })
