/** The static shell of the pages behind sign-in: bar and menu, drawn until the scripts have arrived. */

import { readCanvasPath } from '../api/flow-link.ts'

export type Shell = 'side' | 'top' | 'canvas' | 'none'

const BARE =
  /^\/(signin|login|register|verify|confirm-email|undo-email|forgot-password|reset-password|setup|license-expired|invite|sso-success|sso-confirmed|unauthorized|execution|docs|chatbot)(\/|$)/

/** Returns the shell of a page for somebody who is signed in. */
export function shellOf(path: string, isHorizontal: boolean): Shell {
  if (BARE.test(path)) return 'none'
  if (readCanvasPath(path)) return 'canvas'
  return isHorizontal ? 'top' : 'side'
}

/** Removes the shell once a page is there. */
export function removeShell(): void {
  document.getElementById('shell')?.remove()
}
