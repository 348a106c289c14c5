import { useEffect, useState } from 'preact/hooks'
import type { Session, State } from '../session.ts'

/** Returns the chat's state, also what came between the first drawing and the subscription. */
export function useSession(session: Session): State {
  const [state, setState] = useState(session.state)
  useEffect(() => {
    setState(session.state)
    return session.subscribe(() => setState(session.state))
  }, [session])
  return state
}
