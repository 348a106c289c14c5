/** The workshop's page: a list of all stories, or with `?story=3` that story alone. */
import { createRoot } from 'react-dom/client'
import { setMode } from '../api/stored-appearance.ts'
import { Provider } from '../ui/theme/Provider.tsx'
import { answerCalls } from './fake-api.ts'
import { settingsOf, showStory } from './Stage.tsx'
import { type ListedStory, StoryList } from './StoryList.tsx'
import { stories } from './story.tsx'

const files = import.meta.glob('../**/*.stories.tsx')

async function loadStories(): Promise<ListedStory[]> {
  const listed: ListedStory[] = []
  for (const [path, load] of Object.entries(files)) {
    const before = stories.length
    await load()
    const file = path.replace('../', '').replace('.stories.tsx', '')
    listed.push(...stories.slice(before).map(({ name }, index) => ({ file, name, index: before + index })))
  }
  return listed
}

function showAlone(index: number, isDark: boolean, element: HTMLElement): void {
  const story = stories[index]
  if (!story) return
  setMode(isDark)
  answerCalls({ 'GET /settings': settingsOf(story.options), ...story.options.answers })
  showStory(element, () => story.show((value) => console.info('told', value)), story.options)
}

const listed = await loadStories()
const query = new URLSearchParams(location.search)
const root = document.getElementById('root')
if (root && query.has('story')) showAlone(Number(query.get('story')), query.has('dark'), root)
else if (root)
  createRoot(root).render(
    <Provider>
      <StoryList stories={listed} />
    </Provider>,
  )
