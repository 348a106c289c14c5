import { type ReactNode, useRef } from 'react'

interface Props {
  label: string
  /** As of an `input` element: `.json`. Absent: any file. */
  accept?: string
  onFile(file: File): void
  /** What opens the system's dialog. */
  children(open: () => void): ReactNode
}

/** Lets a person choose one file; the same file may be chosen again. */
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
