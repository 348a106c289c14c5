import { Input, Textarea } from '@chakra-ui/react'
import { lazy, type RefObject, Suspense, useLayoutEffect, useRef, useState } from 'react'
import { plainText } from '#contract/flow/params/rich-text.ts'
import { asText, type Caret, type InputProps } from './types.ts'

const ReferenceEditor = lazy(() => import('./references/ReferenceEditor.tsx'))

type Field = HTMLInputElement | HTMLTextAreaElement

/** A single- or multi-line text field. Draws references as chips if the parameter accepts them. */
export function TextInput({ id, param, value, onChange, onDone }: InputProps) {
  const [touched, setTouched] = useState(false)
  const caret = useRef<Caret | null>(null)
  const stored = asText(value)
  const change = (next: string) => {
    setTouched(true)
    onChange(next)
  }
  const field = { id, param, text: touched ? stored : plainText(stored), onChange: change, onDone, caret }
  if (!param.acceptVariable) return <PlainField {...field} />
  return (
    <Suspense fallback={<PlainField {...field} />}>
      <ReferenceEditor {...field} />
    </Suspense>
  )
}

interface PlainFieldProps {
  id: string
  param: InputProps['param']
  text: string
  onChange: (text: string) => void
  onDone: () => void
  /** Set when the field is taken away while it has the focus. */
  caret: RefObject<Caret | null>
}

function PlainField({ id, param, text, onChange, onDone, caret }: PlainFieldProps) {
  const field = useRef<Field>(null)
  useLayoutEffect(() => {
    const element = field.current
    return () => {
      if (!element || document.activeElement !== element) return
      caret.current = { from: element.selectionStart ?? 0, to: element.selectionEnd ?? 0 }
    }
  }, [caret])
  const control = {
    id,
    ref: field as RefObject<never>,
    value: text,
    size: 'sm',
    placeholder: param.placeholder,
    onChange: (event: { target: Field }) => onChange(event.target.value),
    onBlur: onDone,
    autoComplete: 'off',
    ...(param.acceptVariable && { 'aria-labelledby': `${id}-label` }),
  } as const
  return param.rows && param.rows > 1 ? (
    <Textarea {...control} rows={param.rows} autoresize maxHeight="60vh" />
  ) : (
    <Input {...control} />
  )
}
