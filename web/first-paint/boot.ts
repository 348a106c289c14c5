/** Runs inside index.html before anything is drawn: sets the colors, chooses the static shell, starts the first calls. */
import { startEarlyCalls } from '../api/early-calls.ts'
import { readStoredAppearance, setMode } from '../api/stored-appearance.ts'
import { shellOf } from './shell.ts'

const { isDarkMode, isHorizontal } = readStoredAppearance()
const isSignedIn = localStorage.getItem('isAuthenticated') === 'true'
setMode(isDarkMode)
document.documentElement.dataset.shell = isSignedIn ? shellOf(location.pathname, isHorizontal) : 'none'
if (isSignedIn) {
  const workspaceId = /"activeWorkspaceId":"([\w-]+)"/.exec(localStorage.getItem('user') ?? '')?.[1]
  startEarlyCalls((import.meta.env.VITE_API_BASE_URL ?? '').replace(/\/$/, ''), location.pathname, workspaceId)
}
