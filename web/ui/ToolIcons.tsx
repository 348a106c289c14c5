import {
  IconApi,
  IconBook2,
  IconBraces,
  IconCalculator,
  IconClock,
  IconCode,
  IconMail,
  IconPhoto,
  IconPlugConnected,
  IconRobot,
  IconSearch,
  IconTool,
  IconWorld,
  IconWorldWww,
} from '@tabler/icons-react'

/** The first pattern that fits a tool's name decides. */
const ICONS: [RegExp, typeof IconTool][] = [
  [/calculator|wolfram/i, IconCalculator],
  [/dateTime/i, IconClock],
  [/json/i, IconBraces],
  [/openAPI/, IconApi],
  [/gmail/i, IconMail],
  [/mcp/i, IconPlugConnected],
  [/chatflow|agentAsTool/i, IconRobot],
  [/wikipedia|arxiv/i, IconBook2],
  [/scraper|fetch|url/i, IconWorldWww],
  [/search|sear|serp|tavily/i, IconSearch],
  [/^requests/, IconWorld],
  [/code/i, IconCode],
  [/image/i, IconPhoto],
]

const MAX_SHOWN = 6

/** The tools of a node, each with its name for screen readers and on hover. */
export default function ToolIcons({ tools }: { tools: readonly { name: string; label: string }[] }) {
  const more = tools.slice(MAX_SHOWN)
  return (
    <>
      {tools.slice(0, MAX_SHOWN).map(({ name, label }, index) => {
        const Icon = ICONS.find(([pattern]) => pattern.test(name))?.[1] ?? IconTool
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: a tool may be there twice
          <span key={index} className="heddle-node-tool" role="img" aria-label={label} title={label}>
            <Icon size={13} aria-hidden />
          </span>
        )
      })}
      {more.length > 0 && (
        <span
          role="img"
          aria-label={more.map(({ label }) => label).join(', ')}
          title={more.map(({ label }) => label).join(', ')}
        >
          +{more.length}
        </span>
      )}
    </>
  )
}
