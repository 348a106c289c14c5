import { Input } from '@chakra-ui/react'
import { lazy, Suspense } from 'react'
import type { OfferedInputProps } from './offered-options.ts'
import { asText } from './types.ts'

// Few nodes have such a list: the page of the canvas does not wait for it.
const ComboboxInput = lazy(() => import('./ComboboxInput.tsx'))

/** A list to choose from that also takes a name that is not in it (`freeSolo`). */
export function FreeInput(props: OfferedInputProps) {
  return (
    <Suspense fallback={<Input id={props.id} size="sm" disabled value={asText(props.value)} />}>
      <ComboboxInput {...props} />
    </Suspense>
  )
}
