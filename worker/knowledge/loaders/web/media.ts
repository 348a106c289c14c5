/** Files that have no text. */
const MEDIA = new Set(
  'png jpg jpeg gif svg webp avif ico bmp css js mjs map woff woff2 ttf otf eot mp3 mp4 m4a webm mov avi ogg wav zip gz tar tgz bz2 7z rar exe dll so dylib dmg iso msi apk deb rpm jar class wasm bin pyc'.split(
    ' ',
  ),
)

/** Scripts and styles are text of a repository, but not of a site. */
const CODE = new Set(['css', 'js', 'mjs'])

export function isMedia(path: string, isSite = false): boolean {
  const extension = path.slice(path.lastIndexOf('.') + 1).toLowerCase()
  return MEDIA.has(extension) && (isSite || !CODE.has(extension))
}
