import { proxy } from 'valtio'

/** Which of the shell's dialogs is open. */
export const shell = proxy({ search: false, switcher: false })
