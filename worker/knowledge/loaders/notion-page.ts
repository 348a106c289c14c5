/** One page of Notion. */
import { connectCredential } from '#contract/flow/params/builders.ts'
import { text } from '../../inputs/component-config.ts'
import type { LoaderType } from '../types.ts'
import { metadataParams } from './metadata.ts'
import { notionApi } from './services/credentials.ts'
import { type NotionPage, notionId, notionItem, notionRequest, readNotionPage } from './services/notion.ts'
import { needJson } from './services/requests.ts'
import { loaderDefinition } from './stored-files.ts'

export const notionPage: LoaderType = {
  definition: loaderDefinition('Apps and storage', {
    label: 'Notion Page',
    name: 'notionPage',
    version: 1,
    description: 'Reads a Notion page',
    credential: connectCredential(notionApi),
    inputs: [
      {
        label: 'Notion page ID',
        name: 'notionPageId',
        type: 'string',
        placeholder: 'https://www.notion.so/Guide-0123456789abcdef0123456789abcdef',
        description: 'Link to the page, or its 32-character ID. Share the page with your integration',
      },
      ...metadataParams,
    ],
  }),
  credential: notionApi,
  async list(context) {
    const id = notionId(text(context.config, 'notionPageId'))
    const missing = 'Notion knows no such page. Check its link, and share the page with your integration.'
    return { items: [notionItem(await needJson<NotionPage>(notionRequest(`pages/${id}`, context), context, missing))] }
  },
  read: (context, { key }) => readNotionPage(context, key),
  describeSource: (config) => text(config, 'notionPageId') ?? '',
}
