import { Box, Link } from '@chakra-ui/react'
import { memo } from 'react'
import ReactMarkdown, { type Components } from 'react-markdown'
import remarkGfm from 'remark-gfm'
import { splitBlocks } from './markdown-blocks.ts'

const plugins = [remarkGfm]

/**
 * Renders Markdown. HTML is escaped, links open in a new tab without a referrer, and unsafe ones are text. When the text
 * grows, only its last block is parsed again.
 */
export default function Markdown({ text }: { text: string }) {
  return (
    <Box css={prose}>
      {splitBlocks(text).map((block, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: blocks are only appended
        <Block key={index} text={block} />
      ))}
    </Box>
  )
}

const Block = memo(function Block({ text }: { text: string }) {
  return (
    <ReactMarkdown remarkPlugins={plugins} components={components}>
      {text}
    </ReactMarkdown>
  )
})

const components: Components = {
  a: ({ href, children }) =>
    href ? (
      <Link href={href} target="_blank" rel="noreferrer noopener" textDecoration="underline">
        {children}
      </Link>
    ) : (
      children
    ),
  img: ({ src, alt }) =>
    typeof src === 'string' && src.startsWith('data:image/') ? <img src={src} alt={alt ?? ''} /> : <span>{alt}</span>,
}

const prose = {
  overflowWrap: 'anywhere',
  '& > * + *': { marginTop: '0.6em' },
  '& ul, & ol': { paddingInlineStart: '1.4em' },
  '& ul': { listStyle: 'disc' },
  '& ol': { listStyle: 'decimal' },
  '& h1, & h2, & h3': { fontWeight: 'semibold' },
  '& code': {
    fontFamily: 'mono',
    fontSize: '0.9em',
    background: 'bg.muted',
    paddingInline: '0.25em',
    borderRadius: 'sm',
  },
  '& pre': { background: 'bg.muted', padding: '3', borderRadius: 'md', overflowX: 'auto' },
  '& pre code': { background: 'transparent', padding: '0' },
  '& table': { display: 'block', overflowX: 'auto', fontSize: 'sm' },
  '& th, & td': { border: '1px solid', borderColor: 'border', padding: '1 2' },
  '& blockquote': { borderInlineStart: '3px solid', borderColor: 'border', paddingInlineStart: '3' },
  '& img': { maxWidth: '100%' },
} as const
