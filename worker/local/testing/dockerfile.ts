/** Runs the instructions of a Dockerfile without Docker: each stage is a folder, and its absolute paths lie within it. */
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, statSync } from 'node:fs'
import { basename, dirname, join, posix } from 'node:path'

interface Instruction {
  /** In capitals: `RUN`. */
  name: string
  /** What follows it, on one line. */
  value: string
}

export interface Stage {
  name: string
  instructions: Instruction[]
}

/** A stage after its instructions have run. */
export interface Image {
  /** The folder that stands for `/`. */
  root: string
  /** The working directory, on this machine. */
  cwd: string
  /** From `ENV`, with paths on this machine. */
  env: Record<string, string>
  cmd: string[]
  /** A shell command. */
  healthcheck: string
  user: string | undefined
  volumes: string[]
}

/** Returns the stages in order. A stage without a name is called by its number. */
export function parseDockerfile(text: string): Stage[] {
  const lines = text
    .replace(/^\s*#.*\n/gm, '')
    .replace(/\\\n\s*/g, ' ')
    .split('\n')
    .filter((line) => line.trim())
  const stages: Stage[] = []
  for (const line of lines) {
    const [, name = '', value = ''] = /^(\w+)\s+(.*)$/.exec(line) ?? []
    if (name === 'FROM') stages.push({ name: / AS (\S+)$/.exec(value)?.[1] ?? String(stages.length), instructions: [] })
    else stages.at(-1)?.instructions.push({ name, value })
  }
  return stages
}

interface RunOptions {
  /** The build context. */
  context: string
  /** Receives a folder per stage. */
  folder: string
  /** Additions to the environment of each command. */
  env: NodeJS.ProcessEnv
  /** Runs in place of a command, and tells by `true` that it did. */
  instead?: (command: string, image: Image) => boolean
  /** Called after each command. */
  after?: (command: string, image: Image) => void
}

/** Runs every stage and returns the last one. Throws when a command fails or an instruction is not known here. */
export function runStages(stages: Stage[], options: RunOptions): Image {
  const images = new Map<string, Image>()
  for (const { name, instructions } of stages) {
    const root = join(options.folder, name)
    mkdirSync(root)
    const image: Image = { root, cwd: root, env: {}, cmd: [], healthcheck: '', user: undefined, volumes: [] }
    images.set(name, image)
    for (const instruction of instructions) follow(instruction, { image, images, options })
  }
  const last = images.get(stages.at(-1)?.name ?? '')
  if (!last) throw new Error('The Dockerfile has no stage')
  return last
}

interface Place {
  image: Image
  images: Map<string, Image>
  options: RunOptions
}

function follow({ name, value }: Instruction, { image, images, options }: Place): void {
  switch (name) {
    case 'WORKDIR':
      image.cwd = join(image.root, value)
      mkdirSync(image.cwd, { recursive: true })
      return
    case 'ENV':
      for (const [, key = '', word = ''] of value.matchAll(/(\w+)=(\S+)/g))
        image.env[key] = word.startsWith('/') ? join(image.root, word) : word
      return
    case 'COPY':
      copy(value, { image, images, options })
      return
    case 'RUN':
      run(value, image, options)
      return
    case 'USER':
      image.user = value
      return
    case 'VOLUME':
      image.volumes.push(value)
      return
    case 'HEALTHCHECK':
      image.healthcheck = / ?CMD (.*)$/.exec(value)?.[1] ?? ''
      return
    case 'CMD':
      image.cmd = JSON.parse(value)
      return
    case 'EXPOSE':
      return
    default:
      throw new Error(`${name} is not known here`)
  }
}

function run(command: string, image: Image, options: RunOptions): void {
  if (!options.instead?.(command, image)) {
    const inside = command.replaceAll(/(?<=^|\s)\/(?=\w)/g, `${image.root}/`)
    // Only root can give a folder to somebody else.
    const script = process.getuid?.() === 0 ? inside : inside.replaceAll(/ -[og] \d+/g, '')
    execFileSync('sh', ['-c', script], { cwd: image.cwd, env: { ...options.env, ...image.env }, stdio: 'pipe' })
  }
  options.after?.(command, image)
}

function copy(value: string, { image, images, options }: Place): void {
  const words = value.split(/\s+/)
  const from = /^--from=(.*)$/.exec(words[0] ?? '')?.[1]
  const paths = from ? words.slice(1) : words
  const source = from ? images.get(from)?.root : options.context
  if (!source) throw new Error(`COPY names the stage ${from}, which does not exist`)
  const to = paths.at(-1) ?? ''
  const target = to.startsWith('/') ? join(image.root, to) : join(image.cwd, to)
  const ignored = from ? [] : readIgnored(options.context)
  for (const path of paths.slice(0, -1)) {
    const file = join(source, path)
    const isFolder = statSync(file).isDirectory()
    const destination = isFolder || !/\/$|^\.\/?$/.test(to) ? target : join(target, basename(file))
    mkdirSync(dirname(destination), { recursive: true })
    const filter = (inside: string) => !ignored.includes(posix.relative(source, inside))
    cpSync(file, destination, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true, filter })
  }
}

/** The names that `.dockerignore` leaves out: paths from the context, without patterns. */
function readIgnored(context: string): string[] {
  const file = join(context, '.dockerignore')
  return existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : []
}
