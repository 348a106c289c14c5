import type { CredentialDefinition } from '#contract/flow/params/definition.ts'
import { askForJson, requireField, settingOf } from './requests.ts'
import type { SpeechCredential, Transcriber } from './types.ts'

const API_VERSION = '2024-05-15-preview'
/** A region becomes part of a host name. */
const REGION = /^[a-z0-9-]{1,60}$/i

const credential: CredentialDefinition = {
  label: 'Azure Cognitive Services',
  name: 'azureCognitiveServices',
  hosts: ['{serviceRegion}.cognitiveservices.azure.com'],
  version: 1,
  inputs: [
    { label: 'Azure subscription key', name: 'azureSubscriptionKey', type: 'password' },
    { label: 'Service region', name: 'serviceRegion', type: 'string', isAddress: true, placeholder: 'westus' },
    { label: 'API version', name: 'apiVersion', type: 'string', placeholder: API_VERSION, optional: true },
  ],
}

export const azureCognitiveServices: SpeechCredential = { label: 'Azure', credential }

export const azure: Transcriber = {
  name: 'azureCognitive',
  label: 'Azure Cognitive Services',
  credentialType: credential.name,
  async transcribe({ bytes, name, mime }, call) {
    const { settings } = call
    const region = requireField(call.credential, 'serviceRegion', 'the service region')
    if (!REGION.test(region)) throw new Error(`"${region.slice(0, 60)}" is no service region`)
    const version = settingOf(call.credential, 'apiVersion') ?? API_VERSION
    const form = new FormData()
    form.set('audio', new File([bytes as Uint8Array<ArrayBuffer>], name, { type: mime }))
    const definition = {
      locales: [settingOf(settings, 'language') ?? 'en-US'],
      profanityFilterMode: settingOf(settings, 'profanityFilterMode') ?? 'Masked',
      channels: (settingOf(settings, 'channels') ?? '0,1').split(',').map(Number),
    }
    form.set('definition', JSON.stringify(definition))
    const address = `https://${region}.cognitiveservices.azure.com/speechtotext/transcriptions:transcribe`
    const { combinedPhrases } = await askForJson(call, `${address}?api-version=${encodeURIComponent(version)}`, {
      method: 'POST',
      headers: {
        'ocp-apim-subscription-key': requireField(call.credential, 'azureSubscriptionKey', 'the subscription key'),
        accept: 'application/json',
      },
      body: form,
    })
    const [first] = Array.isArray(combinedPhrases) ? (combinedPhrases as { text?: unknown }[]) : []
    return String(first?.text ?? '').trim()
  },
}
