import { proxy } from 'valtio'
import { endTypeAhead, typeAhead } from '../state/type-ahead.ts'

/** Open state of the shell's dialogs, how often the search was opened, and what was typed before it had loaded. */
export const shell = proxy({ search: false, searches: 0, query: '', switcher: false, workspaces: false })

export function openSearch(): void {
  shell.search = true
  shell.searches += 1
  shell.query = ''
  typeAhead('[role="dialog"][aria-label="Search"] input', {
    onChange: (text) => {
      shell.query = text
    },
    onEscape: closeSearch,
  })
}

export function closeSearch(): void {
  endTypeAhead()
  shell.search = false
}
