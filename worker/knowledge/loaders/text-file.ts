import { storedFileLoader } from './stored-files.ts'

export const textFile = storedFileLoader({
  label: 'Text File',
  name: 'textFile',
  version: 3,
  description: 'Reads text files, Markdown, web pages and source code',
  file: {
    label: 'Text file',
    name: 'txtFile',
    fileType:
      '.txt, .md, .markdown, .html, .htm, .yaml, .yml, .xml, .log, .rst, .tex, .srt, .vtt, .css, .js, .ts, .py, .java, .go, .rs, .rb, .php, .c, .h, .cpp, .cs, .swift, .scala, .kt, .sol, .proto, .sh, .sql',
  },
})
