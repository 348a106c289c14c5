import { useEffect, useRef, useState } from 'react'
import { formatFileSize } from '#contract/data/format.ts'
import { storedFileNames, storedFiles } from '#contract/document-stores/file-inputs.ts'
import { MAX_FILE_BYTES } from '#contract/document-stores/limits.ts'
import { errorMessage } from '#contract/errors.ts'
import { sendFile } from '../api.ts'

/** A file on its way to the store. */
export interface Sending {
  key: string
  file: File
  /** The part that was sent, from 0 to 1. */
  part: number
  error?: string
}

export interface SentFiles {
  /** Names of the files that the store has. */
  names: string[]
  sending: Sending[]
  add(files: readonly File[]): void
  remove(name: string): void
  cancel(key: string): void
  retry(key: string): void
}

interface Input {
  storeId: string
  value: unknown
  /** Receives a function of the newest value, since several files arrive on their own. */
  onChange(change: (value: unknown) => string): void
}

/** Sends files as they are added, and names those that have arrived in the value of an input. */
export function useSentFiles({ storeId, value, onChange }: Input): SentFiles {
  const [sending, setSending] = useState<Sending[]>([])
  const aborts = useRef(new Map<string, AbortController>())
  useEffect(() => {
    const running = aborts.current
    return () => {
      for (const abort of running.values()) abort.abort()
    }
  }, [])

  const patch = (key: string, change: Partial<Sending>) =>
    setSending((now) => now.map((each) => (each.key === key ? { ...each, ...change } : each)))
  const drop = (key: string) => setSending((now) => now.filter((each) => each.key !== key))

  async function send({ key, file }: Pick<Sending, 'key' | 'file'>): Promise<void> {
    const abort = new AbortController()
    aborts.current.set(key, abort)
    try {
      if (file.size > MAX_FILE_BYTES) {
        throw new Error(`It is larger than ${formatFileSize(MAX_FILE_BYTES)}. Split it, or send a smaller one.`)
      }
      const sent = await sendFile(storeId, file, { onProgress: (part) => patch(key, { part }), signal: abort.signal })
      onChange((now) => storedValue([...storedNames(now), sent.name]))
      drop(key)
    } catch (error) {
      if (!abort.signal.aborted) patch(key, { error: errorMessage(error) })
    } finally {
      aborts.current.delete(key)
    }
  }

  return {
    names: storedNames(value),
    sending,
    add: (files) => {
      const added = files.map((file) => ({ key: crypto.randomUUID(), file, part: 0 }))
      setSending((now) => [...now, ...added])
      void sendInTurn(added, send)
    },
    remove: (name) => onChange((now) => storedValue(storedNames(now).filter((each) => each !== name))),
    cancel: (key) => {
      aborts.current.get(key)?.abort()
      drop(key)
    },
    retry: (key) => {
      const again = sending.find((each) => each.key === key)
      if (!again) return
      setSending((now) => now.map((each) => (each.key === key ? { key, file: each.file, part: 0 } : each)))
      void send(again)
    },
  }
}

const storedNames = (value: unknown) => storedFileNames(value) ?? []

/** Empty without files, so that the input counts as missing. */
const storedValue = (names: readonly string[]) => (names.length > 0 ? storedFiles(names) : '')

/** One after another, so that each has the whole line. */
async function sendInTurn<Item>(items: readonly Item[], send: (item: Item) => Promise<void>): Promise<void> {
  for (const item of items) await send(item)
}
