import { type ReactNode, useRef } from 'react'

interface BaseProps {
  label: string
  /** The `accept` attribute of the input; any file when absent. */
  accept?: string
  /** Renders the element that opens the file dialog. */
  children(open: () => void): ReactNode
}

interface OneFile extends BaseProps {
  onFile(file: File): void
}

interface SeveralFiles extends BaseProps {
  /** Receives the files together, in the order of the dialog. */
  onFiles(files: readonly File[]): void
}

/** Picks files. The same file can be picked twice in a row. */
export function FilePicker(props: OneFile | SeveralFiles) {
  const { label, accept, children } = props
  const take = 'onFiles' in props ? props.onFiles : ([file]: readonly File[]) => file && props.onFile(file)
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <input
        ref={input}
        type="file"
        accept={accept}
        multiple={'onFiles' in props}
        hidden
        aria-label={label}
        onChange={(event) => {
          const files = [...(event.target.files ?? [])]
          event.target.value = ''
          if (files.length > 0) take(files)
        }}
      />
      {children(() => input.current?.click())}
    </>
  )
}
