import { lazy, Suspense } from 'react'
import { useSnapshot } from 'valtio'
import { answerIdentity, identityState } from '../state/confirm-identity.ts'

const ConfirmIdentityDialog = lazy(() => import('./ConfirmIdentityDialog.tsx'))

/** Asks who is there when a call wants to know, loaded on first use. */
export function ConfirmIdentityHost() {
  const { asked } = useSnapshot(identityState)
  return <Suspense>{asked && <ConfirmIdentityDialog onAnswer={answerIdentity} />}</Suspense>
}
