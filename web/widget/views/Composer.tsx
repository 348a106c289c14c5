/** @jsxImportSource preact */
/** The message field with its files, and the buttons that send and stop. */
import { useRef, useState } from 'preact/hooks'
import { isImage, isTextFile, plainMime, type Upload } from '#contract/predictions/uploads.ts'
import { type Attachment, readAttachment } from '../../chat/attachments.ts'
import { messageOf, type Session } from '../session.ts'
import type { Settings } from '../settings.ts'
import { Failure } from './Failure.tsx'
import { Icon } from './icons.tsx'

interface ComposerProps {
  session: Session
  settings: Settings
  isRunning: boolean
  onSend(): void
}

export function Composer({ session, settings, isRunning, onSend }: ComposerProps) {
  const [text, setText] = useState('')
  const [files, setFiles] = useState<Attachment[]>([])
  const [error, setError] = useState('')
  const field = useRef<HTMLTextAreaElement>(null)
  const { accepts, placeholder, maxCharacters } = settings
  const canSend = !isRunning && (text.trim() !== '' || files.length > 0)

  async function attach(chosen: Iterable<File>) {
    setError('')
    let all = files
    for (const file of chosen) {
      try {
        all = [...all, await readFile(file, { accepts, others: all, session })]
        setFiles(all)
      } catch (reason) {
        setError(messageOf(reason))
      }
    }
  }

  function send() {
    if (!canSend) return
    const uploads: Upload[] = files.map(({ upload }) => upload)
    void session.send({ question: text.trim(), ...(uploads.length > 0 && { uploads }) })
    setText('')
    setFiles([])
    setError('')
    field.current?.focus()
    onSend()
  }

  return (
    <form
      class="composer"
      onSubmit={(event) => {
        event.preventDefault()
        if (isRunning) void session.stop()
        else send()
      }}
      onPaste={(event) => void attach(event.clipboardData?.files ?? [])}
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault()
        void attach(event.dataTransfer?.files ?? [])
      }}
    >
      <Files files={files} onRemove={(id) => setFiles(files.filter((file) => file.id !== id))} />
      <Failure message={error} />
      <div class="line">
        {(accepts.images || accepts.sound || accepts.texts) && <AttachButton accepts={accepts} onChoose={attach} />}
        <textarea
          ref={field}
          rows={1}
          aria-label="Your message"
          placeholder={placeholder}
          maxLength={maxCharacters || undefined}
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return
            event.preventDefault()
            send()
          }}
        />
        <button
          class="send"
          type="submit"
          aria-label={isRunning ? 'Stop' : 'Send'}
          aria-disabled={!isRunning && !canSend}
        >
          <Icon name={isRunning ? 'stop' : 'send'} />
        </button>
      </div>
    </form>
  )
}

function Files({ files, onRemove }: { files: readonly Attachment[]; onRemove(id: string): void }) {
  if (files.length === 0) return null
  return (
    <ul class="files" aria-label="Attached files">
      {files.map(({ id, upload: { name } }) => (
        <li key={id}>
          <span>{name}</span>
          <button class="small" type="button" aria-label={`Remove ${name}`} onClick={() => onRemove(id)}>
            <Icon name="close" />
          </button>
        </li>
      ))}
    </ul>
  )
}

type Accepts = Settings['accepts']

function AttachButton({ accepts, onChoose }: { accepts: Accepts; onChoose(files: Iterable<File>): void }) {
  const input = useRef<HTMLInputElement>(null)
  const types = [accepts.images && 'image/*', accepts.sound && 'audio/*'].filter(Boolean)
  return (
    <>
      <button class="icon" type="button" aria-label="Attach files" onClick={() => input.current?.click()}>
        <Icon name="attach" />
      </button>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label="Files to attach"
        accept={accepts.texts ? undefined : types.join(',')}
        onChange={(event) => {
          onChoose([...(event.currentTarget.files ?? [])])
          event.currentTarget.value = ''
        }}
      />
    </>
  )
}

interface ReadOptions {
  accepts: Accepts
  others: readonly Attachment[]
  session: Session
}

/** Files that are not read here are read by the server, when the flow takes texts. */
async function readFile(file: File, { accepts, others, session }: ReadOptions): Promise<Attachment> {
  const mime = plainMime(file.type)
  const isMedia = /^(image|audio|video)\//.test(mime)
  if (isMedia ? !(isImage(mime) ? accepts.images : accepts.sound) : !accepts.texts) {
    throw new Error(`${file.name}: this chat does not take such files.`)
  }
  if (isMedia || isTextFile({ name: file.name, mime })) {
    return readAttachment(file, { supports: { images: accepts.images, sound: accepts.sound }, others })
  }
  return { id: crypto.randomUUID(), size: file.size, upload: await session.readFile(file) }
}
