import { createRootRoute } from '@tanstack/react-router'
import { NotFoundPage } from '../shell/NotFoundPage.tsx'
import { Root } from '../shell/Root.tsx'
import { RouteError } from '../shell/RouteError.tsx'

export const Route = createRootRoute({ component: Root, notFoundComponent: NotFoundPage, errorComponent: RouteError })
