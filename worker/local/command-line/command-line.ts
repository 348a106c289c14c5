/** Reads the command line of a script of package.json. */
import { parseArgs } from 'node:util'

interface Option {
  type: 'boolean' | 'string'
  /** What stands in the usage for the value of a `string`, as `FILE`. */
  value?: string
  description: string
}

interface Command<Options extends Record<string, Option>> {
  /** How it is called, as `npm run backup`. */
  name: string
  /** Sentences. */
  description: string
  /** What stands in the usage for arguments; none may be given without. */
  arguments?: string
  options: Options
  /** What comes after `name --`; nothing for a call without options. */
  example: string
}

interface CommandLine<Options extends Record<string, Option>> {
  values: { [Name in keyof Options]?: Options[Name]['type'] extends 'string' ? string : boolean }
  positionals: string[]
}

/**
 * Returns the options and arguments that a script was called with. Ends the process for `--help`, with the usage, and, with 1
 * and a sentence, for what the command does not know.
 * @param args without those of Node
 */
export function readCommandLine<const Options extends Record<string, Option>>(
  command: Command<Options>,
  args: readonly string[] = process.argv.slice(2),
): CommandLine<Options> {
  const options = { ...command.options, ...HELP }
  // What Node says of a mistake is for programmers, so it is not asked to find any.
  const parsed = parseArgs({ args: [...args], options, strict: false, allowPositionals: true, tokens: true })
  if (parsed.values.help === true) {
    console.log(usageOf(command))
    process.exit(0)
  }
  const mistake = parsed.tokens.map((token) => mistakeIn(token, command)).find(Boolean)
  if (mistake) {
    console.error(`${mistake} See ${command.name} -- --help.`)
    process.exit(1)
  }
  return { values: parsed.values as CommandLine<Options>['values'], positionals: parsed.positionals }
}

const HELP = { help: { type: 'boolean', short: 'h', description: 'Show this' } } as const

type Token = NonNullable<ReturnType<typeof parseArgs>['tokens']>[number]

function mistakeIn(token: Token, command: Command<Record<string, Option>>): string | undefined {
  if (token.kind === 'positional' && !command.arguments) return `Unexpected argument ${token.value}.`
  if (token.kind !== 'option') return undefined
  const { rawName, value, inlineValue } = token
  const option = Object.hasOwn(command.options, token.name) ? command.options[token.name] : undefined
  if (!option) return `Unknown option ${rawName}.`
  if (option.type === 'boolean') return value === undefined ? undefined : `Option ${rawName} takes no value.`
  const isMissing = !value || (!inlineValue && value.startsWith('-'))
  return isMissing ? `Option ${rawName} needs a value: ${rawName} ${option.value}.` : undefined
}

function usageOf({ name, description, arguments: more, options, example }: Command<Record<string, Option>>): string {
  const all: Record<string, Option> = { ...options, ...HELP }
  const lines = Object.entries(all).map(([option, { value, description: text }]): [string, string] => [
    value ? `--${option} ${value}` : `--${option}`,
    text,
  ])
  const width = Math.max(...lines.map(([option]) => option.length))
  const call = [name, '--', '[options]', ...(more ? [more] : [])].join(' ')
  return [
    description,
    `\nUsage: ${call}\n`,
    ...lines.map(([option, text]) => `  ${option.padEnd(width)}  ${text}`),
    `\nExample: ${example ? `${name} -- ${example}` : name}`,
  ].join('\n')
}
