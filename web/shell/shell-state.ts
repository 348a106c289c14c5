import { proxy } from 'valtio'

/** Open state of the shell's dialogs. */
export const shell = proxy({ search: false, query: '', switcher: false, workspaces: false })
