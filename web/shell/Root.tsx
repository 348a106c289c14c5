import { Outlet, useRouterState } from '@tanstack/react-router'
import { useEffect } from 'react'

/** Sets the document title from the innermost route that has one. */
export function Root() {
  const title = useRouterState({
    select: (state) => state.matches.findLast((match) => match.staticData.title)?.staticData.title,
  })
  useEffect(() => {
    document.title = title ? `${title} · Heddle` : 'Heddle'
  }, [title])
  return <Outlet />
}
