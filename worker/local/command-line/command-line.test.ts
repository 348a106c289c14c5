import { afterEach, expect, it, vi } from 'vitest'
import { readCommandLine } from './command-line.ts'

const COMMAND = {
  name: 'npm run weave',
  description: 'Weaves a cloth.',
  options: {
    to: { type: 'string', value: 'FILE', description: 'Where to' },
    'without-fringe': { type: 'boolean', description: 'Cut the ends' },
  },
  example: '--to cloth.txt',
} as const
const WITH_ARGUMENTS = { ...COMMAND, arguments: 'YARN' }

afterEach(() => vi.restoreAllMocks())

/** Returns how the process ended, and what it said. */
function endOf(args: string[], command: Parameters<typeof readCommandLine>[0] = COMMAND) {
  const said = vi.fn<(text: string) => void>()
  for (const method of ['log', 'error'] as const) vi.spyOn(console, method).mockImplementation(said)
  const exit = vi.spyOn(process, 'exit').mockImplementation(() => {
    throw new Error('ended')
  })
  expect(() => readCommandLine(command, args)).toThrow('ended')
  return [exit.mock.calls[0]?.[0], said.mock.calls.flat().join('\n')]
}

it('returns options and arguments', () => {
  const { values, positionals } = readCommandLine(WITH_ARGUMENTS, ['red', '--to', 'a', '--without-fringe', 'blue'])
  expect({ ...values }).toEqual({ to: 'a', 'without-fringe': true })
  expect(positionals).toEqual(['red', 'blue'])
  expect({ ...readCommandLine(COMMAND, ['--to=-a']).values }).toEqual({ to: '-a' })
  expect({ ...readCommandLine(COMMAND, []).values }).toEqual({})
})

it.each([['--help'], ['-h'], ['--frob', '--help']])('shows the usage for %s', (...args) => {
  expect(endOf(args)).toEqual([
    0,
    `Weaves a cloth.

Usage: npm run weave -- [options]

  --to FILE         Where to
  --without-fringe  Cut the ends
  --help            Show this

Example: npm run weave -- --to cloth.txt`,
  ])
})

it('shows what may come after the options, and an example without any', () => {
  const [, text] = endOf(['--help'], { ...WITH_ARGUMENTS, example: '' })
  expect(text).toContain('Usage: npm run weave -- [options] YARN\n')
  expect(text).toMatch(/Example: npm run weave$/)
})

it.each([
  [['--frob'], 'Unknown option --frob.'],
  [['--frob=1'], 'Unknown option --frob.'],
  [['-x'], 'Unknown option -x.'],
  [['--toString'], 'Unknown option --toString.'],
  [['--to'], 'Option --to needs a value: --to FILE.'],
  [['--to='], 'Option --to needs a value: --to FILE.'],
  [['--to', '--without-fringe'], 'Option --to needs a value: --to FILE.'],
  [['--without-fringe=yes'], 'Option --without-fringe takes no value.'],
  [['red'], 'Unexpected argument red.'],
])('ends with 1 for %j, and says where to look', (args, sentence) => {
  expect(endOf(args)).toEqual([1, `${sentence} See npm run weave -- --help.`])
})
