/** One question at a time: `if (await confirm({ title: 'Delete "Support"?', ... }))`. `<ConfirmHost />` shows it. */
import { proxy } from 'valtio/vanilla'

export interface ConfirmRequest {
  title: string
  description?: string
  confirmButtonName?: string
  cancelButtonName?: string
  /** Colours the confirming button as something that destroys. */
  danger?: boolean
}

export const confirmState = proxy<{ show: boolean; request: ConfirmRequest }>({ show: false, request: { title: '' } })

let settle: (answer: boolean) => void = () => {}

/** Asks and resolves with the answer; Escape, Cancel and a second question all answer false. */
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
