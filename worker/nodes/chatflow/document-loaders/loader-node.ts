/** Loaders of document stores as nodes of chat flows: they hand on documents, or their text. */
import type { ComponentDefinition, InputParam } from '#contract/flow/params/definition.ts'
import type { LoaderType, SourceDocument } from '../../../knowledge/types.ts'
import type { ChatNodeType, StepContext, StepResult } from '../../types.ts'
import { type DocumentsComponent, openComponentAt, toComponent } from '../component-types.ts'
import { componentContext } from '../components.ts'
import { anchor } from '../definition.ts'
import { openFiles } from './flow-files.ts'
import { cutDocuments, readAll } from './load-documents.ts'

const splitterAnchor = anchor('Text splitter', 'textSplitter', 'TextSplitter', { optional: true })

export const documentOutputs: ComponentDefinition['outputs'] = [
  {
    label: 'Document',
    name: 'document',
    description: 'Documents with their metadata',
    baseClasses: ['Document', 'json'],
  },
  { label: 'Text', name: 'text', description: 'The text of all documents', baseClasses: ['string', 'json'] },
]

export function loaderNode(loader: LoaderType): ChatNodeType {
  const { definition, credential } = loader
  return {
    definition: {
      ...definition,
      inputs: withSplitter(definition.inputs),
      outputs: documentOutputs,
    },
    ...(credential && { credentials: [credential] }),
    runsFor: ['text'],
    run: (context) => runAsText(context, { load: () => load(loader, context) }),
    provide: async (context) => toComponent('documents', { load: (onRead) => load(loader, context, onRead) }),
  }
}

/** Returns the inputs with the splitter after the first, as the canvas of Flowise draws them. */
const withSplitter = (inputs: InputParam[]): InputParam[] => [splitterAnchor, ...inputs]

async function load(loader: LoaderType, context: StepContext, onRead?: () => void) {
  const split = await openComponentAt(context, 'textSplitter', 'splitter')
  return cutDocuments(await read(loader, context, onRead), split)
}

async function read(loader: LoaderType, context: StepContext, onRead?: () => void): Promise<SourceDocument[]> {
  const component = await componentContext(context, loader.definition)
  const files = await openFiles(loader.definition, context)
  return readAll(loader, { ...component, files, maxItems: Number.POSITIVE_INFINITY }, onRead)
}

/** Runs a loader whose text the next node asked for. */
export async function runAsText(context: StepContext, { load }: DocumentsComponent): Promise<StepResult> {
  const documents = await load()
  const content = documents.map(({ pageContent }) => pageContent).join('\n')
  return { input: { loader: context.node.label }, output: { content } }
}
