import { Field as ChakraField, chakra, Heading } from '@chakra-ui/react'
import { type FormEvent, type KeyboardEvent, type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { Notice } from '../feedback/Notice.tsx'

interface FormProps {
  /** Called on submit, Enter in a field, and Cmd/Ctrl+Enter anywhere in the form. */
  onSubmit(): void
  /** Summary of the errors, shown at the top and announced. */
  summary?: string
  children: ReactNode
}

/**
 * A form with an error summary at the top, unless its only invalid field says the same. After a failed submit the first
 * invalid field gets the focus; without one the summary comes into view.
 */
export function Form({ onSubmit, summary, children }: FormProps) {
  const form = useRef<HTMLFormElement>(null)
  const [isRepeated, setIsRepeated] = useState(false)
  // Errors also change while fields are being fixed; only a submit moves the focus.
  const submitted = useRef(false)
  useEffect(() => {
    if (!summary || !submitted.current) return
    submitted.current = false
    const field = form.current?.querySelector<HTMLElement>('[aria-invalid=true]')
    if (field) field.focus()
    else form.current?.querySelector('[role=alert]')?.scrollIntoView({ block: 'nearest' })
  })

  // Which fields are invalid only the rendered form knows. Before it is painted, so that no summary flashes.
  useLayoutEffect(() => {
    setIsRepeated(Boolean(form.current && summary && saysItself(form.current, summary)))
  })

  const submit = (event: FormEvent) => {
    event.preventDefault()
    event.stopPropagation()
    submitted.current = true
    onSubmit()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) {
      event.preventDefault()
      form.current?.requestSubmit()
    }
  }
  return (
    <chakra.form
      ref={form}
      noValidate
      display="flex"
      flexDirection="column"
      gap="5"
      onSubmit={submit}
      onKeyDown={onKeyDown}
    >
      {summary && !isRepeated && (
        <Notice kind="danger" scrollMarginTop="20">
          <Heading as="h2" size="sm" mb="0.5">
            Fix the following:
          </Heading>
          {summary}
        </Notice>
      )}
      {children}
    </chakra.form>
  )
}

/** True when the form's only error at a field is in view and says the same. */
function saysItself(form: HTMLElement, summary: string): boolean {
  const [error, ...others] = form.querySelectorAll('[data-part=error-text]')
  return error?.checkVisibility() === true && others.length === 0 && error.textContent === summary
}

interface FieldProps {
  label: string
  help?: ReactNode
  error?: string
  required?: boolean
  /** One Chakra input, select or textarea, which is connected to label, help and error. */
  children: ReactNode
}

/** A field with its label, help text and error. */
export function Field({ label, help, error, required, children }: FieldProps) {
  return (
    <ChakraField.Root invalid={Boolean(error)} required={required}>
      <ChakraField.Label>{label}</ChakraField.Label>
      {children}
      {help && <ChakraField.HelperText>{help}</ChakraField.HelperText>}
      <ChakraField.ErrorText>{error}</ChakraField.ErrorText>
    </ChakraField.Root>
  )
}
