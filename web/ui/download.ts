/** Downloads content as a JSON file. */
export function downloadJson(fileName: string, content: unknown): void {
  downloadBlob(fileName, new Blob([JSON.stringify(content, null, 2)], { type: 'application/json' }))
}

export function downloadBlob(fileName: string, content: Blob): void {
  const url = URL.createObjectURL(content)
  const link = document.createElement('a')
  link.href = url
  link.download = fileName
  link.click()
  URL.revokeObjectURL(url)
}
