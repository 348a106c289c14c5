/** `generate_content_config`: the settings of the model, in snake case or camel case. */

import { isRecord } from '#contract/data/json.ts'
import { GENERATION, MOVED_GENERATION } from '#contract/frameworks/adk.ts'
import type { YamlValue } from '../python-yaml.ts'
import type { Setting } from './design.ts'
import type { FileNotes } from './file-notes.ts'
import { type Keyed, readPairs, readSetting } from './plain-values.ts'

/** Returns the settings by keys in snake case. */
export function readGeneration({ path, pair }: Keyed, notes: FileNotes): ReadonlyMap<string, Setting> {
  const settings = new Map<string, Setting>()
  if (pair.value.kind !== 'null')
    for (const keyed of readPairs(pair.value, path, notes) ?? []) {
      const key = snakeCase(String(keyed.pair.key.value))
      const setting = readKey(key, keyed, notes)
      if (setting && settings.has(key))
        notes.refuse(keyed.pair.key.span, `${keyed.path} is there twice, as ${key} too.`)
      if (setting) settings.set(key, setting)
    }
  notes.note(path, pair.key.span)
  return settings
}

const isEmpty = (value: YamlValue) =>
  value.kind === 'list' ? value.items.length === 0 : value.kind === 'map' ? value.pairs.length === 0 : !value.value

const snakeCase = (key: string) => key.replace(/(?<=[a-z])[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

function readKey(key: string, keyed: Keyed, notes: FileNotes): Setting | undefined {
  const { pair, path } = keyed
  const moved = Object.hasOwn(MOVED_GENERATION, key) ? MOVED_GENERATION[key] : undefined
  if (moved) {
    if (!isEmpty(pair.value))
      notes.refuse(pair.key.span, `${path} does not belong here: write it as ${moved} of the agent.`)
    else notes.note(path, pair.key.span)
    return undefined
  }
  const rule = Object.hasOwn(GENERATION, key) ? GENERATION[key] : undefined
  if (!rule) {
    notes.refuse(pair.key.span, `${path} is unknown.`)
    return undefined
  }
  const setting = readSetting(keyed, rule, notes)
  if (key === 'http_options' && isRecord(setting?.value) && (setting.value.base_url ?? setting.value.baseUrl))
    notes.refuse(pair.key.span, `${path} may not have a base URL: it belongs to the model.`)
  return setting
}
