/** Sends files with their progress, which fetch does not report. */
import { WORKSPACE_HEADER } from '#contract/organization/workspace-header.ts'
import { ApiError, api, apiOrigin, cookie, errorOfText } from './client.ts'
import { decide401 } from './errors.ts'
import { noteRefusal, shownWorkspaceId } from './shown-workspace.ts'

export interface UploadOptions {
  /** Receives the part of the file that was sent, from 0 to 1. */
  onProgress(part: number): void
  signal: AbortSignal
}

interface Revocable<T> extends UploadOptions {
  /** Receives what came of a file that had been sent whole when the upload was cancelled. */
  takeBack?(answer: T): void
}

/** Sends a file, or a form with files, as the body of a POST. Throws ApiError, or the signal's reason. */
export async function upload<T>(path: string, file: File | FormData, options: Revocable<T>): Promise<T> {
  const { status, text } = await send(path, file, options)
  if (isSuccess(status)) return parseAnswer<T>(text)
  const error = errorOfText(status, text)
  noteRefusal(status, error.body)
  if (status !== 401 || decide401(error.body, false).do !== 'refresh' || !(await api.renew())) throw error
  const again = await send(path, file, options)
  if (isSuccess(again.status)) return parseAnswer<T>(again.text)
  throw errorOfText(again.status, again.text)
}

/** A 204 has no text. */
const parseAnswer = <T>(text: string): T => (text === '' ? undefined : JSON.parse(text)) as T

const isSuccess = (status: number) => Math.floor(status / 100) === 2

/** After this time the browser has said whether all was sent: it does so with a delay of its own. */
const KNOWN_MS = 500

function send<T>(path: string, file: File | FormData, { onProgress, signal, takeBack }: Revocable<T>) {
  return new Promise<{ status: number; text: string }>((resolve, reject) => {
    signal.throwIfAborted()
    const request = new XMLHttpRequest()
    request.open('POST', `${apiOrigin}/api/v1${path}`)
    request.withCredentials = true
    request.setRequestHeader('accept', 'application/json')
    request.setRequestHeader('x-request-from', 'internal')
    // The browser names the boundary of a form.
    if (file instanceof File) request.setRequestHeader('content-type', 'application/octet-stream')
    const token = cookie(document.cookie, 'XSRF-TOKEN')
    if (token) request.setRequestHeader('x-xsrf-token', token)
    const workspaceId = shownWorkspaceId()
    if (workspaceId) request.setRequestHeader(WORKSPACE_HEADER, workspaceId)
    request.upload.onprogress = ({ loaded, total }) => {
      if (!signal.aborted) onProgress(total > 0 ? loaded / total : 0)
    }
    let isSent = false
    request.upload.onload = () => {
      isSent = true
    }
    request.onload = () => {
      if (signal.aborted && isSuccess(request.status)) takeBack?.(parseAnswer<T>(request.responseText))
      resolve({ status: request.status, text: request.responseText })
    }
    request.onerror = () =>
      reject(new ApiError(0, { message: 'Can’t reach the server. Check your connection and try again.' }))
    const cancel = () => {
      reject(signal.reason)
      if (!takeBack) return request.abort()
      // Once all was sent, the server does its work all the same, and only its answer says what there is to take back.
      setTimeout(() => isSent || request.abort(), KNOWN_MS)
    }
    signal.addEventListener('abort', cancel, { once: true })
    request.send(file)
  })
}
