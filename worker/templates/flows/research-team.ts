import { agent, chatStart, llm, loopBack, when } from '../steps.ts'
import type { Template } from '../types.ts'

export const researchTeam: Template = {
  id: 'research-team',
  name: 'Research team',
  description:
    'A planner, a researcher and a critic work in rounds until the critic is content, then a writer reports.',
  usecases: ['Agents', 'Research'],
  note: 'Change first:\n1. The tools of “Researcher”. Add a web search with your key.\n2. How strict “Critic” is, and the rounds in “Next round”.\nWhat the team knows so far is in the flow state “findings”.',
  sample: { question: 'Is linen a good choice for work clothes?' },
  parts: [
    chatStart({ findings: 'none yet', gaps: 'none yet' }),
    llm('Planner', {
      system:
        'Write a plan of three steps to answer the question: what to find out, where, and what would prove it wrong.',
      ask: '{{ question }}',
    }),
    agent('Researcher', {
      system:
        'Work through the plan with your tools. Close the gaps that the critic named first. Return facts with their sources, old and new.',
      ask: 'Plan: {{ llmAgentflow_0 }}\n\nGaps: {{ $flow.state.gaps }}\n\nFindings so far: {{ $flow.state.findings }}',
      tools: ['wikipedia', 'arxiv', 'calculator'],
      updates: { findings: '{{ output }}' },
    }),
    llm('Critic', {
      system:
        'You look for holes: claims without a source, one-sided evidence, parts of the question that nobody touched. Be content when none would change the answer.',
      ask: 'Question: {{ question }}\n\nFindings: {{ $flow.state.findings }}',
      fields: [
        { key: 'verdict', type: 'enum', enumValues: 'content, more', description: 'Whether to continue' },
        { key: 'gaps', type: 'string', description: 'What is missing' },
      ],
      updates: { gaps: '{{ output.gaps }}' },
    }),
    when('Content?', ['{{ llmAgentflow_1.output.verdict }}', 'equal', 'content']),
    llm('Writer', {
      system: 'Report to a reader in a hurry: the answer first, then the reasons with sources, then what stays open.',
      ask: 'Question: {{ question }}\n\nFindings: {{ $flow.state.findings }}',
    }),
    loopBack('Next round', 'agentAgentflow_0-Researcher', {
      rounds: 3,
      fallback: 'After three rounds there are gaps: {{ $flow.state.gaps }}\n\n{{ $flow.state.findings }}',
    }),
  ],
  links: [
    [0, 1],
    [1, 2],
    [2, 3],
    [3, 4],
    [4, 5, 0],
    [4, 6, 1],
  ],
}
