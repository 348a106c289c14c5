import { type ReactNode, useRef } from 'react'

interface Props {
  label: string
  /** The `accept` attribute of the input; any file when absent. */
  accept?: string
  /** Several files can be chosen at once: each is handed over on its own. */
  multiple?: boolean
  onFile(file: File): void
  /** Renders the element that opens the file dialog. */
  children(open: () => void): ReactNode
}

/** Picks files. The same file can be picked twice in a row. */
export function FilePicker({ label, accept, multiple, onFile, children }: Props) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <input
        ref={input}
        type="file"
        accept={accept}
        multiple={multiple}
        hidden
        aria-label={label}
        onChange={(event) => {
          const files = [...(event.target.files ?? [])]
          event.target.value = ''
          for (const file of files) onFile(file)
        }}
      />
      {children(() => input.current?.click())}
    </>
  )
}
