/** Returns the picture as a data URI. Rejects when it is too large or no picture. */
export async function readPicture(file: File, maxBytes: number): Promise<string> {
  if (!file.type.startsWith('image/')) throw new Error('Choose an image: SVG, PNG, JPEG or WebP.')
  if (file.size > maxBytes) throw new Error(`Choose an image of at most ${Math.floor(maxBytes / 1000)} KB.`)
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result))
    reader.onerror = () => reject(new Error('The image could not be read. Choose another one.'))
    reader.readAsDataURL(file)
  })
}
