import { type ReactNode, useRef } from 'react'

interface Props {
  label: string
  /** The `accept` attribute of the input; any file when absent. */
  accept?: string
  onFile(file: File): void
  /** Renders the element that opens the file dialog. */
  children(open: () => void): ReactNode
}

/** Picks one file. The same file can be picked twice in a row. */
export function FilePicker({ label, accept, onFile, children }: Props) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <input
        ref={input}
        type="file"
        accept={accept}
        hidden
        aria-label={label}
        onChange={(event) => {
          const [file] = event.target.files ?? []
          event.target.value = ''
          if (file) onFile(file)
        }}
      />
      {children(() => input.current?.click())}
    </>
  )
}
