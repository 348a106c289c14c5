/** Confirmation dialogs, one at a time: `if (await confirm({ title: 'Delete "Support"?', ... }))`. */
import { proxy } from 'valtio/vanilla'

interface ConfirmRequest {
  title: string
  description?: string
  confirmButtonName?: string
  cancelButtonName?: string
  /** Styles the confirm button as destructive. */
  danger?: boolean
}

export const confirmState = proxy<{ show: boolean; request: ConfirmRequest }>({ show: false, request: { title: '' } })

let settle: (answer: boolean) => void = () => {}

/** Resolves with true when confirmed. Escape, Cancel and another confirmation resolve with false. */
export function confirm(request: ConfirmRequest): Promise<boolean> {
  settle(false)
  confirmState.request = request
  confirmState.show = true
  return new Promise((resolve) => {
    settle = resolve
  })
}

export function answerConfirm(answer: boolean): void {
  confirmState.show = false
  settle(answer)
}
