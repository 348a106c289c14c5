/** @jsxImportSource preact */
import { type CitedDocument, readOrigin } from '#contract/runs/sources.ts'
import { safeLink } from '../links.ts'

/** Sources of an answer, collapsed below it, each address once. */
export function Sources({ title, documents }: { title: string; documents: readonly CitedDocument[] }) {
  return (
    <details>
      <summary>
        {title} ({distinct(documents).length})
      </summary>
      <ol class="sources">
        {distinct(documents).map((document, index) => (
          <li key={index}>
            <Source document={document} number={index + 1} />
          </li>
        ))}
      </ol>
    </details>
  )
}

/** Documents of one address are one source; others stay as they are. */
function distinct(documents: readonly CitedDocument[]): CitedDocument[] {
  const seen = new Set<string>()
  return documents.filter(({ metadata }) => {
    const { url } = readOrigin(metadata)
    if (url === undefined) return true
    const isNew = !seen.has(url)
    seen.add(url)
    return isNew
  })
}

function Source({ document: { metadata, pageContent }, number }: { document: CitedDocument; number: number }) {
  const { name, page, url } = readOrigin(metadata)
  const label = `${name ?? `Source ${number}`}${page === undefined ? '' : `, page ${page}`}`
  const href = url && safeLink(url)
  if (href)
    return (
      <a href={href} target="_blank" rel="noopener noreferrer">
        {label}
      </a>
    )
  return (
    <details>
      <summary>{label}</summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: long texts are scrolled by keyboard */}
      <p tabIndex={0}>{pageContent}</p>
    </details>
  )
}
