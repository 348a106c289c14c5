/** The pages of a Notion database. A page is read again when it was edited. */
import { connectCredential } from '#contract/flow/params/builders.ts'
import { text } from '../../inputs/component-config.ts'
import type { LoaderType } from '../types.ts'
import { metadataParams } from './metadata.ts'
import { notionApi } from './services/credentials.ts'
import {
  type NotionList,
  type NotionPage,
  notionId,
  notionItem,
  notionRequest,
  readNotionPage,
} from './services/notion.ts'
import { needJson } from './services/requests.ts'
import { loaderDefinition } from './stored-files.ts'

export const notionDB: LoaderType = {
  definition: loaderDefinition('Apps and storage', {
    label: 'Notion Database',
    name: 'notionDB',
    version: 1,
    description: 'Reads the pages of a Notion database and their properties',
    credential: connectCredential(notionApi),
    inputs: [
      {
        label: 'Notion database ID',
        name: 'databaseId',
        type: 'string',
        placeholder: 'https://www.notion.so/0123456789abcdef0123456789abcdef?v=1',
        description: 'Link to the database, or its 32-character ID. Share the database with your integration',
      },
      ...metadataParams,
    ],
  }),
  credential: notionApi,
  async list(context, cursor) {
    const id = notionId(text(context.config, 'databaseId'))
    const asked = { page_size: Math.min(100, context.maxItems), ...(cursor !== undefined && { start_cursor: cursor }) }
    const {
      results = [],
      next_cursor,
      has_more,
    } = await needJson<NotionList<NotionPage>>(
      notionRequest(`databases/${id}/query`, context, asked),
      context,
      'Notion knows no such database. Check its link, and share the database with your integration.',
    )
    const items = results.filter(({ archived, in_trash }) => !archived && !in_trash).map(notionItem)
    return has_more && next_cursor ? { items, cursor: next_cursor } : { items }
  },
  read: (context, { key }) => readNotionPage(context, key),
  describeSource: (config) => text(config, 'databaseId') ?? '',
}
