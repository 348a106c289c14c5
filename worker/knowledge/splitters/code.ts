/** Cuts source code before its declarations. */
import { ConfigError } from '../../inputs/component-config.ts'
import type { SplitterType } from '../types.ts'
import { pieceSize, sizeParams, splitterDefinition } from './params.ts'
import { toSegments } from './segments.ts'
import { cutText, dividerBefore } from './split-text.ts'

const words = (list: string) => list.split(' ')

/** What begins a declaration or a block, the larger first, after a line's end and any indentation. */
const LANGUAGES: Record<string, string[]> = {
  cpp: words('class struct namespace template enum void int float double auto if for while switch case'),
  go: words('func type var const if for switch case'),
  java: words('class interface enum public protected private static if for while switch case'),
  js: words('export class interface function async const let var if for while switch case default'),
  php: words('class interface trait function public protected private if foreach while do switch case'),
  proto: words('message service enum option import syntax'),
  python: words('class def async @ if for while try with'),
  rst: ['\n====', '\n----', '\n~~~~', '.. '],
  ruby: words('class module def if unless while for do begin rescue'),
  rust: words('mod struct enum trait impl pub fn const let if while for loop match'),
  scala: words('class object trait def val var if for while match case'),
  swift: words('class struct enum protocol extension func if for while do switch case'),
  markdown: ['# ', '## ', '### ', '#### ', '##### ', '###### ', '```', '---'],
  latex: ['\\chapter{', '\\section{', '\\subsection{', '\\subsubsection{', '\\begin{', '\\item'],
  html: [
    '<body',
    '<div',
    '<p',
    '<br',
    '<li',
    '<h1',
    '<h2',
    '<h3',
    '<h4',
    '<h5',
    '<h6',
    '<table',
    '<tr',
    '<ul',
    '<head',
  ],
  sol: words(
    'pragma using contract interface library constructor type function event modifier error struct enum if for while',
  ),
}

export const codeTextSplitter: SplitterType = {
  definition: splitterDefinition({
    label: 'Code Text Splitter',
    name: 'codeTextSplitter',
    type: 'CodeTextSplitter',
    version: 1,
    description: 'Splits source code before declarations, then at lines',
    inputs: [
      {
        label: 'Language',
        name: 'language',
        type: 'options',
        options: Object.keys(LANGUAGES).map((name) => ({ label: name, name })),
      },
      ...sizeParams(),
    ],
  }),
  split(document, config) {
    const language = String(config.language ?? '')
    if (!Object.hasOwn(LANGUAGES, language)) throw new ConfigError('Choose the Language of the code')
    const marks = (LANGUAGES[language] ?? []).map((mark) => (mark.startsWith('\n') ? mark : `\n${mark}`))
    const dividers = [...marks, '\n\n', '\n', ' '].map(dividerBefore)
    return toSegments(document, cutText(document.text, dividers, pieceSize(config)))
  },
}
