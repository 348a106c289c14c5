/** All built-in tools. */

import { calculator } from './basic/calculator.ts'
import { currentDateTime } from './basic/current-date-time.ts'
import { jsonPathExtractor } from './basic/json-path-extractor.ts'
import { customTool } from './custom/custom-tool.ts'
import { agentAsTool, chatflowTool } from './flows/flow-tool.ts'
import { gmail } from './google/gmail.ts'
import { customMcp } from './mcp/mcp.ts'
import { customMcpServer } from './mcp/mcp-server-tool.ts'
import { openApiToolkit } from './openapi/openapi-toolkit.ts'
import { arxiv } from './search/arxiv.ts'
import { braveSearch } from './search/brave-search.ts'
import { exaSearch } from './search/exa-search.ts'
import { googleCustomSearch } from './search/google-custom-search.ts'
import { searxng } from './search/searxng.ts'
import { serpApi } from './search/serp-api.ts'
import { serper } from './search/serper.ts'
import { tavily } from './search/tavily.ts'
import { wikipedia } from './search/wikipedia.ts'
import { wolframAlpha } from './search/wolfram-alpha.ts'
import type { ToolType } from './types.ts'
import { requestsDelete, requestsGet, requestsPatch, requestsPost, requestsPut } from './web/requests.ts'
import { webScraper } from './web/web-scraper.ts'

export const tools: ToolType[] = [
  calculator,
  currentDateTime,
  requestsGet,
  requestsPost,
  requestsPut,
  requestsPatch,
  requestsDelete,
  webScraper,
  jsonPathExtractor,
  openApiToolkit,
  gmail,
  searxng,
  braveSearch,
  tavily,
  serper,
  serpApi,
  googleCustomSearch,
  exaSearch,
  wikipedia,
  arxiv,
  wolframAlpha,
  chatflowTool,
  agentAsTool,
  customTool,
  customMcp,
  customMcpServer,
]
