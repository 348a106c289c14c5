import { Box, Link } from '@chakra-ui/react'
import ReactMarkdown from 'react-markdown'
import remarkGfm from 'remark-gfm'

const plugins = [remarkGfm]

/** Renders Markdown. HTML is escaped, links open in a new tab without a referrer, and unsafe ones are text. */
export default function Markdown({ text }: { text: string }) {
  return (
    <Box css={prose}>
      <ReactMarkdown
        remarkPlugins={plugins}
        components={{
          a: ({ href, children }) =>
            href ? (
              <Link href={href} target="_blank" rel="noreferrer noopener" textDecoration="underline">
                {children}
              </Link>
            ) : (
              children
            ),
          img: ({ src, alt }) =>
            typeof src === 'string' && src.startsWith('data:image/') ? (
              <img src={src} alt={alt ?? ''} />
            ) : (
              <span>{alt}</span>
            ),
        }}
      >
        {text}
      </ReactMarkdown>
    </Box>
  )
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
