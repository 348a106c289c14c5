/** @jsxImportSource preact */
/** Draws Markdown as elements. Nothing is ever read as HTML. */
import type { ComponentChildren } from 'preact'
import { useMemo } from 'preact/hooks'
import type { Inline } from '../inline.ts'
import { type Block, parseMarkdown } from '../markdown.ts'

export function Markdown({ text }: { text: string }) {
  const blocks = useMemo(() => parseMarkdown(text), [text])
  return <div class="prose">{blocks.map(drawBlock)}</div>
}

function drawBlock(block: Block): ComponentChildren {
  switch (block.kind) {
    case 'paragraph':
      return <p>{block.children.map(drawInline)}</p>
    case 'heading':
      return block.level < 3 ? <h3>{block.children.map(drawInline)}</h3> : <h4>{block.children.map(drawInline)}</h4>
    case 'code':
      return (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: long lines are scrolled by keyboard
        <pre tabIndex={0}>
          <code>{block.text}</code>
        </pre>
      )
    case 'quote':
      return <blockquote>{block.blocks.map(drawBlock)}</blockquote>
    case 'list': {
      const items = block.items.map((item) => <li>{drawItem(item)}</li>)
      return block.isOrdered ? <ol start={block.start}>{items}</ol> : <ul>{items}</ul>
    }
    case 'table':
      return <Table {...block} />
    case 'rule':
      return <hr />
  }
}

/** An item of one paragraph needs no space around it. */
const drawItem = ([first, ...more]: Block[]) =>
  first?.kind === 'paragraph'
    ? [first.children.map(drawInline), more.map(drawBlock)]
    : [first, ...more].map((each) => each && drawBlock(each))

const Table = ({ head, rows }: Extract<Block, { kind: 'table' }>) => (
  <div class="scroll">
    <table>
      <thead>
        <tr>
          {head.map((cell) => (
            <th>{cell.map(drawInline)}</th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr>
            {row.map((cell) => (
              <td>{cell.map(drawInline)}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)

function drawInline(inline: Inline): ComponentChildren {
  if (typeof inline === 'string') return inline
  switch (inline.kind) {
    case 'break':
      return <br />
    case 'code':
      return <code>{inline.text}</code>
    case 'link':
      return (
        <a href={inline.href} target="_blank" rel="noopener noreferrer">
          {inline.children.map(drawInline)}
        </a>
      )
    default: {
      const Tag = inline.kind
      return <Tag>{inline.children.map(drawInline)}</Tag>
    }
  }
}
