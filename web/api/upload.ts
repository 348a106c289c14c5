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

/** Sends a file, or a form with files, as the body of a POST. Throws ApiError, or the signal's reason. */
export async function upload<T>(path: string, file: File | FormData, options: UploadOptions): Promise<T> {
  const { status, text } = await send(path, file, options)
  if (status >= 200 && status < 300) return answerOf<T>(text)
  const error = errorOfText(status, text)
  noteRefusal(status, error.body)
  if (status !== 401 || decide401(error.body, false).do !== 'refresh' || !(await api.renew())) throw error
  const again = await send(path, file, options)
  if (again.status >= 200 && again.status < 300) return answerOf<T>(again.text)
  throw errorOfText(again.status, again.text)
}

/** A 204 has no text. */
const answerOf = <T>(text: string): T => (text === '' ? undefined : JSON.parse(text)) as T

function send(path: string, file: File | FormData, { onProgress, signal }: UploadOptions) {
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
    request.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0)
    request.onload = () => resolve({ status: request.status, text: request.responseText })
    request.onerror = () =>
      reject(new ApiError(0, { message: 'Can’t reach the server. Check your connection and try again.' }))
    request.onabort = () => reject(signal.reason)
    signal.addEventListener('abort', () => request.abort(), { once: true })
    request.send(file)
  })
}
