/** Shared parts of chat model definitions. */
import { additionalParam, connectCredential } from '#contract/flow/params/builders.ts'
import type { ComponentDefinition, CredentialDefinition, InputParam } from '#contract/flow/params/definition.ts'

interface ChatModelParts {
  label: string
  name: string
  /** The component's class name in flow files: `ChatOpenAI`. */
  type: string
  version: number
  description: string
  credential?: CredentialDefinition
  credentialOptional?: boolean
  inputs: InputParam[]
}

export function chatModel({ credential, credentialOptional, ...parts }: ChatModelParts): ComponentDefinition {
  return {
    ...parts,
    category: 'Chat Models',
    baseClasses: [parts.type, 'BaseChatModel', 'BaseLanguageModel', 'Runnable'],
    ...(credential && { credential: connectCredential(credential, { optional: credentialOptional ?? false }) }),
  }
}

/** A select of model names that also accepts other names. */
export function modelName(names: [string, ...string[]]): InputParam {
  return {
    label: 'Model name',
    name: 'modelName',
    type: 'options',
    freeSolo: true,
    options: names.map((name) => ({ label: name, name })),
    default: names[0],
  }
}

export const temperature: InputParam = {
  label: 'Temperature',
  name: 'temperature',
  type: 'number',
  step: 0.1,
  default: 0.9,
  optional: true,
}

/** Returns an optional number under "Additional parameters". */
export function additionalNumber(label: string, name: string, rest: Partial<InputParam> = {}): InputParam {
  return additionalParam(label, name, { type: 'number', ...rest })
}

/** Unless enabled, the flow rejects images and the model gets none. */
export const allowImageUploads: InputParam = {
  label: 'Allow image uploads',
  name: 'allowImageUploads',
  type: 'boolean',
  description: 'Send uploaded images to the model. Only for models with vision.',
  default: false,
  optional: true,
}

/** Unless enabled, the model gets no audio. */
export const allowAudioUploads: InputParam = {
  label: 'Allow audio uploads',
  name: 'allowAudioUploads',
  type: 'boolean',
  description: 'Send uploaded audio to the model. Only for models with audio input.',
  default: false,
  optional: true,
}

export const topP = additionalNumber('Top P', 'topP', { step: 0.1 })
export const topK = additionalNumber('Top K', 'topK', { step: 1 })
