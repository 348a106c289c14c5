/** The built-in tools, one line each. */
import { arxiv } from './arxiv.ts'
import { braveSearch } from './brave-search.ts'
import { calculator } from './calculator.ts'
import { currentDateTime } from './current-date-time.ts'
import { exaSearch } from './exa-search.ts'
import { agentAsTool, chatflowTool } from './flow-tool.ts'
import { gmail } from './gmail.ts'
import { googleCustomSearch } from './google-custom-search.ts'
import { jsonPathExtractor } from './json-path-extractor.ts'
import { customMcp } from './mcp.ts'
import { openApiToolkit } from './openapi-toolkit.ts'
import { requestsDelete, requestsGet, requestsPatch, requestsPost, requestsPut } from './requests.ts'
import { searxng } from './searxng.ts'
import { serpApi } from './serp-api.ts'
import { serper } from './serper.ts'
import { tavily } from './tavily.ts'
import type { ToolType } from './types.ts'
import { webScraper } from './web-scraper.ts'
import { wikipedia } from './wikipedia.ts'
import { wolframAlpha } from './wolfram-alpha.ts'

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
  customMcp,
]
