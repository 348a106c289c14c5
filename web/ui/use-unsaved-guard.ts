import { useBlocker } from '@tanstack/react-router'
import { confirm } from './confirm.ts'

/** While `dirty`, leaving the page asks first: by a link, Back, closing the tab. */
export function useUnsavedGuard(dirty: boolean): void {
  useBlocker({
    disabled: !dirty,
    enableBeforeUnload: dirty,
    shouldBlockFn: async () =>
      !(await confirm({
        title: 'Leave without saving?',
        description: 'Your changes are not saved and will be lost.',
        confirmButtonName: 'Leave',
        cancelButtonName: 'Stay',
        danger: true,
      })),
  })
}
